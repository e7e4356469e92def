/** Transfers of parcels between warehouses: made, driven, taken back, read. */
import { z } from 'zod';
import type { CarryOut } from '../../../commands/transfers/carry-out.js';
import type { TransferCommand, TransferWish } from '../../../commands/transfers/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { TRANSFER_MODES, TRANSFER_REASONS, transferStream } from '../../../events/transfers/events.js';
import { numbersAt, type TransferState } from '../../../events/transfers/state.js';
import type { TransferQueries } from '../../../projections/transfers/queries.js';
import { TRANSFER_IDS } from '../../../projections/transfers/read-model.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { MeaningOptions } from '../handling/meaning.js';
import { scannedCode } from '../handling/op.js';
import { createResolver } from './resolving.js';
import { errorsOf, TRANSFER_VERSION, transferErrorSchema } from './shapes.js';

/** Parcels of one transfer. */
const MOST_PARCELS = 1_000;

const WRITE = {
  area: 'Warehouse Transfer',
  callers: ['client_admin', 'employee'],
  scopes: ['wms:write'],
  reads: ['transfers', 'warehouses', 'orders', 'packages_at'],
  awaits: ['transfers', 'packages_at', 'orders', 'timeline'],
  writes: true,
  risk: 'medium',
  answers: { 404: 'There is no such transfer.', 409: 'The transfer is not in a status that allows it.' },
} as const;

const which = { transfer_id: idSchema };
const numbers = z.array(scannedCode).min(1).max(MOST_PARCELS);
const told = {
  result: z.boolean(),
  errors: z.array(transferErrorSchema).describe('One per parcel that was refused or kept.'),
};

export interface TransfersOptions extends MeaningOptions {
  readonly handle: Handle<TransferCommand, TransferState>;
  readonly carryOut: CarryOut;
  readonly queries: TransferQueries;
  readonly warehouses: Pick<WarehouseQueries, 'isOpen'>;
  /** How long a transfer can be taken back (warehouse R10). */
  readonly rollbackDays: number;
}

export function transferOperations({
  handle,
  carryOut,
  queries,
  warehouses,
  rollbackDays,
  ...meaning
}: TransfersOptions): Operation[] {
  /** Begins a step, and does it parcel by parcel. */
  async function step(id: number, wish: TransferWish, { caller, cause, commandId, wrote }: Context) {
    const business = businessOf(caller);
    wrote((await handle(transferStream(id), { ...wish, id, business, commandId }, cause)).position);
    const { state, positions } = await carryOut({ id, business, by: userOf(caller).userId }, cause);
    positions.forEach(wrote);
    return state;
  }
  const { resolve, numbersOf } = createResolver(meaning);
  /** `transfer_id` is not in the response: by it the transfer is read that is returned. */
  const answer = (id: number, state: TransferState, { header }: Context, why: 'refused' | 'kept_back' = 'refused') => ({
    result: true,
    transfer_id: id,
    errors: errorsOf(state, why, chooseLanguage(header('accept-language'))),
  });

  async function mustBeOurs(caller: Caller, ids: Readonly<Record<string, number>>): Promise<void> {
    for (const [field, id] of Object.entries(ids))
      if (!(await warehouses.isOpen(id, businessOf(caller)))) throw fieldError('WAREHOUSE_NOT_FOUND', field);
  }

  return [
    operation({
      ...WRITE,
      name: 'transferCreate',
      returns: { read: 'transfer' },
      summary: 'Transfer parcels to another warehouse',
      description:
        '`book` moves at once what was received, or expected, at the wrong place. `ship` marks the parcels; they move with ship, arrive and complete. Each parcel is judged for itself.',
      rest: { method: 'post', path: '/v1/warehouse-transfers', status: 201 },
      answers: { 404: 'No such warehouse, or none of the parcels is known.' },
      input: z.object({
        from_warehouse_id: idSchema,
        to_warehouse_id: idSchema,
        tracking_numbers: numbers,
        mode: z.enum(TRANSFER_MODES).default('book'),
        reason_code: z.enum(TRANSFER_REASONS),
        note: z.string().trim().min(1).max(500).optional(),
      }),
      output: z.object({ ...told, moved: z.int().describe('Or marked.'), skipped: z.int() }),
      async run({ from_warehouse_id, to_warehouse_id, tracking_numbers, mode, reason_code, note }, context) {
        const { caller, reserveIds } = context;
        if (from_warehouse_id === to_warehouse_id) throw fieldError('SAME_WAREHOUSE', 'to_warehouse_id');
        await mustBeOurs(caller, { from_warehouse_id, to_warehouse_id });
        const { packages, errors } = await resolve(tracking_numbers, context);
        if (packages.length === 0) throw fieldError('CODE_UNKNOWN', 'tracking_numbers');
        const [id] = await reserveIds(TRANSFER_IDS, 1);
        const by = userOf(caller).userId;
        const wish = { from: from_warehouse_id, to: to_warehouse_id, mode, reason_code, note, packages, by };
        const state = await step(id!, { do: 'create', ...wish }, context);
        const moved = numbersAt(state, 'moved', 'marked').length;
        const told = answer(id!, state, context);
        return {
          ...told,
          result: moved > 0,
          moved,
          skipped: packages.length - moved + errors.length,
          errors: [...errors, ...told.errors],
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'transferShip',
      versioned: TRANSFER_VERSION,
      returns: { read: 'transfer' },
      summary: 'The marked parcels leave on a vehicle',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/ship' },
      input: z.object({
        ...which,
        seal: z.string().trim().min(1).max(64).optional(),
        vehicle: z.string().trim().min(1).max(64).optional(),
      }),
      output: z.object({ ...told, shipped: z.int() }),
      async run({ transfer_id, seal, vehicle }, context) {
        const by = userOf(context.caller).userId;
        const state = await step(transfer_id, { do: 'ship', seal, vehicle, by }, context);
        return { ...answer(transfer_id, state, context), shipped: numbersAt(state, 'shipped').length };
      },
    }),
    operation({
      ...WRITE,
      name: 'transferArrive',
      versioned: TRANSFER_VERSION,
      returns: { read: 'transfer' },
      summary: 'Record parcels of a transfer as arrived',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/arrive' },
      input: z.object({ ...which, tracking_numbers: numbers }),
      output: z.object({ ...told, arrived: z.int(), missing: z.int().describe('Not arrived yet.') }),
      async run({ transfer_id, tracking_numbers }, context) {
        const { packages, errors } = await resolve(tracking_numbers, context);
        const by = userOf(context.caller).userId;
        const scanned = packages.map(({ tracking_number }) => tracking_number);
        const state = await step(transfer_id, { do: 'arrive', tracking_numbers: scanned, by }, context);
        const language = chooseLanguage(context.header('accept-language'));
        const strangers = packages
          .filter(({ tracking_number }) => state.packages[tracking_number] === undefined)
          .map((parcel) => ({
            ...parcel,
            code: 'UNKNOWN_PACKAGE',
            message: translate('UNKNOWN_PACKAGE', {}, language),
          }));
        const told = answer(transfer_id, state, context);
        return {
          ...told,
          errors: [...errors, ...strangers, ...told.errors],
          arrived: numbersAt(state, 'arrived').length,
          missing: numbersAt(state, 'shipped').length,
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'transferComplete',
      versioned: TRANSFER_VERSION,
      returns: { read: 'transfer' },
      summary: 'Everything has arrived that will: the rest is missing',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/complete' },
      input: z.object(which),
      output: z.object({ ...told, arrived: z.int(), missing: z.int() }),
      async run({ transfer_id }, context) {
        const by = userOf(context.caller).userId;
        const state = await step(transfer_id, { do: 'complete', by }, context);
        return {
          ...answer(transfer_id, state, context),
          arrived: numbersAt(state, 'arrived').length,
          missing: numbersAt(state, 'missing').length,
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'transferRollback',
      versioned: TRANSFER_VERSION,
      returns: { read: 'transfer' },
      summary: 'Take a transfer back, but for what went on since',
      description:
        'Within `TRANSFER_ROLLBACK_DAYS` (7) days. History shows both. Asked for again it answers the same. A number that is not of the transfer is refused, before anything is taken back.',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/rollback' },
      risk: 'high',
      confirm: true,
      input: z.object({
        ...which,
        reason: z.string().trim().min(1).max(255),
        tracking_numbers: numbers.optional().describe('Absent: all.'),
      }),
      output: z.object({ ...told, rolled_back: z.int(), kept: z.int() }),
      async run({ transfer_id, reason, tracking_numbers }, context) {
        const { caller, time } = context;
        const found = await queries.byId(transfer_id, businessOf(caller));
        if (!found) throw new ApiError('TRANSFER_NOT_FOUND');
        const isBegun = found.status === 'rolling_back' || found.status === 'rolled_back';
        if (!isBegun && time - Date.parse(found.created_at) > rollbackDays * 86_400_000)
          throw new ApiError('TRANSFER_TOO_OLD', { params: { days: rollbackDays } });
        const chosen = isBegun ? undefined : tracking_numbers && (await numbersOf(tracking_numbers, found, context));
        const wish = { do: 'rollback', reason, tracking_numbers: chosen, by: userOf(caller).userId } as const;
        const state = await step(transfer_id, wish, context);
        return {
          ...answer(transfer_id, state, context, 'kept_back'),
          rolled_back: numbersAt(state, 'rolled_back').length,
          kept: numbersAt(state, 'kept_back').length,
        };
      },
    }),
  ];
}
