/** What a plan is made from, as it is known: orders with where they go, drivers with their day. */
import { createHash } from 'node:crypto';
import type { Position } from '../../../solvers/distances/distances.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { LocatedStop } from '../../../projections/orders/order.js';
import { BY_PERSON, type OrderType } from '../../../events/orders/events.js';
import type { Lock, PlannedStop } from '../../../events/routes/events.js';
import type { Route } from '../../../projections/routes/queries.js';
import type { Vehicle } from '../../../events/fleets/events.js';
import type { KnownCapacity, OwnAmounts } from './capacities.js';
import type { WorkHours } from './work-hours.js';

export const STOPS_OF: Readonly<Record<OrderType, readonly ('pickup' | 'delivery')[]>> = {
  D: ['delivery'],
  P: ['pickup'],
  P2P: ['pickup', 'delivery'],
};

/** Who plans: a business, or one of its contractors. */
export interface PlannerOf {
  readonly business: number;
  readonly brokerId?: number;
  readonly timezone: string;
}

/** A route that has a driver. */
export type PlannedRoute = Route & { readonly driver_id: number };

/** What is known of a route that is planned anew. */
export interface StandingRoute {
  readonly route: PlannedRoute;
  /** What is not over, in the sequence of its last plan. */
  readonly orders: readonly Order[];
  /** Stops that are over, as they were planned. */
  readonly done: readonly PlannedStop[];
  /** Its driver is on the way. */
  readonly underWay: boolean;
  /** What has been driven of it takes from its limits. */
  readonly spent?: SpentOfRoute;
  /** The last stop that is done, by the plan: the route continues from there. */
  readonly last?: { readonly position: Position; readonly leave: number };
}

/** What is over of a route that is under way, by its plan. */
export interface SpentOfRoute {
  /** Collected, and on board until the end of the route. */
  readonly carried: readonly Order[];
  readonly stops: number;
  readonly metres: number;
  /** When it began, in epoch seconds. */
  readonly began: number;
}

/** A driver, for this day. */
export interface DriverOfDay {
  readonly driverId: number;
  readonly vehicleId?: string;
  /** The route that the driver has already, and is planned on. */
  readonly routeId?: number;
  readonly start: Position;
  /** Null: the route ends at its last stop. */
  readonly end: Position | null;
  /** Where it begins or ends is the driver's own: what holds it goes with the driver's account. */
  readonly personal?: boolean;
  /** The shift that it drives in; absent: the usual one. */
  readonly shiftId?: number;
  /** The fleet whose shift it is. */
  readonly fleetId?: number;
  readonly work: WorkHours;
  /** Of the route that it is on already. */
  readonly spent?: SpentOfRoute;
  /** Not before this moment, in epoch seconds. */
  readonly notBefore?: number;
  /** Kilograms, cubic metres; absent: no limit. */
  readonly capacity: Readonly<Partial<Record<KnownCapacity, number>>> & { readonly custom?: OwnAmounts | undefined };
  /** Of the vehicle: 1 is as fast as the map says. */
  readonly speedFactor?: number;
  /** Of the vehicle, in hundredths of the currency; absent members: as of all. */
  readonly cost?: Vehicle['cost'];
  /** Codes: of driver and vehicle together. */
  readonly skills?: readonly string[];
}

/** An order with what plans want of it. */
export interface OrderOfDay {
  readonly orderId: number;
  readonly order: Order;
  readonly at: Readonly<Partial<Record<'pickup' | 'delivery', Position>>>;
  /** On this route it is now. */
  readonly routeId?: number;
  /** Only this driver may have it, and why. */
  readonly driverId?: number;
  readonly lock?: Lock;
  /** Where a delivery's goods lie, or a pickup's go: its route must begin, or end, there. */
  readonly warehouse?: Position;
  /** Its place in the current sequence, from 1. */
  readonly place?: Readonly<Record<'pickup' | 'delivery', number>>;
  /** Goods that a driver has in hand: they were collected already. */
  readonly inHand: boolean;
  /** Among those of its route that are ranked, it keeps this place. */
  readonly ranked?: boolean;
}

const E6 = 1_000_000;
/** Of a stop that is near enough to drive to. */
export const positionOf = (stop: LocatedStop | undefined): Position | undefined =>
  stop?.position && stop.located?.precision !== 'city'
    ? { latitude: Math.round(stop.position.latitude * E6), longitude: Math.round(stop.position.longitude * E6) }
    : undefined;

/** Sizes of an order, in the units of the capacities: pieces, grams, litres. What is not known weighs nothing. */
export function sizesOf({ packages }: Pick<Order, 'packages'>): Readonly<Record<KnownCapacity, number>> {
  const sum = (size: (one: Order['packages'][number]) => number) => packages.reduce((all, one) => all + size(one), 0);
  return {
    orders: 1,
    packages: packages.length,
    weight: Math.ceil(sum(({ weight = 0 }) => weight * 1_000)),
    volume: Math.ceil(sum(({ length = 0, width = 0, height = 0 }) => length * width * height) / 1_000),
  };
}

/** Fingerprint of what a plan relies on: when it differs at the commit, another order was planned. */
export function factsOf(order: Order): string {
  const relied = [
    order.type,
    STOPS_OF[order.type].map((kind) => (isSaid(order[kind]) ? (positionOf(order[kind]) ?? null) : null)),
    order.time_windows.map(({ stop, from, to }) => [stop, from, to]),
    order.schedule_date,
    sizesOf(order),
    order.warehouse_id,
    // Only where it was said, so that what was planned before is as it was.
    ...(order.planning?.custom_sizes ? [order.planning.custom_sizes] : []),
    ...(order.planning?.required_skills ? [{ skills: order.planning.required_skills }] : []),
  ];
  return createHash('sha256').update(JSON.stringify(relied)).digest('hex').slice(0, 16);
}

/** What a geocoder finds meanwhile is where the plan looked for it. */
const isSaid = (stop: LocatedStop | undefined): boolean => (stop?.located?.source.geocoder ?? BY_PERSON) === BY_PERSON;
