/** The request for a plan. */
import { z } from 'zod';
import { ORDER_TYPES } from '../../../events/orders/events.js';
import { PLAN_MODES } from '../../../events/plans/events.js';
import { idSchema } from '../../core/ids.js';
import { timeWindowInput } from '../orders/input.js';
import { planningMembers } from '../orders/planning.js';
import { capacityTypesInput } from './capacities.js';

/** Limits of a plan. `plans`: simultaneous plans per business. `hours`: maximum age at the commit. */
export const PLAN_LIMITS = {
  orders: 2_000,
  resources: 200,
  routes: 200,
  seconds: 300,
  threads: 16,
  plans: 4,
  hours: 12,
} as const;

export const ENGINES = ['builtin', 'vroom'] as const;
export type EngineId = (typeof ENGINES)[number];
export const MATRICES = ['haversine', 'osrm'] as const;
export type MatrixId = (typeof MATRICES)[number];
export const OBJECTIVES = ['cost', 'distance', 'duration', 'vehicles'] as const;
export const BALANCES = ['none', 'stops', 'duration', 'load'] as const;
export const ENDS = ['depot', 'open', 'home'] as const;
export const POOLS = ['due', 'date', 'all'] as const;

/** At most 100,000: larger costs could not be represented exactly. */
export const price = z.string().regex(/^(\d{1,5}|100000)(\.\d{1,3})?$/);
/** The maximum driving time without a break, and the length of the break: planning R1. */
export const driveBreak = z
  .strictObject({
    after_s: z.int().min(1_800).max(43_200).describe('Driving time in seconds.'),
    duration_s: z.int().min(60).max(14_400),
  })
  .meta({ id: 'DriveBreak' });

export const planRequest = z.object({
  mode: z
    .enum(PLAN_MODES)
    .default('build')
    .describe(
      '`build`: plan new routes. `insert`: add orders to `route_ids`; the existing stops keep driver and sequence. `reoptimize`: plan `route_ids` again; stops that are completed, or whose goods are in a van, keep their driver.',
    ),
  date: z.iso
    .date()
    .optional()
    .describe('Date to plan, in the timezone of the business. Omitted: the date of `route_ids`, or else today.'),
  order_ids: z
    .array(idSchema)
    .min(1)
    .max(PLAN_LIMITS.orders)
    .optional()
    .describe('Orders to plan. Omitted: available orders, selected by `pool`.'),
  pool: z
    .enum(POOLS)
    .optional()
    .describe(
      'Available orders to select. `due` (default): orders that are scheduled for the date of the plan or earlier, and orders without a date. `date`: only orders that are scheduled for the date of the plan. `all`: all available orders. In the mode `reoptimize`, orders are added only if `pool` is given.',
    ),
  order_types: z.array(z.enum(ORDER_TYPES)).min(1).max(3).optional(),
  postal_prefixes: z
    .array(z.string().regex(/^(?=.*[A-Za-z0-9])[A-Za-z0-9 -]{1,12}$/))
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Select only orders with one of these prefixes of the postal code of the delivery, or of the pick-up for type `P`.',
    ),
  route_ids: z
    .array(idSchema)
    .min(1)
    .max(PLAN_LIMITS.routes)
    .optional()
    .describe('Routes to plan again. Required for `insert` and `reoptimize`; not allowed for `build`.'),
  driver_ids: z
    .array(idSchema)
    .min(1)
    .max(PLAN_LIMITS.resources)
    .optional()
    .describe(
      'Drivers to use. Omitted: drivers with a shift on the date of the plan, or all active drivers if there is no such shift. Omitted with `reoptimize`: the drivers of the routes. Not allowed with `insert`.',
    ),
  vehicle_ids: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(PLAN_LIMITS.resources)
    .optional()
    .describe('Use only shifts with these vehicles.'),
  fleet_ids: z
    .array(idSchema)
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Use only drivers of these fleets. Allowed with `build`, and with `reoptimize` together with `driver_ids`.',
    ),
  engine: z
    .enum(ENGINES)
    .default('builtin')
    .describe('Planning engine. `routePlanOptions` lists the features of each engine.'),
  matrix: z
    .enum(MATRICES)
    .optional()
    .describe(
      'Source of distances: great circles (`haversine`) or streets (`osrm`). Omitted: the value of the planning settings.',
    ),
  minimize: z.enum(OBJECTIVES).default('cost'),
  weights: z
    .strictObject({ per_route: price.optional(), per_km: price.optional(), per_hour: price.optional() })
    .meta({ id: 'PlanPriceOverridesInput' })
    .optional()
    .describe(
      'Prices in the currency of the business, as decimal text, at most 100000. For fields that are omitted, the values of the planning settings apply.',
    ),
  balance: z
    .strictObject({
      mode: z.enum(BALANCES),
      strength: z.number().min(0).max(1).default(0.5),
      use_all: z.boolean().default(false),
    })
    .meta({ id: 'PlanBalanceInput' })
    .optional(),
  capacity_types: capacityTypesInput
    .optional()
    .describe('Capacities to consider, as `routePlanOptions` lists them. Omitted: all.'),
  end: z
    .enum(ENDS)
    .default('depot')
    .describe(
      "End of routes. `depot`: the place where the shift ends, or else the default end. `open`: at the last stop. `home`: at the driver's home.",
    ),
  drive_break: driveBreak
    .optional()
    .describe(
      'Break that every driver needs after a certain driving time. Any break of at least this length counts. Omitted: the value of `default_shift` in the planning settings.',
    ),
  max_route_minutes: z.int().min(1).max(1_440).optional(),
  max_route_km: z.number().positive().max(10_000).optional(),
  max_stops: z.int().min(1).max(1_000).optional(),
  traffic_factor: z.number().min(1).max(3).default(1).describe('Factor by which all driving times are multiplied.'),
  eta_window_minutes: z.int().min(15).max(240).optional(),
  orders: z
    .array(
      z
        .strictObject({
          order_id: idSchema,
          service_time_s: planningMembers.service_time_s.optional(),
          priority: planningMembers.priority.optional(),
          required_skills: planningMembers.required_skills.optional(),
          custom_sizes: planningMembers.custom_sizes.optional(),
          time_windows: z.array(timeWindowInput).min(1).max(8).optional(),
        })
        .meta({ id: 'PlanOrderInput' }),
    )
    .max(PLAN_LIMITS.orders)
    .optional()
    .describe(
      'Values of single orders that differ from the stored values, for this plan only. For `build` with `order_ids`, only orders of this list are allowed. Otherwise, values for orders outside the plan have no effect.',
    ),
  budget: z
    .strictObject({
      seconds: z.number().min(1).max(PLAN_LIMITS.seconds).optional(),
      iterations: z.int().min(1).max(10_000_000).optional(),
      threads: z.int().min(1).max(PLAN_LIMITS.threads).default(1),
      seed: z.int().min(0).max(2_147_483_647).optional(),
    })
    .default({ threads: 1 })
    .describe('Limit of the search: `seconds` or `iterations`. Default: 10 seconds.'),
  respect_pins: z.boolean().default(true).describe('Whether stops that are pinned to a driver or position stay there.'),
  respect_manual: z.boolean().default(true).describe('Whether orders that a user put on a route keep their driver.'),
  auto_commit: z
    .boolean()
    .default(true)
    .describe('True: the job commits the plan. False: routes do not change until a caller commits the plan.'),
  commit_partial: z
    .boolean()
    .default(true)
    .describe('Whether a plan with unassigned orders is committed automatically.'),
  on_conflict: z
    .enum(['skip', 'fail'])
    .default('skip')
    .describe(
      'Handling of orders that have changed since planning. `skip`: commit the other orders. `fail`: commit nothing.',
    ),
});
export type PlanRequest = z.infer<typeof planRequest>;

const { date, weights, budget, ...sameInput } = planRequest.shape;
const { seconds: timeLimit, ...sameBudget } = budget.unwrap().shape;
/** The request body: the stored request, with the names of the API. */
export const planInput = z.object({
  ...sameInput,
  schedule_date: date,
  prices: weights,
  budget: z
    .strictObject({ ...sameBudget, time_limit_s: timeLimit })
    .meta({ id: 'PlanBudgetInput' })
    .default({ threads: 1 })
    .describe('Limit of the search: `time_limit_s` or `iterations`. Default: 10 seconds.'),
});

/** Converts the request to the form of events and solvers. */
export function toStoredRequest({
  schedule_date,
  prices,
  budget: { time_limit_s, ...limits },
  ...request
}: z.infer<typeof planInput>): PlanRequest {
  return {
    ...request,
    ...(schedule_date !== undefined && { date: schedule_date }),
    ...(prices && { weights: prices }),
    budget: { ...limits, ...(time_limit_s !== undefined && { seconds: time_limit_s }) },
  };
}

export const DEFAULT_SECONDS = 10;
export const DEFAULT_SEED = 1;
