/** Decides commands on a route. Orders join and leave a route by commands on the orders. */
import type { z } from 'zod';
import type { Fact } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import { derivedId } from '../../events/otep/identity.js';
import {
  RouteClosed,
  RouteCreated,
  routeSubject,
  RouteDriverAssigned,
  RoutePlanned,
  RouteStopsPinned,
  RouteStopsUnpinned,
  type Pin,
  type RouteKind,
  type RouteStatus,
} from '../../events/routes/events.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { evolveBoard, noBoard, type BoardState } from './board-state.js';
import { closed, decideBoard, placeOf, reassigned, type BoardChange, type Promoting } from './board.js';

/**
 * `commandId`: UUID of the request; a retry sends the same UUID. `brokerId`: the calling contractor. Routes that it did
 * not create are treated as missing. Absent: the business itself.
 */
export type RouteCommand = {
  readonly commandId: string;
  readonly routeId: number;
  readonly business: number;
  readonly brokerId?: number;
  readonly by?: number;
} & (
  | {
      readonly do: 'create';
      readonly name: string;
      readonly schedule_date: string;
      readonly driverId?: number;
      /** Absent: a tour. */
      readonly kind?: RouteKind;
      readonly vehicleId?: string;
      readonly fleetId?: number;
    }
  | ({ readonly do: 'assign_driver'; readonly driverId: number | undefined } & Partial<Promoting>)
  | BoardChange
  | { readonly do: 'close' }
  /**
   * Sets the order of the stops.
   *
   * - By hand: `seen` is the revision of the route on which the sequence is based.
   * - By a plan: `driverId` is the planned driver. Throws ROUTE_DRIVER_CHANGED if the route has a different driver now.
   */
  | {
      readonly do: 'sequence';
      readonly seen?: number;
      readonly driverId?: number;
      readonly planned: Omit<z.infer<typeof RoutePlanned.schema>, 'planned_by'>;
    }
  /** Pins stops, so that plans do not change them. Null: removes the pins. */
  | { readonly do: 'pin'; readonly orderIds: readonly number[]; readonly pin: Pin | null }
  /**
   * Changes nothing. Throws if the caller may not put orders on the route. A business may not put orders on a
   * contractor's route.
   */
  | { readonly do: 'plan' }
  /** Changes nothing. Throws if the caller may not take orders off the route. */
  | { readonly do: 'unplan' }
);

interface RouteState {
  /** Undefined: the route does not exist. */
  business: number | undefined;
  brokerId: number | undefined;
  driverId: number | undefined;
  status: RouteStatus;
  readonly pins: Map<number, Pin>;
  readonly board: BoardState;
  /**
   * `revision`: revision of the last event. `planned`: revision of the last event that changed the plan or the driver;
   * sequences are based on it.
   */
  revision: number;
  planned: number;
  readonly done: Set<string>;
}

/** For a driver in the queue: the position, from 1. Null: the route is already reserved for the driver. */
export type RouteReply = { readonly place: number | null } | undefined;

export const routes: Decider<RouteState, RouteCommand, RouteReply> = {
  initial: () => ({
    business: undefined,
    brokerId: undefined,
    driverId: undefined,
    status: 'open',
    pins: new Map(),
    board: noBoard(),
    revision: -1,
    planned: -1,
    done: new Set(),
  }),

  decide(state, command) {
    const id = derivedId('route', command.routeId, command.commandId);
    if (command.do !== 'create') expectFound(state, command);
    const data = state.done.has(id) ? [] : [decideData(state, command) ?? []].flat();
    const idOf = (n: number): string => (n === 0 ? id : derivedId('route', command.routeId, command.commandId, n));
    const facts = data.map((one, n) => ({ id: idOf(n), ...one }) as Fact);
    return { facts, reply: command.do === 'standby' ? { place: placeOf(state.board, command.driverId) } : undefined };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    state.revision += 1;
    if (type === RoutePlanned.type || type === RouteDriverAssigned.type) state.planned = state.revision;
    evolveBoard(state.board, { id, type, data });
    if (type === RouteCreated.type)
      Object.assign(state, { business: data['business'], brokerId: data['broker_id'], driverId: data['driver_id'] });
    if (type === RouteDriverAssigned.type) state.driverId = data['driver_id'] as number | undefined;
    if (type === RouteClosed.type) state.status = 'closed';
    const orders = (data['order_ids'] ?? []) as readonly number[];
    if (type === RouteStopsPinned.type) for (const order of orders) state.pins.set(order, data['pin'] as Pin);
    if (type === RouteStopsUnpinned.type) for (const order of orders) state.pins.delete(order);
    return state;
  },
};

/**
 * Routes of other businesses get the same error as missing routes. For a contractor, the same applies to routes of the
 * business and of other contractors.
 */
function expectFound(state: RouteState, { business, brokerId }: RouteCommand): void {
  if (state.business !== business || (brokerId !== undefined && state.brokerId !== brokerId))
    throw new DomainError('ROUTE_NOT_FOUND');
}

const fact = <T>(type: EventType<T>, data: T): Pick<Fact, 'type' | 'data'> => ({
  type: type as unknown as Fact['type'],
  data,
});

/**
 * Commands that offer or take a route. Not allowed on a closed route; its driver may still start, finish and return it.
 */
const TAKES: ReadonlySet<RouteCommand['do']> = new Set(['post', 'claim', 'standby', 'confirm']);

function decideData(
  state: RouteState,
  command: RouteCommand,
): Pick<Fact, 'type' | 'data'> | readonly Pick<Fact, 'type' | 'data' | 'subject'>[] | undefined {
  const { by } = command;
  switch (command.do) {
    case 'create': {
      if (state.business !== undefined) throw new DomainError('CONFLICT');
      const { routeId, business, name, schedule_date, driverId, brokerId, kind, vehicleId, fleetId } = command;
      const created = fact(RouteCreated, {
        route_id: routeId,
        business,
        name,
        schedule_date,
        driver_id: driverId,
        broker_id: brokerId,
        created_by: by,
        kind,
        vehicle_id: vehicleId,
        fleet_id: fleetId,
      });
      return [{ ...created, subject: routeSubject(routeId) }];
    }
    case 'assign_driver':
      mustBeOpen(state);
      if (state.driverId === command.driverId) return undefined;
      return [
        fact(RouteDriverAssigned, { driver_id: command.driverId, assigned_by: by }),
        ...reassigned(state, command.driverId, { now: command.now ?? 0, eligible: command.eligible ?? new Set() }),
      ];
    case 'close':
      if (state.status === 'closed') return undefined;
      return [fact(RouteClosed, { closed_by: by }), ...closed(state)];
    case 'sequence':
      mustBeOpen(state);
      // The sequence is based on an old state: its times may belong to another driver, or it would undo a newer plan.
      if (state.planned > (command.seen ?? state.planned)) throw new DomainError('CONFLICT');
      if ((command.driverId ?? state.driverId) !== state.driverId) throw new DomainError('ROUTE_DRIVER_CHANGED');
      return fact(RoutePlanned, { ...command.planned, planned_by: by });
    case 'pin': {
      mustBeOpen(state);
      const { pin } = command;
      const order_ids = command.orderIds.filter((order) => state.pins.get(order) !== (pin ?? undefined));
      if (order_ids.length === 0) return undefined;
      return pin
        ? fact(RouteStopsPinned, { order_ids, pin, pinned_by: by })
        : fact(RouteStopsUnpinned, { order_ids, unpinned_by: by });
    }
    case 'plan':
      mustBeOpen(state);
      if (state.brokerId !== command.brokerId) throw new DomainError('FORBIDDEN');
      return undefined;
    case 'unplan':
      return undefined;
    default:
      if (TAKES.has(command.do)) mustBeOpen(state);
      return decideBoard(state, command);
  }
}

function mustBeOpen({ status }: RouteState): void {
  if (status === 'closed') throw new DomainError('ROUTE_CLOSED');
}
