/** The known facts for a plan: orders with their positions, drivers with their day. */
import { createHash } from 'node:crypto';
import type { Position } from '../../../solvers/distances/distances.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { LocatedStop } from '../../../projections/orders/order.js';
import { BY_PERSON, type OrderType } from '../../../events/orders/events.js';
import type { Lock, PlannedStop } from '../../../events/routes/events.js';
import type { Route } from '../../../projections/routes/queries.js';
import type { Vehicle } from '../../../events/fleets/events.js';
import type { StandardCapacity, CustomAmounts } from './capacities.js';
import type { WorkHours } from './work-hours.js';

export const STOPS_OF: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
};

/** The planning party: a business, or one of its contractors. */
export interface Planner {
  readonly business: number;
  readonly brokerId?: number;
  readonly timezone: string;
}

/** A route that has a driver. */
export type PlannedRoute = Route & { readonly driver_id: number };

/** The known facts of a route that is replanned. */
export interface ExistingRoute {
  readonly route: PlannedRoute;
  /** Unfinished orders, in the sequence of the last plan. */
  readonly orders: readonly Order[];
  /** Completed stops, as they were planned. */
  readonly done: readonly PlannedStop[];
  /** The driver has completed at least one stop. */
  readonly underWay: boolean;
  /** The part that is already driven reduces the limits of the route. */
  readonly spent?: CompletedPart;
  /** The last completed stop, by the plan: the route continues from there. */
  readonly last?: { readonly position: Position; readonly leave: number };
}

/** The completed part of a route that is under way, by its plan. */
export interface CompletedPart {
  /** Collected orders whose goods stay on board until the end of the route. */
  readonly carried: readonly Order[];
  readonly stops: number;
  readonly metres: number;
  /** Start of the route, in epoch seconds. */
  readonly began: number;
}

/** A driver on the planned day. */
export interface DriverOfDay {
  readonly driverId: number;
  readonly vehicleId?: string;
  /** The existing route of the driver, on which orders are planned. */
  readonly routeId?: number;
  readonly start: Position;
  /** Null: the route ends at its last stop. */
  readonly end: Position | null;
  /**
   * The route begins or ends at a private place of the driver. Files with it are erased together with the driver's
   * account.
   */
  readonly personal?: boolean;
  /** The shift of the driver; absent: the default shift. */
  readonly shiftId?: number;
  /** The fleet of the shift. */
  readonly fleetId?: number;
  readonly work: WorkHours;
  /** The completed part of the driver's existing route. */
  readonly spent?: CompletedPart;
  /** Earliest start, in epoch seconds. */
  readonly notBefore?: number;
  /** Kilograms, cubic metres; absent: no limit. */
  readonly capacity: Readonly<Partial<Record<StandardCapacity, number>>> & {
    readonly custom?: CustomAmounts | undefined;
  };
  /** Speed of the vehicle relative to the map; 1 is equal. */
  readonly speedFactor?: number;
  /** Prices of the vehicle, in hundredths of the currency; absent members: the general prices. */
  readonly cost?: Vehicle['cost'];
  /** Skill codes of the driver and the vehicle. */
  readonly skills?: readonly string[];
}

/** An order with its requirements for plans. */
export interface OrderOfDay {
  readonly orderId: number;
  readonly order: Order;
  readonly at: Readonly<Partial<Record<'pickup' | 'delivery', Position>>>;
  /** The current route of the order. */
  readonly routeId?: number;
  /** The only driver who may have the order; `lock` is the reason. */
  readonly driverId?: number;
  readonly lock?: Lock;
  /** The warehouse of the goods: the route must begin there for deliveries, and end there for pick-ups. */
  readonly warehouse?: Position;
  /** Position in the current sequence, from 1. */
  readonly place?: Readonly<Record<'pickup' | 'delivery', number>>;
  /** The goods are already collected and with the driver. */
  readonly inHand: boolean;
  /** The order keeps its position among the ranked orders of its route. */
  readonly ranked?: boolean;
}

const E6 = 1_000_000;
/** The position of a stop, unless it is only known by city. */
export const positionOf = (stop: LocatedStop | undefined): Position | undefined =>
  stop?.position && stop.located?.precision !== 'city'
    ? { latitude: Math.round(stop.position.latitude * E6), longitude: Math.round(stop.position.longitude * E6) }
    : undefined;

/** Sizes of an order, in units of the capacities: pieces, grams, litres. Unknown sizes count as zero. */
export function sizesOf({ packages }: Pick<Order, 'packages'>): Readonly<Record<StandardCapacity, number>> {
  const sum = (size: (one: Order['packages'][number]) => number) => packages.reduce((all, one) => all + size(one), 0);
  return {
    orders: 1,
    packages: packages.length,
    weight: Math.ceil(sum(({ weight = 0 }) => weight * 1_000)),
    volume: Math.ceil(sum(({ length = 0, width = 0, height = 0 }) => length * width * height) / 1_000),
  };
}

/**
 * Fingerprint of the facts on which a plan relies. A different fingerprint at the commit means that the order changed.
 */
export function orderFingerprint(order: Order): string {
  const relevantFields = [
    order.type,
    STOPS_OF[order.type].map((kind) => (isFromUser(order[kind]) ? (positionOf(order[kind]) ?? null) : null)),
    order.time_windows.map(({ stop, from, to }) => [stop, from, to]),
    order.schedule_date,
    sizesOf(order),
    order.warehouse_id,
    // Included only if present, so that fingerprints of earlier plans stay the same.
    ...(order.planning?.custom_sizes ? [order.planning.custom_sizes] : []),
    ...(order.planning?.required_skills ? [{ skills: order.planning.required_skills }] : []),
  ];
  return createHash('sha256').update(JSON.stringify(relevantFields)).digest('hex').slice(0, 16);
}

/** A position that a geocoder finds later does not count as a change, because the plan used the same geocoder. */
const isFromUser = (stop: LocatedStop | undefined): boolean =>
  (stop?.located?.source.geocoder ?? BY_PERSON) === BY_PERSON;
