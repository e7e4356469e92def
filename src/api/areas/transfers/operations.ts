/** Transfers of parcels between warehouses: create, ship, arrive, complete and roll back. */
import { z } from 'zod';
import type { ExecuteTransfer } from '../../../commands/transfers/execute-transfer.js';
import type { TransferCommand, TransferChange } from '../../../commands/transfers/decider.js';
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
import type { CodeSources } from '../handling/code-matches.js';
import { scannedCode } from '../handling/op.js';
import { createResolver } from './resolver.js';
import { errorsOf, TRANSFER_VERSION, transferErrorSchema } from './shapes.js';

/** Maximum number of parcels per transfer. */
const MAX_PARCELS = 1_000;

const WRITE = {
  area: 'Warehouse Transfer',
  callers: ['client_admin', 'employee'],
  scopes: ['wms:write'],
  reads: ['transfers', 'warehouses', 'orders', 'packages_at'],
  awaits: ['transfers', 'packages_at', 'orders', 'timeline'],
  writes: true,
  risk: 'medium',
  answers: {
    404: 'There is no such transfer.',
    409: '`TRANSFER_STATE`: the status of the transfer does not allow this step.',
  },
} as const;

const transferIdInput = { transfer_id: idSchema };
const numbers = z.array(scannedCode).min(1).max(MAX_PARCELS);
const resultFields = {
  result: z.boolean(),
  errors: z.array(transferErrorSchema).describe('One entry per parcel that was rejected or not rolled back.'),
};

export interface TransfersOptions extends CodeSources {
  readonly handle: Handle<TransferCommand, TransferState>;
  readonly execute: ExecuteTransfer;
  readonly queries: TransferQueries;
  readonly warehouses: Pick<WarehouseQueries, 'isOpen'>;
  /** Number of days in which a transfer can be rolled back (warehouse R10). */
  readonly rollbackDays: number;
}

export function transferOperations({
  handle,
  execute,
  queries,
  warehouses,
  rollbackDays,
  ...meaning
}: TransfersOptions): Operation[] {
  /** Starts a step, and executes it for each parcel. */
  async function step(id: number, change: TransferChange, { caller, cause, commandId, wrote }: Context) {
    const business = businessOf(caller);
    wrote((await handle(transferStream(id), { ...change, id, business, commandId }, cause)).position);
    const { state, positions } = await execute({ id, business, by: userOf(caller).userId }, cause);
    positions.forEach(wrote);
    return state;
  }
  const { resolve, numbersOf } = createResolver(meaning);
  /** The response omits `transfer_id`; it is the input of the read whose transfer is added to the response. */
  const toResponse = (
    id: number,
    state: TransferState,
    { header }: Context,
    why: 'refused' | 'kept_back' = 'refused',
  ) => ({ result: true, transfer_id: id, errors: errorsOf(state, why, chooseLanguage(header('accept-language'))) });

  async function checkWarehouses(caller: Caller, ids: Readonly<Record<string, number>>): Promise<void> {
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
        'Use mode `book` to correct the warehouse of parcels that were received or expected at the wrong warehouse. The service moves them immediately. Use mode `ship` to transport parcels to another warehouse. The service marks the parcels. Next, call `transferShip`, `transferArrive` and `transferComplete`. Each parcel succeeds or fails separately; see `errors`.',
      rest: { method: 'post', path: '/v1/warehouse-transfers', status: 201 },
      answers: { 404: 'There is no such warehouse, or none of the parcels is known (`CODE_UNKNOWN`).' },
      input: z.object({
        from_warehouse_id: idSchema,
        to_warehouse_id: idSchema,
        tracking_numbers: numbers,
        mode: z.enum(TRANSFER_MODES).default('book'),
        reason_code: z.enum(TRANSFER_REASONS),
        note: z.string().trim().min(1).max(500).optional(),
      }),
      output: z.object({
        ...resultFields,
        moved: z.int().describe('Number of parcels that were moved or marked.'),
        skipped: z.int(),
      }),
      async run({ from_warehouse_id, to_warehouse_id, tracking_numbers, mode, reason_code, note }, context) {
        const { caller, reserveIds } = context;
        if (from_warehouse_id === to_warehouse_id) throw fieldError('SAME_WAREHOUSE', 'to_warehouse_id');
        await checkWarehouses(caller, { from_warehouse_id, to_warehouse_id });
        const { packages, errors } = await resolve(tracking_numbers, context);
        if (packages.length === 0) throw fieldError('CODE_UNKNOWN', 'tracking_numbers');
        const [id] = await reserveIds(TRANSFER_IDS, 1);
        const by = userOf(caller).userId;
        const change = { from: from_warehouse_id, to: to_warehouse_id, mode, reason_code, note, packages, by };
        const state = await step(id!, { do: 'create', ...change }, context);
        const moved = numbersAt(state, 'moved', 'marked').length;
        const response = toResponse(id!, state, context);
        return {
          ...response,
          result: moved > 0,
          moved,
          skipped: packages.length - moved + errors.length,
          errors: [...errors, ...response.errors],
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'transferShip',
      versioned: TRANSFER_VERSION,
      returns: { read: 'transfer' },
      summary: 'Ship the marked parcels of a transfer',
      description:
        'Records that the parcels left the warehouse on a vehicle. Next, record arrivals with `transferArrive`.',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/ship' },
      input: z.object({
        ...transferIdInput,
        seal: z.string().trim().min(1).max(64).optional(),
        vehicle: z.string().trim().min(1).max(64).optional(),
      }),
      output: z.object({ ...resultFields, shipped: z.int() }),
      async run({ transfer_id, seal, vehicle }, context) {
        const by = userOf(context.caller).userId;
        const state = await step(transfer_id, { do: 'ship', seal, vehicle, by }, context);
        return { ...toResponse(transfer_id, state, context), shipped: numbersAt(state, 'shipped').length };
      },
    }),
    operation({
      ...WRITE,
      name: 'transferArrive',
      versioned: TRANSFER_VERSION,
      returns: { read: 'transfer' },
      summary: 'Record parcels of a transfer as arrived',
      description:
        'Call it for each scan, or for several scans, at the destination. When no more parcels will arrive, call `transferComplete`.',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/arrive' },
      input: z.object({ ...transferIdInput, tracking_numbers: numbers }),
      output: z.object({
        ...resultFields,
        arrived: z.int(),
        missing: z.int().describe('Number of shipped parcels that have not arrived yet.'),
      }),
      async run({ transfer_id, tracking_numbers }, context) {
        const { packages, errors } = await resolve(tracking_numbers, context);
        const by = userOf(context.caller).userId;
        const scanned = packages.map(({ tracking_number }) => tracking_number);
        const state = await step(transfer_id, { do: 'arrive', tracking_numbers: scanned, by }, context);
        const language = chooseLanguage(context.header('accept-language'));
        const unknownParcels = packages
          .filter(({ tracking_number }) => state.packages[tracking_number] === undefined)
          .map((parcel) => ({
            ...parcel,
            code: 'UNKNOWN_PACKAGE',
            message: translate('UNKNOWN_PACKAGE', {}, language),
          }));
        const response = toResponse(transfer_id, state, context);
        return {
          ...response,
          errors: [...errors, ...unknownParcels, ...response.errors],
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
      summary: 'Complete a transfer',
      description:
        'Use this operation when no more parcels will arrive. Parcels that have not arrived are recorded as missing.',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/complete' },
      input: z.object(transferIdInput),
      output: z.object({ ...resultFields, arrived: z.int(), missing: z.int() }),
      async run({ transfer_id }, context) {
        const by = userOf(context.caller).userId;
        const state = await step(transfer_id, { do: 'complete', by }, context);
        return {
          ...toResponse(transfer_id, state, context),
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
      summary: 'Roll back a transfer',
      description:
        'Returns the parcels to the original warehouse. Parcels that were handled after the transfer are not rolled back. `errors` lists them. A transfer can be rolled back for `TRANSFER_ROLLBACK_DAYS` (7) days after its creation (`TRANSFER_TOO_OLD`). The history shows both the transfer and the rollback. Repeated calls return the same result. If a number is not part of the transfer, the service rejects the whole request (`NOT_OF_TRANSFER`).',
      rest: { method: 'post', path: '/v1/warehouse-transfers/:transfer_id/rollback' },
      risk: 'high',
      confirm: true,
      input: z.object({
        ...transferIdInput,
        reason: z.string().trim().min(1).max(255),
        tracking_numbers: numbers.optional().describe('Parcels to roll back. Default: all parcels of the transfer.'),
      }),
      output: z.object({ ...resultFields, rolled_back: z.int(), kept: z.int() }),
      async run({ transfer_id, reason, tracking_numbers }, context) {
        const { caller, time } = context;
        const found = await queries.byId(transfer_id, businessOf(caller));
        if (!found) throw new ApiError('TRANSFER_NOT_FOUND');
        const hasBegun = found.status === 'rolling_back' || found.status === 'rolled_back';
        if (!hasBegun && time - Date.parse(found.created_at) > rollbackDays * 86_400_000)
          throw new ApiError('TRANSFER_TOO_OLD', { params: { days: rollbackDays } });
        const chosen = hasBegun ? undefined : tracking_numbers && (await numbersOf(tracking_numbers, found, context));
        const change = { do: 'rollback', reason, tracking_numbers: chosen, by: userOf(caller).userId } as const;
        const state = await step(transfer_id, change, context);
        return {
          ...toResponse(transfer_id, state, context, 'kept_back'),
          rolled_back: numbersAt(state, 'rolled_back').length,
          kept: numbersAt(state, 'kept_back').length,
        };
      },
    }),
  ];
}
