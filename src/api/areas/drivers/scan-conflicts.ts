/** Scans that contradicted their order: listing and settling them, and superseding wrong scans. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { compact } from '../../../events/core/compact.js';
import { CONFLICT_CODES, orderStream, SCAN_DECISIONS } from '../../../events/orders/events.js';
import type { Custody } from '../../../commands/orders/command.js';
import { instantAt, type Instant } from '../../../events/otep/time.js';
import type { CustodyQueries } from '../../../projections/orders/custody.js';
import type { OpenedConflict, ScanConflictQueries } from '../../../projections/orders/scan-conflicts.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { positionSchema } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { RELATIONS } from '../../core/relations.js';
import { ORDER_VERSION } from '../orders/version.js';
import type { Returns } from '../return-reasons/returns.js';
import { returnOfScan, scanMembers, scanOf } from './scanning.js';

const conflictSchema = z
  .object({
    id: z.string(),
    order_id: z.int(),
    code: z.enum(CONFLICT_CODES).describe('Why the scan contradicts the order.'),
    status: z.enum(['open', 'applied', 'discarded']),
    tracking_number: z.string(),
    status_code: z.string().describe('OTEP status code of the scan.'),
    occurred_at: z.string(),
    recorded_at: z.string(),
    scanned_by: z
      .int()
      .nullable()
      .describe('User id of the staff member or driver who scanned. Null: a carrier scanned.'),
    driver_id: z.int().nullable().describe('Null: a scan by staff or by a carrier.'),
    provider: z.string().nullable().describe('Provider id of the carrier.'),
    reason_code: z.string().nullable(),
    position: positionSchema.nullable(),
    photos: z.array(z.string()),
    note: z.string().nullable(),
    settled_by: z.int().nullable(),
    settled_at: z.string().nullable(),
    reason: z.string().nullable().describe('Reason of the decision.'),
  })
  .meta({ id: 'OrderScanConflict' })
  .register(RELATIONS, { order: 'order', driver: 'driver' });

const STATUS = { apply: 'applied', discard: 'discarded' } as const;

const toConflict = ({
  business: _business,
  n: _n,
  decision,
  gps,
  photos = [],
  note,
  return_note: _returnNote,
  reason,
  ...row
}: OpenedConflict): z.infer<typeof conflictSchema> => ({
  ...row,
  status: decision === null ? 'open' : STATUS[decision],
  position: gps ?? null,
  photos: [...photos],
  note: note ?? null,
  reason: reason ?? null,
});

/** Drivers see their own scans. */
const ownOf = (caller: Caller): number | undefined =>
  userOf(caller).role === 'driver' ? userOf(caller).userId : undefined;

export interface ScanConflictOptions {
  readonly commands: Pick<Commands, 'orders'>;
  readonly conflicts: ScanConflictQueries;
  readonly custody: Pick<CustodyQueries, 'ofOrder'>;
  readonly returns: Returns;
}

export function scanConflictOperations({ commands, conflicts, custody, returns }: ScanConflictOptions): Operation[] {
  /** When a driver had the order of a scan from `instant`. */
  async function custodyOf(orderId: number, driverId: number, instant: Instant, now: Instant): Promise<Custody> {
    if (await custody.ofOrder(orderId, driverId, now)) return 'now';
    return (await custody.ofOrder(orderId, driverId, instant)) ? 'then' : 'earlier';
  }

  async function conflictOf(id: string, caller: Caller): Promise<OpenedConflict> {
    const found = await conflicts.byId(id, businessOf(caller));
    const own = ownOf(caller);
    if (!found || (own !== undefined && found.scanned_by !== own)) throw new ApiError('SCAN_NOT_FOUND');
    return found;
  }

  return [
    operation({
      name: 'scanConflicts',
      area: 'Driver',
      summary: 'List scans that contradict their orders, oldest first',
      description:
        'Lists the scans of drivers, staff and carriers that could not be applied, because the driver was replaced or the order had ended. Drivers see their own scans and the decisions on them.',
      rest: { method: 'get', path: '/v1/scan-conflicts' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['orders:read'],
      reads: ['scan_conflicts'],
      input: z.object({
        order_id: idSchema.optional(),
        settled: z
          .boolean()
          .optional()
          .describe('True: return only settled conflicts. False: return only open conflicts. Default: all conflicts.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, scan_conflicts: z.array(conflictSchema) }),
      async run({ order_id, settled, ...page }, { caller }) {
        const filter = { ...rangeOf(page), orderId: order_id, settled, scannedBy: ownOf(caller) };
        const { conflicts: rows, ...found } = await conflicts.list(filter, businessOf(caller));
        return { ...pageOf(page, found), scan_conflicts: rows.map(toConflict) };
      },
    }),
    operation({
      name: 'scanConflict',
      area: 'Driver',
      summary: 'Get a scan that contradicts its order',
      description: 'Returns the scan, the reason of the conflict, and the decision of the office.',
      rest: { method: 'get', path: '/v1/scan-conflicts/:scan_conflict_id' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['orders:read'],
      reads: ['scan_conflicts'],
      answers: { 404: 'There is no such conflict (`SCAN_NOT_FOUND`).' },
      input: z.object({ scan_conflict_id: z.guid().toLowerCase() }),
      output: z.object({ result: z.boolean(), scan_conflict: conflictSchema }),
      async run({ scan_conflict_id }, { caller }) {
        return { result: true, scan_conflict: toConflict(await conflictOf(scan_conflict_id, caller)) };
      },
    }),
    operation({
      name: 'scanConflictSettle',
      returns: { read: 'scanConflict' },
      area: 'Driver',
      summary: 'Apply or discard a scan that contradicts its order',
      description:
        '`apply` records the scan: an order that was cancelled becomes delivered, returned or rejected if the scan says so. `discard` closes the conflict. The scan then stays only in the history.',
      rest: { method: 'post', path: '/v1/scan-conflicts/:scan_conflict_id/settle' },
      callers: ['client_admin', 'employee'],
      scopes: ['orders:write'],
      risk: 'medium',
      writes: true,
      reads: ['scan_conflicts'],
      awaits: ['orders', 'timeline', 'scan_conflicts'],
      answers: {
        404: 'There is no such conflict (`SCAN_NOT_FOUND`).',
        409: 'The conflict was settled with the other decision (`SCAN_SETTLED`).',
      },
      input: z.object({
        scan_conflict_id: z.guid().toLowerCase(),
        decision: z.enum(SCAN_DECISIONS),
        reason: z.string().trim().min(1).max(255),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ scan_conflict_id, decision, reason }, { caller, cause, commandId, wrote }) {
        const { order_id, gps, photos, note, return_note } = await conflictOf(scan_conflict_id, caller);
        const { position } = await commands.orders(
          orderStream(order_id),
          {
            do: 'settle_scan',
            commandId,
            orderId: order_id,
            business: businessOf(caller),
            by: userOf(caller).userId,
            conflictId: scan_conflict_id,
            decision,
            reason,
            content: compact({ gps, photos, note, return_note }),
          },
          cause,
        );
        wrote(position);
        return { result: true };
      },
    }),
    operation({
      name: 'scanSupersede',
      returns: { read: 'order', mayBeHidden: true },
      area: 'Driver',
      summary: 'Correct a wrong scan',
      description:
        'The scan stays in the history, but no longer counts. The timeline retracts it, and the order gets the status that it would have without this scan. `replacement` is the correct scan. Staff can correct all scans of drivers and staff. Drivers can correct only their own scans.',
      rest: { method: 'post', path: '/v1/orders/:order_id/scans/:scan_id/supersede' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['orders:write'],
      risk: 'medium',
      writes: true,
      versioned: ORDER_VERSION,
      reads: ['return_reasons'],
      awaits: ['orders', 'timeline', 'packages_at'],
      answers: {
        404: 'There is no such order, or it has no such scan (`SCAN_NOT_FOUND`).',
        409: 'The scan was already superseded (`SCAN_SUPERSEDED`), the replacement contradicts the order, or the driver did not have the order at the time of the replacement (`DRIVER_REPLACED`).',
      },
      input: z.object({
        order_id: idSchema,
        scan_id: z.guid().toLowerCase().describe('Id of the scan: `event_id` in the timeline.'),
        reason: z.string().trim().min(1).max(255),
        replacement: z.strictObject(scanMembers).optional(),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ order_id, scan_id, reason, replacement }, { caller, cause, commandId, time, wrote }) {
        const { role, userId } = userOf(caller);
        const isDriver = role === 'driver';
        const of = { business: businessOf(caller), userId, orderId: order_id, path: '/replacement' };
        const scan = replacement && {
          ...scanOf(replacement, time, of.path),
          ...(await returnOfScan(replacement, of, returns)),
        };
        const driven = isDriver &&
          scan && { driverId: userId, custody: await custodyOf(order_id, userId, scan.instant, instantAt(time)) };
        const { position } = await commands.orders(
          orderStream(order_id),
          {
            do: 'supersede_scan',
            commandId,
            orderId: order_id,
            business: businessOf(caller),
            by: userId,
            scanId: scan_id,
            own: isDriver,
            reason,
            ...(scan && { replacement: { ...scan, ...driven } }),
          },
          cause,
        );
        wrote(position);
        if (replacement && !cause.dryRun) await returns.keepPhoto(replacement, order_id);
        return { result: true };
      },
    }),
  ];
}
