/** Package scans by drivers and staff. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import { orderStream, SCAN_CODES } from '../../../events/orders/events.js';
import { normalizeNumber } from '../../../events/otep/check/subject.js';
import { INCIDENT_REASONS } from '../../../events/otep/reasons.js';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import { isFinal } from '../../../events/orders/status.js';
import type { Order } from '../../../projections/orders/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { positionInput } from '../../core/geo.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';

/** Scans may be this far in the future, because clocks of phones are not exact. */
const MAX_AHEAD_HOURS = 1;
export function scanOperations({
  commands,
  orders,
}: Parts<'orders'> & { commands: Pick<Commands, 'orders'> }): Operation[] {
  return [
    operation({
      name: 'driverScan',
      returns: { read: 'order' },
      area: 'Driver',
      summary: 'Record a package scan by a driver or staff',
      description:
        'Drivers can scan packages on their routes, staff all packages of the business. Updates the status of the order and its timeline.',
      rest: { method: 'post', path: '/v1/scans' },
      callers: ['driver', 'client_admin', 'employee'],
      scopes: ['orders:write'],
      writes: true,
      awaits: ['orders', 'timeline'],
      answers: {
        404: 'There is no such package, or it is on no route of the driver.',
        409: 'The order has ended, the package was delivered (`ALREADY_DELIVERED`), or several packages have this number (`AMBIGUOUS_NUMBER`).',
      },
      input: z.object({
        tracking_number: z.string().trim().min(1).max(64),
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
      }),
      output: z.object({ result: z.boolean() }),
      async run({ tracking_number, occurred_at, position: place, ...scan }, { caller, cause, commandId, time, wrote }) {
        const instant = instantOf(occurred_at);
        if (instant === null) throw invalidTime('INVALID_TIME');
        if (millisOf(instant) > time + MAX_AHEAD_HOURS * 3_600_000)
          throw invalidTime('TOO_FAR_AHEAD', { hours: MAX_AHEAD_HOURS });
        const { role, userId } = userOf(caller);
        const business = businessOf(caller);
        const number = normalizeNumber(tracking_number) ?? tracking_number;
        // A package on no route of the driver gives the same error as one that does not exist.
        const viewer = { business, ...(role === 'driver' && { driverId: userId }) };
        const { order, scanned } = resolvePackage(number, await orders.allByTrackingNumber(number, viewer));
        const { position } = await commands.orders(
          orderStream(order.id),
          {
            do: 'scan',
            commandId,
            orderId: order.id,
            business,
            by: userId,
            tracking_number: scanned.tracking_number,
            occurred_at,
            instant,
            ...(role === 'driver' && { driverId: userId }),
            ...scan,
            ...(place && { gps: place }),
          } as OrderCommand,
          cause,
        );
        wrote(position);
        return { result: true, order_id: order.id };
      },
    }),
  ];
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

const invalidTime = (code: 'INVALID_TIME' | 'TOO_FAR_AHEAD', params = {}): ApiError =>
  new ApiError('INVALID_INPUT', { errors: [{ field: 'occurred_at', path: '/occurred_at', code, params }] });
