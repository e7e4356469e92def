/** Read operations for warehouse staff: tasks, sorting and loading of routes, and lookup of codes. */
import { z } from 'zod';
import { quantityOf } from '../../../events/stock/quantity.js';
import type { ParcelQueries, ParcelRow } from '../../../projections/handling/queries.js';
import type { Route } from '../../../projections/routes/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { matchCodes, type CodeSources } from './code-matches.js';
import { scannedCode } from './op.js';
import { parcelSchema, toParcel } from './parcel.js';

const READ = {
  area: 'Warehouse Mobile',
  callers: ['client_admin', 'employee', 'driver'],
  scopes: ['wms:read'],
} as const;
/** Maximum number of returned routes of a day. */
const MAX_ROUTES = 200;

const counts = z.object({ expected_count: z.int(), loaded_count: z.int(), missing_count: z.int() });
const tasksSchema = z
  .object({
    warehouse_id: z.int(),
    schedule_date: z.string(),
    parcel_counts: z
      .object({
        expected: z.int().describe('Parcels of orders that start or end in this warehouse.'),
        received: z.int().describe('Parcels to put away or sort.'),
        put_away: z.int(),
        quarantine: z.int(),
        sorted: z.int().describe('Parcels to load.'),
        loaded: z.int(),
        missing: z.int(),
        misplaced: z.int().describe('Parcels that are in this warehouse but belong to orders of another warehouse.'),
      })
      .meta({ id: 'ParcelCounts' })
      .describe('Number of parcels by status.'),
    routes: z.array(
      counts
        .extend({
          route_id: z.int(),
          name: z.string(),
          driver_id: z.int().nullable(),
          bay: z.string().nullable(),
          sorted_count: z.int(),
        })
        .meta({ id: 'RouteParcelCounts' }),
    ),
  })
  .meta({ id: 'WarehouseTasks' });

export interface ViewOptions extends CodeSources, Parts<'routes' | 'warehouses'> {
  readonly parcels: ParcelQueries;
}

/** Numbers of expected, loaded and missing parcels of a route. */
const countsOf = (parcels: readonly ParcelRow[]) => ({
  expected_count: parcels.length,
  loaded_count: parcels.filter(({ state }) => state === 'loaded' || state === 'gone').length,
  missing_count: parcels.filter(({ state }) => state === 'missing').length,
});
const bayOf = (parcels: readonly ParcelRow[]): string | null => parcels.find(({ bay }) => bay !== null)?.bay ?? null;

export function viewOperations({ parcels, routes, warehouses, stock }: ViewOptions): Operation[] {
  const viewerOf = (caller: Caller) => ({
    business: businessOf(caller),
    ...(caller.role === 'driver' && { driverId: userOf(caller).userId }),
  });

  async function routeOf(route_id: number, caller: Caller): Promise<Route> {
    const route = await routes.byId(route_id, viewerOf(caller));
    if (!route) throw new ApiError('ROUTE_NOT_FOUND');
    return route;
  }

  return [
    operation({
      ...READ,
      name: 'wmsTasks',
      summary: 'Get the tasks of a warehouse for a day',
      description:
        'Returns numbers of parcels by status, and the routes of the day with their bays and loading state. Drivers see only their own routes.',
      rest: { method: 'get', path: '/v1/wms/mobile/tasks' },
      reads: ['packages_at', 'routes', 'warehouses'],
      answers: { 404: 'The business has no such warehouse.' },
      input: z.object({
        warehouse_id: idSchema,
        schedule_date: z.iso.date().optional().describe('Day. Default: today in the time zone of the warehouse.'),
      }),
      output: z.object({ result: z.boolean(), tasks: tasksSchema }),
      async run({ warehouse_id, schedule_date }, { caller, time }) {
        const viewer = viewerOf(caller);
        const warehouse = await warehouses.byId(warehouse_id, viewer.business);
        if (!warehouse) throw new ApiError('WAREHOUSE_NOT_FOUND');
        const day = schedule_date ?? localDate(time, warehouse.timezone ?? 'UTC');
        const [byState, misplaced, { routes: found }] = await Promise.all([
          parcels.counts(warehouse_id, viewer.business),
          parcels.misplaced(warehouse_id, viewer.business),
          routes.list({ date: day, offset: 0, limit: MAX_ROUTES }, viewer),
        ]);
        const { gone: _gone, in_transfer: _transfer, ...states } = byState;
        const onRoutes = await Promise.all(found.map(async ({ id }) => parcels.onRoute(id, viewer.business)));
        const tasks = {
          warehouse_id,
          schedule_date: day,
          parcel_counts: { ...states, misplaced },
          routes: found.flatMap(({ id, name, driver_id }, index) => {
            const all = onRoutes[index]!;
            const localParcels = all.filter((one) => (one.warehouse_id ?? one.own_warehouse_id) === warehouse_id);
            if (localParcels.length === 0) return [];
            const sorted_count = localParcels.filter(({ state }) => state === 'sorted').length;
            const bay = bayOf(localParcels);
            return [{ route_id: id, name, driver_id, bay, sorted_count, ...countsOf(localParcels) }];
          }),
        };
        return { result: true, tasks };
      },
    }),
    operation({
      ...READ,
      name: 'wmsRouteSorting',
      summary: 'List the parcels of a route for sorting',
      description: 'Returns the bay of the route, the number of parcels to sort, and all parcels with their status.',
      rest: { method: 'get', path: '/v1/wms/mobile/routes/:route_id/sorting' },
      reads: ['packages_at', 'routes'],
      answers: { 404: 'There is no such route.' },
      input: z.object({ route_id: idSchema }),
      output: z.object({
        result: z.boolean(),
        sorting: z
          .object({
            route_id: z.int(),
            schedule_date: z.string(),
            bay: z.string().nullable().describe('Bay of the route. Null: no parcel of the route is sorted yet.'),
            to_sort_count: z.int(),
            parcels: z.array(parcelSchema),
          })
          .meta({ id: 'RouteSorting' }),
      }),
      async run({ route_id }, { caller }) {
        const { schedule_date } = await routeOf(route_id, caller);
        const found = await parcels.onRoute(route_id, businessOf(caller));
        const unsortedParcels = found.filter(({ state }) => ['expected', 'received', 'put_away'].includes(state));
        const to_sort_count = unsortedParcels.length;
        const sorting = { route_id, schedule_date, bay: bayOf(found), to_sort_count, parcels: found.map(toParcel) };
        return { result: true, sorting };
      },
    }),
    operation({
      ...READ,
      name: 'wmsRouteOutbound',
      summary: 'Get the loading progress of a route',
      description: 'Returns the numbers of expected, loaded and missing parcels, and the parcels that are not loaded.',
      rest: { method: 'get', path: '/v1/wms/mobile/routes/:route_id/outbound' },
      reads: ['packages_at', 'routes'],
      answers: { 404: 'There is no such route.' },
      input: z.object({ route_id: idSchema }),
      output: z.object({
        result: z.boolean(),
        outbound: counts
          .extend({
            route_id: z.int(),
            driver_id: z.int().nullable(),
            complete: z.boolean().describe('Whether every parcel is loaded or recorded as missing.'),
            parcels: z.array(parcelSchema).describe('Parcels that are not loaded yet.'),
          })
          .meta({ id: 'RouteOutbound' }),
      }),
      async run({ route_id }, { caller }) {
        const { driver_id } = await routeOf(route_id, caller);
        const found = await parcels.onRoute(route_id, businessOf(caller));
        const parcelCounts = countsOf(found);
        const { expected_count, loaded_count, missing_count } = parcelCounts;
        const outbound = {
          route_id,
          driver_id,
          ...parcelCounts,
          complete: expected_count > 0 && loaded_count + missing_count === expected_count,
          parcels: found.filter(({ state }) => state !== 'loaded' && state !== 'gone').map(toParcel),
        };
        return { result: true, outbound };
      },
    }),
    operation({
      ...READ,
      name: 'wmsLookup',
      summary: 'Look up a scanned code',
      description:
        'Finds parcels by tracking number or by the number of another system, SKUs by code or barcode, and locations by code. Accepts plain codes and GS1-128. Drivers find only parcels on their own routes, and locations.',
      rest: { method: 'get', path: '/v1/wms/mobile/lookup' },
      reads: ['packages_at', 'orders', 'routes', 'stock', 'warehouses'],
      answers: { 404: 'The code is unknown (`CODE_UNKNOWN`).' },
      input: z.object({
        code: scannedCode,
        warehouse_id: idSchema.optional().describe('Warehouse of the locations and stock quantities in the response.'),
      }),
      output: z.object({
        result: z.boolean(),
        choices: z
          .array(
            z
              .object({
                kind: z.enum(['package', 'sku', 'location']),
                parcel: parcelSchema.optional(),
                sku: z
                  .object({
                    sku: z.string(),
                    name: z.string(),
                    unit: z.string(),
                    warehouse_id: z.int().optional(),
                    on_hand: z.string().optional(),
                  })
                  .meta({ id: 'LookupItem' })
                  .optional(),
                location: z
                  .object({ warehouse_id: z.int(), code: z.string() })
                  .meta({ id: 'LookupLocation' })
                  .optional(),
              })
              .meta({ id: 'LookupChoice' }),
          )
          .describe('Possible meanings of the code. An ambiguous code has more than one.'),
      }),
      async run({ code, warehouse_id }, { caller }) {
        const viewer = viewerOf(caller);
        const matches = (await matchCodes([code], viewer, { parcels, stock })).get(code)!;
        const choices = await Promise.all(
          matches.map(async (one) => {
            if (one.kind === 'package')
              return {
                kind: 'package' as const,
                parcel: toParcel((await parcels.byNumber(one.parcel, viewer.business))!),
              };
            const { sku, name, unit } = one.sku;
            const here = one.at.find((row) => row.warehouse_id === warehouse_id);
            const stockLevel = here && { warehouse_id: here.warehouse_id, on_hand: quantityOf(here.on_hand) };
            return { kind: 'sku' as const, sku: { sku, name, unit, ...stockLevel } };
          }),
        );
        const warehouse = warehouse_id === undefined ? undefined : await warehouses.byId(warehouse_id, viewer.business);
        const location = warehouse?.locations[code];
        const all = [
          ...choices,
          ...(location ? [{ kind: 'location' as const, location: { warehouse_id: warehouse!.id, code } }] : []),
        ];
        if (all.length === 0) throw new ApiError('CODE_UNKNOWN');
        return { result: true, choices: all };
      },
    }),
  ];
}
