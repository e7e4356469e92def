/** Tools that build routes, and read and decide route plans. */
import { z } from 'zod';
import type { ToolDefinition } from '../definition.js';

/** Longer than most searches, so that the plan comes with the result. */
const WAIT = z.int().min(0).max(25).default(20).describe('Seconds to wait for the result.');
/** Members of a plan by default: of stops only the orders, and of reasons only the codes. */
const PLAN = [
  'id',
  'status',
  'failure',
  'schedule_date',
  ...['order_count', 'assigned_count', 'unassigned_count', 'route_count', 'distance_m', 'drive_s', 'cost'].map(
    (sum) => `summary.${sum}`,
  ),
  ...['index', 'route_id', 'driver_id', 'driver_name', 'start_at', 'end_at', 'distance_m'].map(
    (member) => `routes.${member}`,
  ),
  'routes.stops.order_id',
  'unassigned.order_id',
  'unassigned.reasons.code',
  'commit',
].join();

const OPTIONS: ToolDefinition = {
  category: 'routes',
  name: 'get_build_route_options',
  title: 'Options for building routes',
  operation: 'routePlanOptions',
  description: 'Routing engines, balance modes, capacity types, limits and defaults. Call it before build_route.',
};
const BUILD: ToolDefinition = {
  category: 'routes',
  name: 'build_route',
  title: 'Build optimized routes',
  operation: 'routePlanCreate',
  description:
    'Assign pending orders to drivers and put them on routes. Call get_build_route_options first. Returns the plan, with a reason per unassigned order.',
  arguments: {
    mode: {
      description: '`build`: new routes; `insert`: add orders to `route_ids`; `reoptimize`: plan `route_ids` again.',
    },
    schedule_date: { description: 'Day to plan. Default: day of `route_ids`, else today.' },
    order_ids: { description: 'Default: orders of `pool`.' },
    pool: {
      description: 'Pending orders. `due` (default): of this day, earlier days or no day; `date`: of this day; `all`.',
    },
    postal_prefixes: { description: 'Beginnings of postal codes.' },
    route_ids: { description: 'Routes to change. Not with `build`.' },
    driver_ids: { description: 'Default: drivers with a shift that day, else all active drivers.' },
    vehicle_ids: { description: 'Only these vehicles.' },
    fleet_ids: { description: 'Only these fleets. Not with `insert`.' },
    engine: { description: 'Solver.' },
    matrix: { description: 'Distances: great circles or streets.' },
    minimize: { description: 'Objective.' },
    prices: { description: 'Decimal strings: `per_route`, `per_km`, `per_hour`.', opaque: true },
    balance: {
      description: '`mode` (none, stops, duration, load), `strength` 0 to 1, `use_all` drivers.',
      opaque: true,
    },
    capacity_types: { description: 'Capacities that count. Default: all.' },
    end: { description: 'Route ends at the depot, the last stop (`open`) or home.' },
    drive_break: { description: 'Pause of `duration_s` after `after_s` seconds of driving.', opaque: true },
    max_route_minutes: { description: 'Longest route.' },
    max_route_km: { description: 'Longest route.' },
    max_stops: { description: 'Maximum stops per route.' },
    traffic_factor: { description: 'Multiplies all driving times.' },
    eta_window_minutes: { description: 'Width of arrival windows.' },
    orders: {
      description:
        'Exceptions: `order_id` with `service_time_s`, `priority` 0 to 9, `required_skills`, `custom_sizes` or `time_windows`.',
      opaque: true,
    },
    budget: {
      description: 'Search effort: `time_limit_s` (default 10) or `iterations`; `threads`, `seed`.',
      opaque: true,
    },
    respect_pins: { description: 'Keep pins.' },
    respect_manual: { description: 'Keep manual assignments.' },
    auto_commit: { description: 'False: only compute a plan, without `confirm`.' },
    confirm: { description: 'Must be true if routes change.' },
    commit_partial: { description: 'False: do not commit if an order is unassigned.' },
    on_conflict: { description: 'If an order changed: skip it or commit nothing.' },
  },
  fields: { route_plan: PLAN },
  shape: { wait_s: WAIT },
};

export const BUILDING_TOOLS: readonly ToolDefinition[] = [OPTIONS, BUILD];

/** Tools beyond those of the specification. */
export const PLAN_TOOLS: readonly ToolDefinition[] = [
  {
    category: 'routes',
    name: 'get_route_plan',
    title: 'Get a route plan',
    operation: 'routePlan',
    isBeyondSpecification: true,
    fields: { route_plan: PLAN },
    description:
      'Get a plan of build_route by its id: status, totals, routes, unassigned orders with their reason codes. Use fields=routes.stops for the times of stops, and explain_route_plan for the reasons in words.',
  },
  {
    category: 'routes',
    name: 'explain_route_plan',
    title: 'Explain unassigned orders',
    operation: 'routePlanExplain',
    isBeyondSpecification: true,
    fields: { 'unassigned[]': 'order_id,order_ref,route_id,reasons.code,reasons.message' },
    arguments: { order_id: { description: 'Explain only this order, on each route. Default: all unassigned orders.' } },
    description:
      'Explain why a route plan leaves orders out: the reasons of each unassigned order. With order_id, also the extra cost of this order on each route, or the reason why it does not fit.',
  },
  {
    category: 'routes',
    name: 'commit_route_plan',
    title: 'Commit a route plan',
    operation: 'routePlanCommit',
    isBeyondSpecification: true,
    fields: { route_plan: PLAN },
    shape: { wait_s: WAIT },
    arguments: {
      on_conflict: { description: 'If an order has changed: skip it or commit nothing.' },
      route_indexes: { description: 'Only the routes with these `index`. Default: all.' },
    },
    description:
      'Create the routes of a solved plan and put its orders on them, after build_route with auto_commit=false. Orders that changed since are skipped and listed.',
  },
  {
    category: 'routes',
    name: 'discard_route_plan',
    title: 'Discard a route plan',
    operation: 'routePlanDiscard',
    isBeyondSpecification: true,
    fields: { route_plan: 'id,status' },
    description: 'Discard a plan that will not be committed, or cancel a running build_route. Changes no route.',
  },
];
