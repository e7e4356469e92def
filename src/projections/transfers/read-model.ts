/** The read model of transfers between warehouses, with the state of each parcel. */
import {
  TRANSFER_EVENTS,
  TRANSFER_PREFIX,
  TransferCreated,
  type TransferMode,
  type TransferReason,
} from '../../events/transfers/events.js';
import { duesOf, transferAfter, type TransferState, type TransferStatus } from '../../events/transfers/state.js';
import { code, integer, json, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of transfers. */
export const TRANSFER_IDS = sequence('transfers', { readModel: 'transfers', table: 'transfers.transfers' });

const columns = {
  id: integer(),
  business: integer(),
  from_id: integer(),
  to_id: integer(),
  mode: text<TransferMode>(),
  reason_code: text<TransferReason>(),
  status: text<TransferStatus>(),
  /** Keyed by tracking number. */
  packages: json<TransferState['packages']>(),
  /** Number of steps that were started and whose outcome is not recorded. */
  due: integer(),
  /** Texts that users wrote, still encrypted. */
  sealed: json<SealedMembers[]>(),
  created_by: integer(),
  created_at: text(),
  updated_at: code(),
  revision: integer(),
};
export type TransferRow = RowOf<typeof columns>;

const fold = startsWith(TransferCreated, (data, event): TransferRow => {
  const { transfer_id, business, from, to, mode, reason_code, by } = data;
  const state = transferAfter(undefined, event.type, data);
  return {
    id: transfer_id,
    business,
    from_id: from,
    to_id: to,
    mode,
    reason_code,
    status: state.status,
    packages: state.packages,
    due: duesOf(state).length,
    sealed: [sealedMembersOf(event)],
    created_by: by,
    created_at: recordedAt(event),
    updated_at: recordedAt(event),
    revision: event.revision,
  };
});
for (const type of TRANSFER_EVENTS)
  if (type.type !== TransferCreated.type)
    fold.on(type as never, (data: Record<string, unknown>, row, event) => {
      const state = transferAfter({ ...row, from: row.from_id, to: row.to_id }, type.type, data);
      const { status, packages } = state;
      const sealed = Object.keys(type.personal).length > 0 ? [...row.sealed, sealedMembersOf(event)] : row.sealed;
      return { status, packages, due: duesOf(state).length, sealed, updated_at: recordedAt(event) };
    });

export const transfers = table({
  name: 'transfers',
  version: 1,
  prefixes: [TRANSFER_PREFIX],
  columns,
  indexes: ['(business, id)', '(updated_at) where due > 0'],
  fold,
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'transfers', { 'transfers.transfers': TransferRow }> {}
}
