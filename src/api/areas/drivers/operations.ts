/** Drivers, the capacity of their vehicles, and their routes of a day. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { driverStream, type Capacity } from '../../../events/drivers/events.js';
import type { Account } from '../../../projections/accounts/queries.js';
import type { SkillQueries } from '../../../projections/skills/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { localDate } from '../../../events/core/local-time.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { MAX_ORDERS } from '../orders/per-order.js';
import { driverRouteSchema, toRoute, toRouteOrder } from '../routes/shapes.js';
import { driverSkillOutput } from '../skills/operations.js';
import { hasDriver } from './workers.js';
import { settingsVersionSchema } from '../../core/versions.js';
import { DRIVER_VERSION } from './versions.js';

/** Maximum number of returned routes of a driver on one day. */
const MAX_ROUTES = 50;

const amount = z.number().positive().max(1_000_000);
const capacityInput = z.object({
  max_orders: z.int().min(1).max(10_000).optional(),
  max_weight_kg: amount.optional(),
  max_volume_m3: amount.optional(),
});
const capacitySchema = z
  .object({
    max_orders: z.int().optional(),
    max_weight_kg: z.number().optional(),
    max_volume_m3: z.number().optional(),
  })
  .meta({ id: 'DriverCapacity' });
const toCapacity = ({ max_orders, max_weight, max_volume }: Capacity): z.infer<typeof capacitySchema> => ({
  ...(max_orders !== undefined && { max_orders }),
  ...(max_weight !== undefined && { max_weight_kg: max_weight }),
  ...(max_volume !== undefined && { max_volume_m3: max_volume }),
});
const driverSchema = z
  .object({
    id: z.int(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    version: settingsVersionSchema.describe(
      'Version of capacity and skills, for `If-Match` and `if_version`. Each change increases it. -1: neither was set yet.',
    ),
    capacity: capacitySchema.nullable().describe('Capacity of the vehicle; null if never set.'),
    skills: z.array(driverSkillOutput).describe('Skills of the driver, including expired skills.'),
  })
  .meta({ id: 'Driver' });

export function driverOperations({
  commands,
  routes,
  orders,
  planning,
  accounts,
  skills,
}: Parts<'routes' | 'orders' | 'planning' | 'accounts'> & {
  commands: Pick<Commands, 'orders' | 'drivers'>;
  skills: Pick<SkillQueries, 'given'>;
}): Operation[] {
  async function expectDriver(caller: Caller, driverId: number): Promise<void> {
    const { role, userId } = userOf(caller);
    if ((role === 'driver' && userId !== driverId) || !(await hasDriver(accounts, businessOf(caller), driverId)))
      throw new ApiError('DRIVER_NOT_FOUND');
  }

  async function toResponses(found: readonly Account[]): Promise<z.infer<typeof driverSchema>[]> {
    const ids = found.map(({ id }) => id);
    // Read before the data: if both change in between, the version is too old, never too new.
    const versions = await planning.versions(ids);
    const [capacities, skillsByDriver] = await Promise.all([planning.capacities(ids), skills.given(ids)]);
    return found.map(({ id, name = null, phone = null }) => {
      const capacity = capacities.get(id);
      return {
        id,
        name,
        phone,
        capacity: capacity ? toCapacity(capacity) : null,
        skills: [...(skillsByDriver.get(id) ?? [])],
        version: versions.get(id) ?? -1,
      };
    });
  }

  return [
    operation({
      name: 'drivers',
      area: 'Driver',
      summary: 'List active drivers with their capacity and skills',
      rest: { method: 'get', path: '/v1/drivers' },
      callers: ['client_admin', 'employee'],
      scopes: ['drivers:read'],
      reads: ['accounts', 'workers'],
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, drivers: z.array(driverSchema) }),
      async run(page, { caller }) {
        const { accounts: found, ...listed } = await accounts.list({
          business: businessOf(caller),
          role: 'driver',
          status: 'active',
          ...rangeOf(page),
        });
        return { ...pageOf(page, listed), drivers: await toResponses(found) };
      },
    }),

    operation({
      name: 'driver',
      versioned: DRIVER_VERSION,
      area: 'Driver',
      summary: 'Get a driver with capacity and skills',
      description: 'Drivers see only themselves.',
      rest: { method: 'get', path: '/v1/drivers/:driver_id' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['drivers:read'],
      reads: ['accounts', 'workers'],
      answers: { 404: 'There is no such driver.' },
      input: z.object({ driver_id: idSchema }),
      output: z.object({ result: z.boolean(), driver: driverSchema }),
      async run({ driver_id }, { caller }) {
        await expectDriver(caller, driver_id);
        const account = await accounts.byId(driver_id);
        if (!account) throw new ApiError('DRIVER_NOT_FOUND');
        const [driver] = await toResponses([account]);
        return { result: true, driver: driver! };
      },
    }),

    operation({
      name: 'driverCapacitySet',
      versioned: DRIVER_VERSION,
      returns: { read: 'driver' },
      area: 'Driver',
      summary: "Replace the capacity of a driver's vehicle",
      description: 'Limits that are omitted are removed.',
      rest: { method: 'put', path: '/v1/drivers/:driver_id/capacity' },
      callers: ['client_admin', 'employee'],
      scopes: ['routes:write', 'drivers:read'],
      risk: 'medium',
      writes: true,
      awaits: ['workers'],
      answers: { 404: 'There is no such driver.' },
      input: z.object({ driver_id: idSchema, ...capacityInput.shape }),
      output: z.object({ result: z.boolean() }),
      async run(
        { driver_id, max_orders, max_weight_kg: max_weight, max_volume_m3: max_volume },
        { caller, cause, commandId, wrote },
      ) {
        await expectDriver(caller, driver_id);
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
                capacity: {
                  ...(max_orders !== undefined && { max_orders }),
                  ...(max_weight !== undefined && { max_weight }),
                  ...(max_volume !== undefined && { max_volume }),
                },
              },
              cause,
            )
          ).position,
        );
        return { result: true };
      },
    }),

    operation({
      name: 'driverRoutes',
      area: 'Driver',
      summary: 'List the routes of a driver on a day, with orders',
      description: 'Drivers see only their own routes.',
      rest: { method: 'get', path: '/v1/drivers/:driver_id/routes' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['routes:read', 'drivers:read'],
      reads: ['routes', 'orders', 'accounts'],
      answers: { 404: 'There is no such driver.' },
      input: z.object({
        driver_id: idSchema,
        schedule_date: z.iso.date().optional().describe('Default: today in the time zone of the business.'),
      }),
      output: z.object({
        result: z.boolean(),
        driver_id: z.int(),
        schedule_date: z.string(),
        routes: z.array(driverRouteSchema),
      }),
      async run({ driver_id, schedule_date }, { caller, time }) {
        await expectDriver(caller, driver_id);
        const name = (await accounts.byId(driver_id))?.name;
        const business = businessOf(caller);
        const day = schedule_date ?? localDate(time, userOf(caller).timezone);
        const { routes: found } = await routes.list(
          { date: day, driverId: driver_id, offset: 0, limit: MAX_ROUTES },
          { business },
        );
        const { orders: routeOrders } = await orders.list(
          { offset: 0, limit: MAX_ORDERS },
          { business, routeIds: found.map(({ id }) => id) },
        );
        return {
          result: true,
          driver_id,
          schedule_date: day,
          routes: found.map((route) => ({
            ...toRoute(route, name),
            orders: routeOrders.filter(({ route_id }) => route_id === route.id).map(toRouteOrder),
          })),
        };
      },
    }),
  ];
}
