/** Decides commands on a warehouse and its locations. */
import { isDeepStrictEqual } from 'node:util';
import { compact } from '../../events/core/compact.js';
import {
  BayGiven,
  LocationBlocked,
  LocationsPut,
  LocationsRemoved,
  LocationUnblocked,
  ScanConflictSettled,
  WAREHOUSE_PREFIX,
  WarehouseChanged,
  WarehouseClosed,
  WarehouseMadeDefault,
  WarehouseOpened,
  warehouseStream,
  type Location,
  type Site,
} from '../../events/warehouses/events.js';
import { DomainError } from '../core/domain-error.js';
import type { Decider } from '../core/decider.js';
import { entity, newEvent, type EntityCommand, type EntityState, type NewEvent } from '../core/entity.js';

/** Maximum number of locations per warehouse. */
export const MAX_LOCATIONS = 5_000;

export type WarehouseChange =
  | { readonly do: 'open'; readonly code: string; readonly site: Site }
  | { readonly do: 'change'; readonly site: Partial<Site> }
  | { readonly do: 'close' | 'makeDefault' }
  | { readonly do: 'putLocations'; readonly locations: readonly Location[] }
  | { readonly do: 'removeLocations'; readonly codes: readonly string[] }
  /** The reply is the bay. */
  | { readonly do: 'giveBay'; readonly routeId: number; readonly date: string }
  | {
      readonly do: 'settleScan';
      readonly op_id: string;
      readonly device_id: string;
      readonly decision: 'applied' | 'discarded';
      readonly reason: string;
      readonly by: number;
    }
  | {
      readonly do: 'updateLocation';
      readonly code: string;
      readonly changes: Partial<Omit<Location, 'code'>>;
      readonly blocked?: boolean | undefined;
      readonly reason: string;
    };

export type WarehouseCommand = EntityCommand & WarehouseChange & { readonly id: number };

interface WarehouseState {
  /** Keyed by location code. */
  readonly locations: Map<string, { readonly location: Location; readonly blocked: boolean }>;
  /** Bays, keyed by date and route. */
  readonly bays: Map<string, Map<number, string>>;
}

const warehouse = entity<WarehouseState, WarehouseCommand>({
  name: WAREHOUSE_PREFIX,
  makes: 'open',
  notFound: 'WAREHOUSE_NOT_FOUND',
  ends: [WarehouseClosed],
  subject: (id) => warehouseStream(id as number),
  initial: () => ({ locations: new Map(), bays: new Map() }),
  decide(state, command) {
    const { locations } = state;
    const { id, business } = command;
    switch (command.do) {
      case 'open':
        return newEvent(WarehouseOpened, { warehouse_id: id, business, code: command.code, ...command.site });
      case 'change':
        return newEvent(WarehouseChanged, command.site);
      case 'close':
        return newEvent(WarehouseClosed, {});
      case 'makeDefault':
        return newEvent(WarehouseMadeDefault, {});
      case 'putLocations': {
        const known = new Set([...locations.keys(), ...command.locations.map(({ code }) => code)]);
        if (known.size > MAX_LOCATIONS) throw new DomainError('TOO_MANY_LOCATIONS', { max: MAX_LOCATIONS });
        return newEvent(LocationsPut, { locations: [...command.locations] });
      }
      case 'removeLocations': {
        const codes = command.codes.filter((code) => locations.has(code));
        return codes.length > 0 ? newEvent(LocationsRemoved, { codes }) : undefined;
      }
      case 'giveBay': {
        const { routeId, date } = command;
        if (state.bays.get(date)?.has(routeId)) return undefined;
        return newEvent(BayGiven, { route_id: routeId, date, bay: bayOf(state, command) });
      }
      case 'settleScan': {
        const { op_id, device_id, decision, reason, by } = command;
        return newEvent(ScanConflictSettled, { op_id, device_id, decision, reason, by });
      }
      default:
        return updateLocation(state, command);
    }
  },
  evolve(state, { type, data }) {
    const { locations, bays } = state;
    if (type === LocationsPut.type)
      for (const location of data['locations'] as Location[])
        locations.set(location.code, { location, blocked: locations.get(location.code)?.blocked ?? false });
    if (type === LocationsRemoved.type) for (const code of data['codes'] as string[]) locations.delete(code);
    if (type === LocationBlocked.type) block(locations, data['code'] as string, true);
    if (type === LocationUnblocked.type) block(locations, data['code'] as string, false);
    if (type === BayGiven.type) {
      const { date, route_id, bay } = data as { date: string; route_id: number; bay: string };
      bays.set(date, (bays.get(date) ?? new Map<number, string>()).set(route_id, bay));
    }
    return state;
  },
});

/** The reply to `giveBay` is the bay of the route. */
export const warehouses: Decider<EntityState<WarehouseState>, WarehouseCommand, string | undefined> = {
  ...warehouse,
  decide(state, command) {
    const { facts } = warehouse.decide(state, command);
    return { facts, reply: command.do === 'giveBay' ? bayOf(state.own, command) : undefined };
  },
};

/**
 * The bay of the route on that day. A new bay is the first free staging location, or a number if all of them are in
 * use.
 */
function bayOf({ locations, bays }: WarehouseState, { routeId, date }: { routeId: number; date: string }): string {
  const given = bays.get(date) ?? new Map<number, string>();
  const own = given.get(routeId);
  if (own !== undefined) return own;
  const taken = new Set(given.values());
  const staging = [...locations.values()]
    .filter(({ location, blocked }) => location.kind === 'staging' && !blocked)
    .map(({ location }) => location)
    .sort((a, b) => a.sequence - b.sequence || (a.code < b.code ? -1 : 1));
  return staging.find(({ code }) => !taken.has(code))?.code ?? String(given.size + 1);
}

function updateLocation(
  { locations }: WarehouseState,
  { code, changes, blocked, reason }: Extract<WarehouseChange, { do: 'updateLocation' }>,
): NewEvent[] {
  const known = locations.get(code);
  if (!known) throw new DomainError('LOCATION_NOT_FOUND');
  const next = compact({ ...known.location, ...changes });
  return [
    ...(isDeepStrictEqual(next, known.location) ? [] : [newEvent(LocationsPut, { locations: [next] })]),
    ...(blocked === true ? [newEvent(LocationBlocked, { code, reason })] : []),
    ...(blocked === false && known.blocked ? [newEvent(LocationUnblocked, { code })] : []),
  ];
}

function block(locations: WarehouseState['locations'], code: string, blocked: boolean): void {
  const one = locations.get(code);
  if (one) locations.set(code, { ...one, blocked });
}
