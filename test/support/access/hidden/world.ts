/**
 * One object of each kind with members that some callers may not read. The test changes these members alone: no
 * response to such a caller may change with them.
 *
 * To add a resource with hidden members: create it here, add its id to `ids`, and a row with a setter to `hidden`.
 */
import { expect } from 'chai';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { STOP } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { Input } from '../table.js';
import type { World } from '../world.js';

/** A caller of the test. `partner`: staff of another business, who read by grants of an alliance. */
export type Audience = UserName | 'anonymous' | 'provider' | 'partner';

export const AUDIENCES = [
  'partner',
  'client_admin',
  'employee',
  'auditor',
  'broker',
  'driver',
  'customer',
  'anonymous',
  'provider',
] as const satisfies readonly Audience[];

interface HiddenMember {
  readonly name: string;
  readonly hiddenFrom: readonly Audience[];
  readonly set: (value: string) => Promise<unknown>;
}

export interface HiddenWorld {
  readonly hidden: readonly HiddenMember[];
  /** Ids of the objects, by the names that members of inputs have. */
  readonly ids: Input;
  readonly giver: number;
  readonly keyOf: (audience: Audience) => Promise<string | undefined>;
}

export const roleOf = (audience: Audience): CallerKind =>
  (audience === 'partner' ? 'client_admin' : audience) as CallerKind;

const EVERYBODY = AUDIENCES;
const OUTSIDERS: readonly Audience[] = ['partner', 'customer', 'anonymous', 'provider'];
const NOT_STAFF: readonly Audience[] = [...OUTSIDERS, 'broker', 'driver'];

/** The column that is hidden from all callers, and the personal one, which a grant does not show. */
export const HIDDEN_COLUMN = 'code';
const COLUMNS = [
  { code: 'name', type: 'text' },
  { code: 'at', type: 'point' },
  { code: HIDDEN_COLUMN, type: 'text' },
  { code: 'keeper', type: 'text', personal: true },
];
const PLACE = { latitude: 52.51, longitude: 13.41 };

export async function openHiddenWorld(world: World): Promise<HiddenWorld> {
  const { good, demo, fresh } = world;
  const { users } = demo;
  const put = (path: string, body: unknown, user: UserName = 'client_admin') =>
    good(path, user, { method: 'PUT', body });
  const patch = (path: string, body: unknown, user: UserName = 'client_admin') =>
    good(path, user, { method: 'PATCH', body });
  const make = async (path: string, body: unknown, user: UserName = 'client_admin') =>
    (await good(path, user, { body })).json;

  const dataset = (await make('/datasets', { code: fresh().toLowerCase(), name: 'Doors', columns: COLUMNS })).dataset
    .id;
  const records = { records: [{ values: { name: 'Ramp', at: PLACE } }] };
  const batch = await good(`/datasets/${dataset}/records/batch`, 'client_admin', { method: 'POST', body: records });
  const record = batch.json.results[0].record_id as number;
  const values: Record<string, unknown> = { name: 'Ramp', at: PLACE };
  const columns = (hidden: boolean) =>
    COLUMNS.map((column) => ({ ...column, ...(column.code === HIDDEN_COLUMN && { hidden }) }));
  async function setRecord(change: Record<string, string>): Promise<void> {
    Object.assign(values, change);
    await patch(`/datasets/${dataset}`, { columns: columns(false) });
    await put(`/datasets/${dataset}/records/${record}`, { values });
    await patch(`/datasets/${dataset}`, { columns: columns(true) });
  }

  const site = { category: 'hub', position: PLACE };
  const poi = (await make('/pois', { ...site, name: 'Open hub', visibility: 'public' })).poi.id;
  const ownPoi = (await make('/pois', { ...site, name: 'Own hub', visibility: 'business' })).poi.id;
  const layer = (layer_id: string, source: object, more: object = {}) => ({
    layer_id,
    title: layer_id,
    source,
    style: { kind: 'point' },
    shown_to: ['broker', 'driver'],
    ...more,
  });
  const layers = [
    layer('all', { pois: {} }),
    layer('doors', { dataset: { dataset_id: dataset, column: 'at' } }, { columns: ['name'] }),
  ];
  const view = { center: PLACE, zoom: 10 };
  const map = (await make('/maps', { name: 'Open map', view, layers })).map.id;
  const { public_id, token } = await make(`/maps/${map}/publish`, {});
  const ownMap = (await make('/maps', { name: 'Own map', view })).map.id;

  const order = await world.orders.order('driver');
  await patch(`/orders/${order}`, { note: 'a note' });
  const customersOrder = await world.orders.order('customer');
  const brokersOrder = await world.orders.order('broker');
  const notes = (value: string) =>
    Promise.all([order, customersOrder, brokersOrder].map((id) => patch(`/orders/${id}`, { note: value })));
  const parcel = (await good(`/orders/${order}`, 'client_admin')).json.order.packages[0].tracking_number as string;

  const warehouse = (
    await make('/wms/warehouses', { code: `H${Date.now() % 1e6}`, name: 'Hub', address: STOP, timezone: 'UTC' })
  ).warehouse.id;
  const fleet = (await make('/fleets', { name: 'Vans' })).fleet.id;
  const entry = await make('/address-book', { kind: 'recipient', address: STOP });

  const alliance = (await make('/alliances', { name: 'North' })).alliance.id;
  await make(`/alliances/${alliance}/invitations`, { business_code: 'other' });
  await make(`/alliances/${alliance}/invitations/answer`, { accept: true }, 'other_client_admin');
  const grant = (what: object) =>
    make(`/alliances/${alliance}/grants`, { to_business_id: world.otherBusinessId, ...what });
  await grant({ kind: 'datasets', filter: { dataset_ids: [dataset] } });
  for (const kind of ['orders', 'network', 'tracking']) await grant({ kind });

  const { key } = demo.provider;
  return {
    giver: world.businessId,
    ids: {
      dataset_id: dataset,
      record_id: record,
      poi_id: poi,
      order_id: order,
      tracking_number: parcel,
      map_id: map,
      layer: 'doors',
      public_id,
      token,
      warehouse_id: warehouse,
      fleet_id: fleet,
      driver_id: users.driver.id,
    },
    async keyOf(audience) {
      if (audience === 'anonymous') return undefined;
      if (audience === 'provider') return key;
      return world.keyOf((audience === 'partner' ? 'other_client_admin' : audience) as CallerKind);
    },
    hidden: [
      { name: 'hidden column', hiddenFrom: EVERYBODY, set: (value) => setRecord({ [HIDDEN_COLUMN]: value }) },
      { name: 'personal column', hiddenFrom: NOT_STAFF, set: (value) => setRecord({ keeper: value }) },
      { name: 'note of a point of interest', hiddenFrom: OUTSIDERS, set: (note) => patch(`/pois/${poi}`, { note }) },
      {
        name: 'reference of a point of interest',
        hiddenFrom: OUTSIDERS,
        set: (external_ref) => patch(`/pois/${poi}`, { external_ref }),
      },
      { name: 'point of interest', hiddenFrom: OUTSIDERS, set: (name) => patch(`/pois/${ownPoi}`, { name }) },
      { name: 'note of an order', hiddenFrom: NOT_STAFF, set: notes },
      {
        name: 'instruction of an order',
        hiddenFrom: ['partner', 'anonymous', 'provider'],
        set: (delivery_instruction) => patch(`/orders/${order}`, { delivery_instruction }),
      },
      { name: 'map', hiddenFrom: NOT_STAFF, set: (name) => patch(`/maps/${ownMap}`, { name }) },
      {
        name: 'contact of a warehouse',
        hiddenFrom: OUTSIDERS,
        set: (contact) => patch(`/wms/warehouses/${warehouse}`, { contact }),
      },
      {
        name: 'plate of a vehicle',
        hiddenFrom: NOT_STAFF,
        set: (plate) => put(`/fleets/${fleet}/vehicles`, { vehicles: [{ id: 'VAN-1', name: 'Van', plate }] }),
      },
      {
        name: 'entry of the address book',
        hiddenFrom: NOT_STAFF,
        set: (label) => patch(`/address-book/${entry.address_book_entry.id}`, { label }),
      },
      {
        name: 'profile of a driver',
        // A captain of the driver's fleet may read it, as the broker of the access table is.
        hiddenFrom: [...OUTSIDERS, 'auditor'],
        set: (address) => patch('/me/driver-info', { address }, 'driver'),
      },
    ],
  };
}

/** Checks that each row of the table is known by a unique name. */
export const expectRows = ({ hidden }: HiddenWorld): void =>
  void expect(new Set(hidden.map(({ name }) => name)).size).to.equal(hidden.length);
