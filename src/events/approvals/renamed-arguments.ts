/** Arguments that were renamed together with members of the API, by the current name of the operation. */
import { currentName } from './renamed-operations.js';
import { withCurrentMembers, type RenamedMembers } from '../core/renamed-members.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Of an order that is created. */
export const OF_NEW_ORDER: RenamedMembers = {
  'packages.*.weight': 'weight_kg',
  'packages.*.length': 'length_cm',
  'packages.*.width': 'width_cm',
  'packages.*.height': 'height_cm',
};
const OF_NEW_ORDERS: RenamedMembers = Object.fromEntries(
  Object.entries(OF_NEW_ORDER).map(([path, name]) => [`orders.*.${path}`, name]),
);

const OF_ADDRESS: RenamedMembers = { notes: 'note', default: 'is_default' };
const OF_NEW_PLAN: RenamedMembers = { date: 'schedule_date', weights: 'prices', 'budget.seconds': 'time_limit_s' };
const OF_PLAN: RenamedMembers = { plan_id: 'route_plan_id' };

const RENAMED: Readonly<Record<string, RenamedMembers>> = {
  addressCreate: OF_ADDRESS,
  addressUpdate: OF_ADDRESS,
  clientBatchOrderCreateAsync: OF_NEW_ORDERS,
  clientBuildRoute: OF_NEW_PLAN,
  clientOrderCreate: OF_NEW_ORDER,
  datasetGroupCreate: { group_id: 'id' },
  driverScan: { gps: 'position' },
  orderCreate: OF_NEW_ORDER,
  ordersBatch: OF_NEW_ORDERS,
  ordersBatchAsync: OF_NEW_ORDERS,
  planningSettingsUpdate: {
    default_start: 'default_start_warehouse_id',
    default_end: 'default_end_warehouse_id',
    'default_shift.start': 'start_time',
    'default_shift.end': 'end_time',
    'default_shift.breaks.*.earliest': 'earliest_time',
    'default_shift.breaks.*.latest': 'latest_time',
    'speeds.*.metres': 'distance_m',
    'speeds.*.kmh': 'speed_kmh',
  },
  routePlanCommit: OF_PLAN,
  routePlanCreate: OF_NEW_PLAN,
  routePlanDiscard: OF_PLAN,
  routePlanReplay: OF_PLAN,
};

/** The arguments of a stored proposal under the names that its operation, called by its stored name, has now. */
export const currentArguments = <A extends Arguments>(operation: string, given: A): A =>
  withCurrentMembers(given, RENAMED[currentName(operation)] ?? {});
