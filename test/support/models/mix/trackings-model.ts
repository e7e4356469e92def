/**
 * A simple model of pushed scans as the protocol defines them: the owner of a tracking, known scans, and retractions.
 */
import fc from 'fast-check';

export const NUMBERS = 5;
/** Number of scans that a pusher has for one number; each has its own id, time and status. */
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

/** The driver opens no trackings: it writes to the carrier's trackings if it has access. */
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
  /** Uses ids of the carrier. */
  carriersIds: fc.constantFrom(false, false, false, false, false, true),
  /** Content of a scan: another text under the same id amends the scan. */
  variant: fc.constantFrom(0, 0, 0, 0, 1),
  order: fc.constantFrom(undefined, undefined, 'O1', 'O2'),
});
export type TrackingStep = typeof trackingStep extends fc.Arbitrary<infer T> ? T : never;

/**
 * Returns the time of a scan. The day depends on the slot, in mixed order. Hour and minute depend on the pusher and the
 * owner of the id, so that all scans of a tracking have different times.
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
  /** The variants that were recorded; the last one counts. */
  readonly variants: readonly number[];
}

export interface PlainTracking {
  readonly number: number;
  order: string | undefined;
  driverMayWrite: boolean;
  /** All scans of the mix are from before any change of access, so a driver may report them also afterwards. */
  driverHadAccess: boolean;
  /** Revision of the order event that defines its plan; -1: none. */
  plannedBy: number;
  erased: boolean;
  /** By id. */
  readonly scans: Map<string, PlainScan>;
  /** `<pusher> <id of the scan>`. */
  readonly retracted: Set<string>;
}

export type PlainOutcome =
  | 'accepted'
  | 'updated'
  | 'duplicate'
  | 'UNKNOWN_SHIPMENT'
  | 'NOT_YOUR_SHIPMENT'
  | 'NOT_YOUR_EVENT'
  | 'EVENT_ID_REUSED';

export const scanName = (by: PusherName, number: number, slot: number): string => `${by} ${number} ${slot}`;

export class TrackingsModel {
  /** By `<owner> <number>`. */
  readonly trackings = new Map<string, PlainTracking>();

  of(owner: PusherName, number: number): PlainTracking | undefined {
    return this.trackings.get(`${owner} ${number}`);
  }

  /** Applies a push or a retraction and returns the outcome of each slot. */
  apply(step: TrackingStep): PlainOutcome[] {
    const { act, pusher, number, slots, carriersIds, variant, order } = step;
    const target =
      pusher === 'driver'
        ? this.of('carrier', number)
        : (this.of(pusher, number) ?? {
            number,
            order: undefined,
            driverMayWrite: false,
            driverHadAccess: false,
            plannedBy: -1,
            erased: false,
            scans: new Map<string, PlainScan>(),
            retracted: new Set<string>(),
          });
    if (!target || (pusher === 'driver' && !target.driverHadAccess))
      return slots.map(() => (target || this.of('other', number) ? 'NOT_YOUR_SHIPMENT' : 'UNKNOWN_SHIPMENT'));
    const outcomes = slots.map((slot): PlainOutcome => {
      const id = scanName(carriersIds ? 'carrier' : pusher, number, slot);
      const before = target.scans.get(id);
      if (act === 'retract') {
        if (before && before.pusher !== pusher) return 'NOT_YOUR_EVENT';
        if (target.retracted.has(`${pusher} ${id}`)) return 'duplicate';
        target.retracted.add(`${pusher} ${id}`);
        return 'accepted';
      }
      if (before && before.pusher !== pusher) return 'EVENT_ID_REUSED';
      if (before) {
        // Without the key of an erased person, texts are neither stored nor compared.
        const isRetracted = target.retracted.has(`${pusher} ${id}`);
        if (before.variants.includes(variant) || isRetracted || target.erased) return 'duplicate';
        target.scans.set(id, { ...before, variants: [...before.variants, variant] });
        return 'updated';
      }
      target.scans.set(id, { pusher, slot, variants: [variant], time: timeOf(step, slot) });
      return 'accepted';
    });
    if (!outcomes.includes('accepted') && !outcomes.includes('updated')) return outcomes;
    // The owner changes an identifier; a provider with access only adds one.
    target.order = pusher === 'driver' ? (target.order ?? order) : (order ?? target.order);
    if (pusher !== 'driver') this.trackings.set(`${pusher} ${number}`, target);
    return outcomes;
  }

  /** Returns the scans that are not retracted, oldest first: `[id, scan]`. */
  activeScans({ scans, retracted }: PlainTracking): [string, PlainScan][] {
    return [...scans]
      .filter(([id, { pusher }]) => !retracted.has(`${pusher} ${id}`))
      .sort(([, a], [, b]) => (a.time < b.time ? -1 : 1));
  }

  /** Returns the status of the latest scan. After a final status, later scans are ignored. */
  statusOf(tracking: PlainTracking): string | null {
    const statuses = this.activeScans(tracking).map(([, { slot }]) => statusOf(tracking.number, slot));
    // A label that is recorded after other scans is no progress.
    const moving = statuses.filter((status, index) => status !== 'information_submitted' || index === 0);
    return moving.find((status) => status === 'delivered') ?? moving.at(-1) ?? null;
  }
}
