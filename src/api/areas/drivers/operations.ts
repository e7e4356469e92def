/** Drivers, what they drive on a day, and what they scan. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import { capacitySchema, driverStream } from '../../../events/drivers/events.js';
import {
  orderStatusId,
  ORDER_STATUS_NAMES,
  orderStream,
  SCAN_CODES,
  type OrderStatus,
} from '../../../events/orders/events.js';
import { normalizeNumber } from '../../../events/otep/check/subject.js';
import { INCIDENT_REASONS } from '../../../events/otep/reasons.js';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { isFinal } from '../../../events/orders/status.js';
import type { Order, OrderQueries } from '../../../projections/orders/queries.js';
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { RouteQueries } from '../../../projections/routes/queries.js';
import type { SkillQueries } from '../../../projections/skills/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { localDate } from '../../core/local-time.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { MAX_ORDERS } from '../orders/per-order.js';
import { routeOrderSchema, routeSchema, toRoute, toRouteOrder } from '../routes/shapes.js';
import { driverSkillShown } from '../skills/operations.js';
import { hasDriver } from './workers.js';

export interface DriversOptions {
  readonly commands: Pick<Commands, 'orders' | 'drivers'>;
  readonly routes: RouteQueries;
  readonly orders: OrderQueries;
  readonly planning: PlanningQueries;
  readonly accounts: AccountQueries;
  readonly skills: Pick<SkillQueries, 'given'>;
}

/** Clocks of phones are not exact. */
const AHEAD_HOURS = 1;
/** Most routes of a driver on a day that are told. */
const MAX_ROUTES = 50;

const amount = z.number().positive().max(1_000_000);
const capacityInput = z.object({
  max_orders: z.int().min(1).max(10_000).optional(),
  max_weight: amount.optional().describe('Kilograms.'),
  max_volume: amount.optional().describe('Cubic metres.'),
});
const capacityShown = z.object(capacitySchema.shape).meta({ id: 'DriverCapacity' });

export function driverOperations({
  commands,
  routes,
  orders,
  planning,
  accounts,
  skills,
}: DriversOptions): Operation[] {
  async function needDriver(caller: Caller, driverId: number): Promise<void> {
    const { role, userId } = userOf(caller);
    if ((role === 'driver' && userId !== driverId) || !(await hasDriver(accounts, businessOf(caller), driverId)))
      throw new ApiError('DRIVER_NOT_FOUND');
  }

  return [
    operation({
      name: 'drivers',
      tag: 'Driver',
      summary: 'Drivers of the business with their capacity.',
      rest: { method: 'get', path: '/v1/drivers' },
      callers: ['client_admin', 'employee'],
      scopes: ['drivers:read'],
      reads: ['accounts', 'workers'],
      input: z.object(pageInput),
      output: z.object({
        ...pageOutput,
        drivers: z.array(
          z.object({
            driver_id: z.int(),
            name: z.string().nullable(),
            phone: z.string().nullable(),
            capacity: capacityShown.nullable().describe('Null: never set.'),
            skills: z.array(driverSkillShown).describe('As they were given: also what is over by now.'),
          }),
        ),
      }),
      async run(page, { caller }) {
        const { total, accounts: found } = await accounts.list({
          business: businessOf(caller),
          role: 'driver',
          status: 'active',
          ...rangeOf(page),
        });
        const ids = found.map(({ id }) => id);
        const [capacities, given] = await Promise.all([planning.capacities(ids), skills.given(ids)]);
        return {
          ...pageOf(page, total),
          drivers: found.map(({ id, name = null, phone = null }) => ({
            driver_id: id,
            name,
            phone,
            capacity: capacities.get(id) ?? null,
            skills: [...(given.get(id) ?? [])],
          })),
        };
      },
    }),

    operation({
      name: 'driverCapacitySet',
      tag: 'Driver',
      summary: "Say what a driver's vehicle takes.",
      rest: { method: 'put', path: '/v1/drivers/:driver_id/capacity' },
      callers: ['client_admin', 'employee'],
      scopes: ['routes:write', 'drivers:read'],
      risk: 'medium',
      writes: true,
      awaits: ['workers'],
      answers: { 404: 'There is no such driver.' },
      input: z.object({ driver_id: idSchema, ...capacityInput.shape }),
      output: z.object({ result: z.boolean(), driver_id: z.int(), capacity: capacityShown }),
      async run({ driver_id, ...capacity }, { caller, cause, commandId, wrote }) {
        await needDriver(caller, driver_id);
        wrote(
          (
            await commands.drivers(
              driverStream(driver_id),
              {
                do: 'setCapacity',
                commandId,
                userId: driver_id,
                business: businessOf(caller),
                by: userOf(caller).userId,
                capacity,
              },
              cause,
            )
          ).position,
        );
        return { result: true, driver_id, capacity };
      },
    }),

    operation({
      name: 'driverRoutesToday',
      tag: 'Driver',
      summary: 'What a driver has to do on a day: routes with their orders.',
      description: 'Drivers see only their own.',
      rest: { method: 'get', path: '/v1/drivers/:driver_id/orders' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['routes:read', 'drivers:read'],
      reads: ['routes', 'orders', 'accounts'],
      answers: { 404: 'There is no such driver.' },
      input: z.object({
        driver_id: idSchema,
        date: z.iso.date().optional().describe('Today in the timezone of the business where nobody says.'),
      }),
      output: z.object({
        result: z.boolean(),
        driver_id: z.int(),
        date: z.string(),
        routes: z.array(z.object({ ...routeSchema.shape, orders: z.array(routeOrderSchema) })),
      }),
      async run({ driver_id, date }, { caller, time }) {
        await needDriver(caller, driver_id);
        const name = (await accounts.byId(driver_id))?.name;
        const business = businessOf(caller);
        const day = date ?? localDate(time, userOf(caller).timezone);
        const { routes: found } = await routes.list(
          { date: day, driverId: driver_id, offset: 0, limit: MAX_ROUTES },
          { business },
        );
        const { orders: carried } = await orders.list(
          { offset: 0, limit: MAX_ORDERS },
          { business, routeIds: found.map(({ id }) => id) },
        );
        return {
          result: true,
          driver_id,
          date: day,
          routes: found.map((route) => ({
            ...toRoute(route, name),
            orders: carried.filter(({ route_id }) => route_id === route.id).map(toRouteOrder),
          })),
        };
      },
    }),

    operation({
      name: 'driverScan',
      tag: 'Driver',
      summary: 'A driver, or an office, scans a package.',
      description:
        'Drivers scan packages of orders on their routes, offices all of the business. The order and its timeline follow.',
      rest: { method: 'post', path: '/v1/driver/scan' },
      callers: ['driver', 'client_admin', 'employee'],
      scopes: ['orders:write'],
      writes: true,
      awaits: ['orders', 'timeline'],
      answers: { 404: 'There is no such package, or it is on no route of the driver.', 409: 'The order has ended.' },
      input: z.object({
        tracking_number: z.string().trim().min(1).max(64),
        status_code: z.enum(SCAN_CODES as [string, ...string[]]).describe('OTEP code.'),
        occurred_at: z.string().max(40).describe('RFC 3339, with offset; not in the future.'),
        reason_code: z
          .enum(INCIDENT_REASONS.map(({ code }) => code) as [string, ...string[]])
          .optional()
          .describe('OTEP incident reason.'),
        gps: z
          .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
          .optional(),
        photos: z
          .array(z.url({ protocol: /^https$/ }).max(2_000))
          .max(10)
          .optional()
          .describe('Addresses of photos; they are kept, never fetched.'),
        note: z.string().trim().min(1).max(500).optional(),
      }),
      output: z.object({
        result: z.boolean(),
        order_id: z.int(),
        status: z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]),
        order_status_id: z.int(),
      }),
      async run({ tracking_number, occurred_at, ...scan }, { caller, cause, commandId, time, wrote }) {
        const instant = instantOf(occurred_at);
        if (instant === null) throw invalid('INVALID_TIME');
        if (millisOf(instant) > time + AHEAD_HOURS * 3_600_000) throw invalid('TOO_FAR_AHEAD', { hours: AHEAD_HOURS });
        const { role, userId } = userOf(caller);
        const business = businessOf(caller);
        const number = normalizeNumber(tracking_number) ?? tracking_number;
        // A package that the driver does not carry is answered like one that does not exist.
        const viewer = { business, ...(role === 'driver' && { driverId: userId }) };
        const { order, scanned } = packageMeant(number, await orders.allByTrackingNumber(number, viewer));
        const { reply, position } = await commands.orders(
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
          } as OrderCommand,
          cause,
        );
        wrote(position);
        return { result: true, order_id: order.id, status: reply.status, order_status_id: orderStatusId(reply.status) };
      },
    }),
  ];
}

/** The package that a scanned number means. Throws ORDER_NOT_FOUND, and AMBIGUOUS_NUMBER rather than guess. */
function packageMeant(number: string, found: readonly Order[]): { order: Order; scanned: Order['packages'][number] } {
  const all = found.flatMap((order) => order.packages.map((scanned) => ({ order, scanned })));
  const own = all.find(({ scanned }) => scanned.tracking_number === number);
  if (own) return own;
  const known = all.filter(({ scanned }) => scanned.external_tracking_number === number);
  const underWay = known.filter(({ order }) => !isFinal(order.status));
  const meant = underWay.length > 0 ? underWay : known.slice(0, 1);
  if (meant.length === 0) throw new ApiError('ORDER_NOT_FOUND');
  if (meant.length > 1)
    throw new ApiError('AMBIGUOUS_NUMBER', {
      params: { numbers: meant.map(({ scanned }) => scanned.tracking_number).join(', ') },
      members: {
        choices: meant.map(({ order, scanned }) => ({ order_id: order.id, tracking_number: scanned.tracking_number })),
      },
    });
  return meant[0]!;
}

const invalid = (code: 'INVALID_TIME' | 'TOO_FAR_AHEAD', params = {}): ApiError =>
  new ApiError('INVALID_INPUT', { errors: [{ field: 'occurred_at', path: '/occurred_at', code, params }] });
