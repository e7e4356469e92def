/** The read model of warehouses with their locations. Personal data is encrypted. */
import {
  LocationBlocked,
  LocationsPut,
  LocationsRemoved,
  LocationUnblocked,
  WAREHOUSE_PREFIX,
  WarehouseChanged,
  WarehouseClosed,
  WarehouseMadeDefault,
  WarehouseOpened,
  type Location,
} from '../../events/warehouses/events.js';
import { code, flag, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedDataOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of warehouses. */
export const WAREHOUSE_IDS = sequence('warehouses', { readModel: 'warehouses', table: 'warehouses.warehouses' });

/** `blocked`: the reason. */
export type StoredLocation = Location & { readonly blocked?: string };

const columns = {
  id: integer(),
  business: integer(),
  code: code(),
  /** Entries in the order of the log; later entries override earlier ones. */
  sealed: json<SealedMembers[]>(),
  /** Keyed by location code. */
  locations: json<Readonly<Record<string, StoredLocation>>>(),
  closed: flag(),
  /** Time when the warehouse last became the default. */
  default_since: optional(code()),
  opened_at: text(),
  revision: integer(),
};
export type WarehouseRow = RowOf<typeof columns>;

const without = <T>(all: Readonly<Record<string, T>>, gone: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !gone.includes(name)));

export const warehouses = table({
  name: 'warehouses',
  version: 2,
  prefixes: [WAREHOUSE_PREFIX],
  columns,
  indexes: ['(business, id)'],
  fold: startsWith(WarehouseOpened, ({ warehouse_id, business, code }, event): WarehouseRow => ({
    id: warehouse_id,
    business,
    code,
    sealed: [sealedDataOf(event)],
    locations: {},
    closed: false,
    default_since: null,
    opened_at: recordedAt(event),
    revision: event.revision,
  }))
    .on(WarehouseChanged, (_changed, row, event) => ({ sealed: [...row.sealed, sealedDataOf(event)] }))
    .on(WarehouseMadeDefault, (_made, _row, event) => ({ default_since: recordedAt(event) }))
    .on(WarehouseClosed, () => ({ closed: true }))
    .on(LocationsPut, ({ locations }, row) => ({
      locations: {
        ...row.locations,
        ...Object.fromEntries(
          locations.map((location) => {
            const blocked = row.locations[location.code]?.blocked;
            return [location.code, { ...location, ...(blocked !== undefined && { blocked }) }];
          }),
        ),
      },
    }))
    .on(LocationsRemoved, ({ codes }, row) => ({ locations: without(row.locations, codes) }))
    .on(LocationBlocked, ({ code, reason }, row) => ({
      locations: { ...row.locations, [code]: { ...row.locations[code]!, blocked: reason } },
    }))
    .on(LocationUnblocked, ({ code }, row) => {
      const { blocked: _blocked, ...location } = row.locations[code]!;
      return { locations: { ...row.locations, [code]: location } };
    }),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'warehouses', { 'warehouses.warehouses': WarehouseRow }> {}
}
