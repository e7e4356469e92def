/** Transfers in responses. */
import { z } from 'zod';
import { TRANSFER_MODES, TRANSFER_REASONS, transferStream } from '../../../events/transfers/events.js';
import { TRANSFER_STATUSES, TRANSFERRED, type TransferState } from '../../../events/transfers/state.js';
import type { Transfer } from '../../../projections/transfers/queries.js';
import { translate, type Language, type MessageCode } from '../../core/messages/index.js';
import { RELATIONS } from '../../core/relations.js';
import { versionBy, versionSchema } from '../../core/versions.js';

const text = z.string();

const transferredSchema = z
  .object({
    order_id: z.int(),
    tracking_number: text,
    status: z.enum(TRANSFERRED),
    code: text.optional().describe('Reason why the parcel was refused or was not rolled back.'),
  })
  .meta({ id: 'TransferParcel' })
  .register(RELATIONS, { order: 'order' });

export const transferSchema = z
  .object({
    id: z.int(),
    from_warehouse_id: z.int(),
    to_warehouse_id: z.int(),
    mode: z.enum(TRANSFER_MODES),
    status: z.enum(TRANSFER_STATUSES),
    reason_code: z.enum(TRANSFER_REASONS),
    note: text.nullable(),
    package_count: z.int(),
    created_by: z.int(),
    created_at: text,
    updated_at: text,
    version: versionSchema,
    parcels: z
      .array(transferredSchema)
      .optional()
      .describe('Parcels of the transfer. Lists of transfers do not contain them.'),
  })
  .meta({ id: 'Transfer' })
  .register(RELATIONS, { from_warehouse: 'warehouse', to_warehouse: 'warehouse' });

export const TRANSFER_VERSION = versionBy('transfer_id', transferStream);
export const transferErrorSchema = z
  .object({ order_id: z.int().nullable(), tracking_number: text, code: text, message: text })
  .meta({ id: 'TransferError' });
export type TransferError = z.infer<typeof transferErrorSchema>;

export const toTransfer = (row: Transfer): z.infer<typeof transferSchema> => ({
  id: row.id,
  from_warehouse_id: row.from_id,
  to_warehouse_id: row.to_id,
  mode: row.mode,
  status: row.status,
  reason_code: row.reason_code,
  note: row.note ?? null,
  package_count: Object.keys(row.packages).length,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  version: row.revision,
});

export const toTransferred = (packages: TransferState['packages']): z.infer<typeof transferredSchema>[] =>
  Object.entries(packages).map(([tracking_number, { order_id, at, code }]) => ({
    order_id,
    tracking_number,
    status: at,
    ...(code !== undefined && { code }),
  }));

/** One entry per parcel that was rejected or not rolled back. */
export const errorsOf = (
  { packages }: TransferState,
  status: 'refused' | 'kept_back',
  language: Language,
): TransferError[] =>
  Object.entries(packages).flatMap(([tracking_number, { order_id, at, code }]) =>
    at !== status || code === undefined
      ? []
      : [{ order_id, tracking_number, code, message: translate(code as MessageCode, {}, language) }],
  );
