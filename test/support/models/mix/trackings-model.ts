/**
 * Pushed scans as the protocol has them, as plainly as it can be written down: whose tracking it is, what was seen
 * before, what was taken back.
 */
import fc from 'fast-check';

export const NUMBERS = 5;
/** Scans that a pusher knows of one number: each has an id, a time and a status of its own. */
const SLOTS = 12;
const STATUSES = [
  'information_submitted',
  'picked_up',
  'arrival_scan',
  'in_transit',
  'out_for_delivery',
  'delivery_failed',
  'delivered',
] as const;

/** The driver opens nothing: it writes to the carrier's trackings, where it was let in. */
export type PusherName = 'carrier' | 'other' | 'driver';

export const trackingStep = fc.record({
  act: fc.constantFrom(
    'push',
    'push',
    'push',
    'push',
    'push',
    'push',
    'push',
    'retract',
    'retract',
    'grant',
    'grant',
    'revoke',
    'plan',
    'erase',
  ),
  pusher: fc.constantFrom<PusherName>('carrier', 'carrier', 'other', 'driver', 'driver'),
  number: fc.oneof(
    { weight: 40, arbitrary: fc.integer({ min: 1, max: NUMBERS }) },
    { weight: 1, arbitrary: fc.constant(NUMBERS + 1) },
  ),
  slots: fc.array(fc.integer({ min: 0, max: SLOTS - 1 }), { minLength: 1, maxLength: 4 }),
  /** Under ids of the carrier's. */
  carriersIds: fc.constantFrom(false, false, false, false, false, true),
  /** What it says of a scan: another text under the same id is another event. */
  variant: fc.constantFrom(0, 0, 0, 0, 1),
  order: fc.constantFrom(undefined, undefined, 'O1', 'O2'),
});
export type TrackingStep = typeof trackingStep extends fc.Arbitrary<infer T> ? T : never;

/**
 * Days by slot, later ones before earlier ones, and minutes by who says it under whose id, so that no two scans of a
 * tracking have one time.
 */
export const timeOf = ({ pusher, number, carriersIds }: TrackingStep, slot: number): string =>
  new Date(
    Date.UTC(
      2026,
      0,
      1 + ((slot * 5 + number * 3) % SLOTS),
      pusher === 'carrier' || !carriersIds ? 8 : 9,
      ['carrier', 'other', 'driver'].indexOf(pusher),
    ),
  ).toISOString();
export const statusOf = (number: number, slot: number): string => STATUSES[(slot + number) % STATUSES.length]!;
export const textOf = (slot: number, variant: number): string => `seen ${slot} ${variant}`;

interface PlainScan {
  readonly pusher: PusherName;
  readonly slot: number;
  readonly time: string;
  readonly variant: number;
}

export interface PlainTracking {
  readonly number: number;
  order: string | undefined;
  driverMayWrite: boolean;
  /** Revision of the order's event that its plan follows from; -1: none. */
  plannedBy: number;
  erased: boolean;
  /** By id. */
  readonly scans: Map<string, PlainScan>;
  /** `<pusher> <id of the scan>`. */
  readonly takenBack: Set<string>;
}

export type PlainOutcome =
  'accepted' | 'duplicate' | 'UNKNOWN_SHIPMENT' | 'NOT_YOUR_SHIPMENT' | 'NOT_YOUR_EVENT' | 'EVENT_ID_REUSED';

export const scanName = (by: PusherName, number: number, slot: number): string => `${by} ${number} ${slot}`;

export class TrackingsModel {
  /** By `<owner> <number>`. */
  readonly trackings = new Map<string, PlainTracking>();

  of(owner: PusherName, number: number): PlainTracking | undefined {
    return this.trackings.get(`${owner} ${number}`);
  }

  /** A push or a retraction: what becomes of each slot. */
  says(step: TrackingStep): PlainOutcome[] {
    const { act, pusher, number, slots, carriersIds, variant, order } = step;
    const target =
      pusher === 'driver'
        ? this.of('carrier', number)
        : (this.of(pusher, number) ?? {
            number,
            order: undefined,
            driverMayWrite: false,
            plannedBy: -1,
            erased: false,
            scans: new Map<string, PlainScan>(),
            takenBack: new Set<string>(),
          });
    if (!target || (pusher === 'driver' && !target.driverMayWrite))
      return slots.map(() => (target || this.of('other', number) ? 'NOT_YOUR_SHIPMENT' : 'UNKNOWN_SHIPMENT'));
    const outcomes = slots.map((slot): PlainOutcome => {
      const id = scanName(carriersIds ? 'carrier' : pusher, number, slot);
      const before = target.scans.get(id);
      if (act === 'retract') {
        if (before && before.pusher !== pusher) return 'NOT_YOUR_EVENT';
        if (target.takenBack.has(`${pusher} ${id}`)) return 'duplicate';
        target.takenBack.add(`${pusher} ${id}`);
        return 'accepted';
      }
      if (before) return before.pusher === pusher && before.variant === variant ? 'duplicate' : 'EVENT_ID_REUSED';
      target.scans.set(id, { pusher, slot, variant, time: timeOf(step, slot) });
      return 'accepted';
    });
    if (!outcomes.includes('accepted')) return outcomes;
    target.order ??= order;
    if (pusher !== 'driver') this.trackings.set(`${pusher} ${number}`, target);
    return outcomes;
  }

  /** Scans that count, oldest first: `[id, scan]`. */
  standing({ scans, takenBack }: PlainTracking): [string, PlainScan][] {
    return [...scans]
      .filter(([id, { pusher }]) => !takenBack.has(`${pusher} ${id}`))
      .sort(([, a], [, b]) => (a.time < b.time ? -1 : 1));
  }

  /** The latest one's, but the first end is the end. */
  statusOf(tracking: PlainTracking): string | null {
    const statuses = this.standing(tracking).map(([, { slot }]) => statusOf(tracking.number, slot));
    return statuses.find((status) => status === 'delivered') ?? statuses.at(-1) ?? null;
  }
}
