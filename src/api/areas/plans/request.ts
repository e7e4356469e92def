/** The request for a plan. */
import { z } from 'zod';
import { ORDER_TYPES } from '../../../events/orders/events.js';
import { PLAN_MODES } from '../../../events/plans/events.js';
import { idSchema } from '../../core/ids.js';
import { timeWindowInput } from '../orders/input.js';
import { planningMembers } from '../orders/planning.js';
import { capacityTypesInput } from './capacities.js';

/** Limits of a plan. `plans`: simultaneous plans per business. `hours`: maximum age at the commit. */
export const MOST = {
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

/** At most 100,000: larger costs would not be exact numbers. */
export const price = z.string().regex(/^(\d{1,5}|100000)(\.\d{1,3})?$/);
/** The maximum driving time without a break, and the length of the break: planning R1. */
export const driveBreak = z
  .strictObject({
    after_s: z.int().min(1_800).max(43_200).describe('Seconds at the wheel.'),
    duration_s: z.int().min(60).max(14_400),
  })
  .meta({ id: 'DriveBreak' });

export const planRequest = z.object({
  mode: z
    .enum(PLAN_MODES)
    .default('build')
    .describe(
      '`build`: new routes. `insert`: more orders onto `route_ids`, whose stops keep driver and sequence. `reoptimize`: `route_ids` anew; what is done or in a van keeps its driver.',
    ),
  date: z.iso
    .date()
    .optional()
    .describe("The day that is planned; absent: that of `route_ids`, else today, in the business's timezone."),
  order_ids: z.array(idSchema).min(1).max(MOST.orders).optional().describe('Absent: what waits, by `pool`.'),
  pool: z
    .enum(POOLS)
    .optional()
    .describe(
      '`due` (usual): scheduled for that day, earlier, or for none; `date`: that day; `all`: whatever waits. Routes that are planned anew take more only where it is said.',
    ),
  order_types: z.array(z.enum(ORDER_TYPES)).min(1).max(3).optional(),
  postal_prefixes: z
    .array(z.string().regex(/^(?=.*[A-Za-z0-9])[A-Za-z0-9 -]{1,12}$/))
    .min(1)
    .max(200)
    .optional()
    .describe('Beginnings of the postal code where the order is delivered, or collected (P).'),
  route_ids: z
    .array(idSchema)
    .min(1)
    .max(MOST.routes)
    .optional()
    .describe('Needed unless routes are built; then there are none.'),
  driver_ids: z
    .array(idSchema)
    .min(1)
    .max(MOST.resources)
    .optional()
    .describe(
      'Absent: who has a shift that day; where nobody has one, every active driver. Of `reoptimize`: who drives the routes now; not with `insert`.',
    ),
  vehicle_ids: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(MOST.resources)
    .optional()
    .describe('Only shifts in these vehicles.'),
  fleet_ids: z
    .array(idSchema)
    .min(1)
    .max(50)
    .optional()
    .describe('Drivers of these fleets: of `build`; of `reoptimize` beside `driver_ids`.'),
  engine: z.enum(ENGINES).default('builtin').describe('Who plans; what each can do is told by the options.'),
  matrix: z
    .enum(MATRICES)
    .optional()
    .describe('Where ways come from: great circles, or streets (OSRM); absent: as the settings say.'),
  minimize: z.enum(OBJECTIVES).default('cost'),
  weights: z
    .strictObject({ per_route: price.optional(), per_km: price.optional(), per_hour: price.optional() })
    .meta({ id: 'PlanPriceOverridesInput' })
    .optional()
    .describe("In the business's currency, as decimal text, at most 100000; absent members: as the settings say."),
  balance: z
    .strictObject({
      mode: z.enum(BALANCES),
      strength: z.number().min(0).max(1).default(0.5),
      use_all: z.boolean().default(false),
    })
    .meta({ id: 'PlanBalanceInput' })
    .optional(),
  capacity_types: capacityTypesInput.optional().describe('As the options tell them; absent: all.'),
  end: z
    .enum(ENDS)
    .default('depot')
    .describe(
      '`depot`: where the shift ends, else where routes usually end. `open`: at the last stop. `home`: where the driver lives.',
    ),
  drive_break: driveBreak
    .optional()
    .describe(
      'After so long at the wheel a pause of so long, for every driver; any pause of that length counts. Absent: as `default_shift` of the settings says.',
    ),
  max_route_minutes: z.int().min(1).max(1_440).optional(),
  max_route_km: z.number().positive().max(10_000).optional(),
  max_stops: z.int().min(1).max(1_000).optional(),
  traffic_factor: z.number().min(1).max(3).default(1).describe('Ways take so many times as long.'),
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
    .max(MOST.orders)
    .optional()
    .describe(
      'What is other for single orders, in this plan alone: of `build` with `order_ids` for these; else for what is planned, and nothing of other orders.',
    ),
  budget: z
    .strictObject({
      seconds: z.number().min(1).max(MOST.seconds).optional(),
      iterations: z.int().min(1).max(10_000_000).optional(),
      threads: z.int().min(1).max(MOST.threads).default(1),
      seed: z.int().min(0).max(2_147_483_647).optional(),
    })
    .default({ threads: 1 })
    .describe('How long is looked for better: `seconds` or `iterations`; 10 seconds, where neither is said.'),
  respect_pins: z.boolean().default(true).describe('What is pinned to a driver or a place stays.'),
  respect_manual: z.boolean().default(true).describe('What a person put on a route stays with its driver.'),
  auto_commit: z.boolean().default(true).describe('False: nothing changes until the plan is committed.'),
  commit_partial: z.boolean().default(true).describe('False: with an order left over the plan waits for a person.'),
  on_conflict: z
    .enum(['skip', 'fail'])
    .default('skip')
    .describe('Of an order that changed meanwhile: leave it out, or commit nothing.'),
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
    .describe('How long the solver searches: `time_limit_s` or `iterations`. Default: 10 seconds.'),
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
