/** Arguments that were renamed together with members of the API, by the current name of the operation. */
import { currentName } from './renamed-operations.js';
import { currentType } from '../webhooks/events.js';
import { withCurrentMembers, type RenamedMembers } from '../core/renamed-members.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments of a new order. */
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
const OF_ITEM: RenamedMembers = { item: 'item_id' };
const OF_WAREHOUSE: RenamedMembers = { opening: 'opening_hours' };
const OF_PLAN: RenamedMembers = { plan_id: 'route_plan_id' };

/** By the current name of the operation, or by the name that the specification prescribes. */
export const RENAMED_ARGUMENTS: Readonly<Record<string, RenamedMembers>> = {
  addressCreate: OF_ADDRESS,
  addressUpdate: OF_ADDRESS,
  allianceGrantCreate: { to_business: 'to_business_id', until: 'expires_at' },
  clientBatchOrderCreateAsync: OF_NEW_ORDERS,
  clientBuildRoute: OF_NEW_PLAN,
  clientOrderCreate: OF_NEW_ORDER,
  datasetGroupCreate: { group_id: 'id' },
  dispatchDecide: { item: 'item_id', seen: 'version', until: 'expires_at' },
  dispatchReopen: OF_ITEM,
  dispatchReturn: OF_ITEM,
  dispatchTake: OF_ITEM,
  driverCapacitySet: { max_weight: 'max_weight_kg', max_volume: 'max_volume_m3' },
  driverScan: { gps: 'position' },
  fleetVehiclesSet: {
    'vehicles.*.capacity.weight': 'weight_kg',
    'vehicles.*.capacity.volume': 'volume_m3',
    'vehicles.*.vehicle_id': 'id',
  },
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
  riderGrantSet: { granted: 'enabled' },
  routePlanCommit: OF_PLAN,
  routePlanCreate: OF_NEW_PLAN,
  routePlanDiscard: OF_PLAN,
  routePlanReplay: OF_PLAN,
  warehouseCreate: OF_WAREHOUSE,
  warehouseUpdate: OF_WAREHOUSE,
};

/** Returns the arguments of a stored proposal under their current names. `operation`: its stored name. */
export function currentArguments<A extends Arguments>(operation: string, given: A): A {
  const current = withCurrentMembers(given, RENAMED_ARGUMENTS[currentName(operation)] ?? {});
  return WITH_EVENT_TYPES.has(currentName(operation)) ? withCurrentTypes(current) : current;
}

/** Operations that name types of webhooks, which had two spellings: `order_created` and `order.created`. */
const WITH_EVENT_TYPES: ReadonlySet<string> = new Set(['webhookSettingsPut', 'webhookSettingsUpdate', 'webhookTest']);

function withCurrentTypes<A extends Arguments>(given: A): A {
  const { event_type: type, webhook_event_types: types } = given;
  return {
    ...given,
    ...(typeof type === 'string' && { event_type: currentType(type) }),
    ...(Array.isArray(types) && {
      webhook_event_types: types.map((one: unknown) => (typeof one === 'string' ? currentType(one) : one)),
    }),
  };
}
