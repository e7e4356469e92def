/** Package scans by drivers and staff. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { dryRunOf } from '../../../commands/core/handle.js';
import type { CommandTo, OrderReply } from '../../../commands/orders/command.js';
import { factId } from '../../../commands/orders/rules.js';
import { repeated } from '../../../commands/orders/scanning.js';
import { compact } from '../../../events/core/compact.js';
import { orderStream, PackageScanKept, RETURN_CODES, SCAN_CODES } from '../../../events/orders/events.js';
import { normalizeNumber } from '../../../events/otep/check/subject.js';
import { INCIDENT_REASONS } from '../../../events/otep/reasons.js';
import { instantOf, millisOf, type Instant } from '../../../events/otep/time.js';
import { isFinal } from '../../../events/orders/status.js';
import type { CustodyQueries } from '../../../projections/orders/custody.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { ScanConflictQueries } from '../../../projections/orders/scan-conflicts.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, invalidForm } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { excessOf, isLimitedReporter, OPEN_SCAN_DAYS, tooManyOpenScans } from '../../core/open-scans.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { returnInput, type ReturnOf, type Returns } from '../return-reasons/returns.js';

/** Scans may be this far in the future, because clocks of phones are not exact. */
const MAX_AHEAD_HOURS = 1;
/** The office decides on later reports by a driver whose order another driver has now. */
const MAX_DELAY_HOURS = 72;
/** Orders of a business whose package may have an external number, and that are compared with a driver's routes. */
const MAX_CANDIDATES = 20;

export const scanMembers = {
  status_code: z.enum(SCAN_CODES as [string, ...string[]]).describe('OTEP status code of the scan.'),
  occurred_at: z
    .string()
    .max(40)
    .meta({ format: 'date-time' })
    .describe('Time of the scan, RFC 3339 with offset; at most one hour in the future.'),
  reason_code: z
    .enum(INCIDENT_REASONS.map(({ code }) => code) as [string, ...string[]])
    .optional()
    .describe('OTEP incident reason code.'),
  position: positionInput.optional(),
  photos: z
    .array(z.url({ protocol: /^https$/ }).max(2_000))
    .max(10)
    .optional()
    .describe('URLs of photos. The service stores them but never fetches them.'),
  note: z.string().trim().min(1).max(500).optional(),
  ...returnInput,
};
type ScanInput = z.infer<z.ZodObject<typeof scanMembers>>;

/** The members of a scan as commands take them. Throws INVALID_INPUT at `path` for an impossible time. */
export function scanOf({ position, occurred_at, ...given }: ScanInput, now: number, path = '') {
  const { return_reason: _reason, return_note: _note, return_photo: _photo, ...scan } = given;
  const invalidTime = (code: 'INVALID_TIME' | 'TOO_FAR_AHEAD', params = {}) =>
    new ApiError('INVALID_INPUT', { errors: [{ field: 'occurred_at', path: `${path}/occurred_at`, code, params }] });
  const instant = instantOf(occurred_at);
  if (instant === null) throw invalidTime('INVALID_TIME');
  if (millisOf(instant) > now + MAX_AHEAD_HOURS * 3_600_000)
    throw invalidTime('TOO_FAR_AHEAD', { hours: MAX_AHEAD_HOURS });
  return { ...scan, occurred_at, instant, ...(position && { gps: position }) };
}

const scanSchema = z
  .object({
    id: z.string().describe('Id of the scan in the timeline; for a conflict, id of the conflict.'),
    outcome: z
      .enum(['applied', 'duplicate', 'conflict'])
      .describe('`conflict`: the scan contradicts the order. The service keeps it until the office settles it.'),
    code: z.string().optional().describe('Reason of the conflict.'),
    message: z.string().optional(),
  })
  .meta({ id: 'Scan' });

/**
 * The members of a scan that say why a parcel comes back. The incident reason follows from the return reason, unless
 * the scan has an incident reason. Throws like `Returns.check`, and INVALID_INPUT if the scan is no return.
 */
export async function returnOfScan(input: ScanInput, of: ReturnOf, returns: Pick<Returns, 'check'>) {
  const { members, incidentReason } = await returns.check(input, of);
  if (members.return_reason && !RETURN_CODES.has(input.status_code))
    throw invalidForm(
      'return_reason',
      `absent unless \`status_code\` is one of ${[...RETURN_CODES].join(', ')}`,
      `${of.path ?? ''}/return_reason`,
    );
  const reason_code = input.reason_code ?? incidentReason;
  return compact({ ...members, reason_code });
}

export interface ScanOptions extends Parts<'orders'> {
  readonly commands: Pick<Commands, 'orders'>;
  readonly custody: Pick<CustodyQueries, 'ofOrder'>;
  readonly conflicts: Pick<ScanConflictQueries, 'countOpen'>;
  readonly returns: Returns;
}

export function scanOperations({ commands, orders, custody, conflicts, returns }: ScanOptions): Operation[] {
  /** Throws TOO_MANY_OPEN_SCANS if the scan would be another conflict of a driver with too many. */
  async function expectRoom(
    command: CommandTo<'scan'>,
    { caller, cause, time }: Pick<Context, 'caller' | 'cause' | 'time'>,
  ) {
    if (!isLimitedReporter(caller)) return;
    const since = new Date(time - OPEN_SCAN_DAYS * 86_400_000).toISOString();
    const { own, all } = await conflicts.countOpen(command.business, command.by!, since);
    if (excessOf({ own: own + 1, all: all + 1 }) === 0) return;
    const dryRun = dryRunOf(cause);
    await commands.orders(orderStream(command.orderId), command, dryRun);
    if (dryRun.dryRun!.some(({ fact }) => fact.type.type === PackageScanKept.type)) throw tooManyOpenScans();
  }

  /** The package with this number, and when the driver had its order. Throws like `resolvePackage`. */
  async function packageOf(
    number: string,
    { instant, now }: { readonly instant: Instant; readonly now: number },
    business: number,
    driverId: number | undefined,
  ) {
    const present = await orders.allByTrackingNumber(number, { business, ...(driverId !== undefined && { driverId }) });
    if (driverId === undefined) return resolvePackage(number, present);
    if (present.length > 0) return { ...resolvePackage(number, present), custody: 'now' as const };
    const candidates = (await orders.allByTrackingNumber(number, { business })).slice(0, MAX_CANDIDATES);
    const had = await Promise.all(candidates.map(({ id }) => custody.ofOrder(id, driverId, instant)));
    // A package that was on no route of the driver gives the same error as one that does not exist.
    const [then, earlier] = [true, false].map((wanted) => candidates.filter((_, index) => had[index] === wanted));
    if (then!.length === 0) return { ...resolvePackage(number, earlier!), custody: 'earlier' as const };
    const isRecent = now - millisOf(instant) <= MAX_DELAY_HOURS * 3_600_000;
    return { ...resolvePackage(number, then!), custody: isRecent ? ('then' as const) : ('earlier' as const) };
  }

  return [
    operation({
      name: 'driverScan',
      returns: { read: 'order', mayBeHidden: true },
      area: 'Driver',
      summary: 'Record a package scan by a driver or staff',
      description:
        'Drivers can scan packages that are or were on their routes. Staff can scan all packages of the business. Updates the status of the order and its timeline. The service compares each scan with the state of the order at the time of the scan. It keeps a scan that contradicts the order as a conflict (`scanConflicts`).',
      rest: { method: 'post', path: '/v1/scans' },
      callers: ['driver', 'client_admin', 'employee'],
      scopes: ['orders:write'],
      writes: true,
      reads: ['return_reasons'],
      awaits: ['orders', 'timeline', 'scan_conflicts'],
      answers: {
        404: 'There is no such package, or it was on no route of the driver.',
        429: 'Too many requests per second (`RATE_LIMITED`), or too many scans of the driver are unsettled conflicts (`TOO_MANY_OPEN_SCANS`).',
        409: 'Several packages have this number (`AMBIGUOUS_NUMBER`).',
        422: 'The business has no such return reason, or it is retired (`UNKNOWN_RETURN_REASON`).',
      },
      input: z.object({ tracking_number: z.string().trim().min(1).max(64), ...scanMembers }),
      output: z.object({
        result: z.boolean().describe('Whether the scan was applied by this request or by an earlier one.'),
        scan: scanSchema,
      }),
      async run({ tracking_number, ...given }, { caller, cause, commandId, time, wrote, header }) {
        const scan = scanOf(given, time);
        const { role, userId } = userOf(caller);
        const business = businessOf(caller);
        const number = normalizeNumber(tracking_number) ?? tracking_number;
        const driverId = role === 'driver' ? userId : undefined;
        const { order, scanned, ...had } = await packageOf(
          number,
          { instant: scan.instant, now: time },
          business,
          driverId,
        );
        const command = {
          do: 'scan',
          commandId,
          orderId: order.id,
          business,
          by: userId,
          tracking_number: scanned.tracking_number,
          ...(driverId !== undefined && { driverId }),
          ...had,
          ...scan,
          ...(await returnOfScan(given as ScanInput, { business, userId, orderId: order.id }, returns)),
        } as CommandTo<'scan'>;
        await expectRoom(command, { caller, cause, time });
        const { reply, position } = await commands.orders(orderStream(order.id), command, cause);
        wrote(position);
        if (!cause.dryRun) await returns.keepPhoto(given, order.id);
        const { code, ...outcome } = outcomeOf(reply, command);
        const language = chooseLanguage(header('accept-language'));
        return {
          result: outcome.outcome !== 'conflict',
          scan: {
            ...outcome,
            ...(code !== undefined && { code, message: translate(code, { status: reply.status }, language) }),
          },
          order_id: order.id,
        };
      },
    }),
  ];
}

/** What became of a scan. A repetition gets the outcome of the first scan. */
function outcomeOf({ history }: OrderReply, command: CommandTo<'scan'>) {
  const own = factId(command);
  const isNew = history.scans.has(own) || history.conflicts.has(own);
  const id = isNew ? own : (repeated(history, { ...command, scanned_by: command.by! }) ?? own);
  const conflict = history.conflicts.get(id);
  if (conflict && conflict.decision !== 'apply') return { id, outcome: 'conflict' as const, code: conflict.code };
  return { id, outcome: isNew ? ('applied' as const) : ('duplicate' as const) };
}

/** Finds the package with a scanned number. Throws ORDER_NOT_FOUND, and AMBIGUOUS_NUMBER if several packages match. */
function resolvePackage(number: string, found: readonly Order[]): { order: Order; scanned: Order['packages'][number] } {
  const all = found.flatMap((order) => order.packages.map((scanned) => ({ order, scanned })));
  const exactMatch = all.find(({ scanned }) => scanned.tracking_number === number);
  if (exactMatch) return exactMatch;
  const externalMatches = all.filter(({ scanned }) => scanned.external_tracking_number === number);
  const openMatches = externalMatches.filter(({ order }) => !isFinal(order.status));
  const matches = openMatches.length > 0 ? openMatches : externalMatches.slice(0, 1);
  if (matches.length === 0) throw new ApiError('ORDER_NOT_FOUND');
  if (matches.length > 1)
    throw new ApiError('AMBIGUOUS_NUMBER', {
      params: { numbers: matches.map(({ scanned }) => scanned.tracking_number).join(', ') },
      members: {
        choices: matches.map(({ order, scanned }) => ({
          order_id: order.id,
          tracking_number: scanned.tracking_number,
        })),
      },
    });
  return matches[0]!;
}
