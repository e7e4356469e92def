/** Finds the tracking that a provider refers to by a subject, and checks whether the provider may open one. */
import { PROFILE, type Subject } from '../../events/otep/model.js';
import { identifiersOf, isTrackingNumber, trackingId } from '../../events/trackings/events.js';
import { isOurNumber } from '../../events/orders/numbers.js';
import type { Opening, RejectionCode } from './command.js';
import type { KnownTracking, Pusher, TrackingDirectory } from './directory.js';
import { hadAccess, isOfAnOrder, namesReserved } from './reserved.js';

export type { KnownTracking, Pusher, TrackingDirectory };

export interface Target {
  readonly id: string;
  readonly opening?: Opening;
  /** The tracking does not exist yet. */
  readonly isNew?: boolean;
}

/**
 * The trackings of a number, oldest first. New events go to the last one. Earlier versions of the service divided the
 * scans of a number into several trackings, so an event may already be known to an earlier one.
 */
export type Targets = readonly [Target, ...Target[]];

export type Resolve = (
  pusher: Pusher,
  subject: Subject,
) => Promise<{ readonly targets: Targets } | { readonly code: RejectionCode }>;

export function createTargets(directory: TrackingDirectory): Resolve {
  async function findAll(identifiers: readonly string[], fresh = false): Promise<readonly KnownTracking[]> {
    const found = await Promise.all(identifiers.map((identifier) => directory.find(identifier, { fresh })));
    return [...new Map(found.flat().map((tracking) => [tracking.id, tracking])).values()];
  }

  /**
   * Finds the trackings that a provider refers to. The provider's own trackings come first, then those that the provider
   * was given access to. If there are none and the provider may open trackings, the result is a new tracking.
   */
  return async function resolve(pusher, subject) {
    const identifiers = namesOf(subject);
    let known = await findAll(identifiers);
    let named = trackingsOf(pusher, subject, known);
    // A provider that may open trackings needs no fresh lookup for a plain number, because the number determines the
    // stream. For other identifiers, the read model may be out of date.
    const number = subject.tracking_number;
    if (
      named.length === 0 &&
      (identifiers.length > 1 || number === undefined || isOurNumber(number) || !pusher.mayOpen)
    ) {
      known = await findAll(identifiers, true);
      named = trackingsOf(pusher, subject, known);
    }
    const [first, ...later] = named;
    if ((first || pusher.mayOpen) && (await namesReserved(directory, pusher, subject)))
      return { code: 'NUMBER_RESERVED' };
    if (first) return { targets: [targetOf(pusher, first), ...later.map((tracking) => targetOf(pusher, tracking))] };
    if (!pusher.mayOpen) return { code: known.length > 0 ? 'NOT_YOUR_SHIPMENT' : 'UNKNOWN_SHIPMENT' };
    // Only providers that were given a parcel of this service may push events for it.
    if (number !== undefined && (isOurNumber(number) || known.some((one) => isOfAnOrder(one, number))))
      return { code: 'NUMBER_RESERVED' };
    const owner = { kind: 'provider', id: pusher.id } as const;
    const opening = openingOf({ owner, number: identifiers[0]!, generation: 0 });
    return { targets: [{ id: trackingId(owner, opening.number, opening.generation), opening, isNew: true }] };
  };
}

const targetOf = (pusher: Pusher, tracking: KnownTracking): Target => ({
  id: tracking.id,
  ...(isOwn(pusher, tracking) && { opening: openingOf(tracking) }),
});

const byGeneration = (a: KnownTracking, b: KnownTracking): number => a.generation - b.generation;
const isOwn = (pusher: Pusher, { owner }: KnownTracking): boolean =>
  owner.kind === 'provider' && owner.id === pusher.id;

const openingOf = ({ owner, number, generation }: Omit<Opening, 'profile'>): Opening => ({
  owner,
  number,
  generation,
  profile: PROFILE,
});

/**
 * The identifiers of this parcel. An order id may refer to several parcels, so it is used only without other
 * identifiers.
 */
function namesOf({ order_id, ...parcel }: Subject): string[] {
  const names = identifiersOf(parcel);
  return names.length > 0 ? names : identifiersOf({ order_id } as Subject);
}

/**
 * The trackings of the number that a provider refers to, oldest first. If the subject has a tracking number, that number
 * decides. Other identifiers then lead only to trackings that were opened without a number.
 */
function trackingsOf(pusher: Pusher, { tracking_number }: Subject, known: readonly KnownTracking[]): KnownTracking[] {
  const fitting = known.filter(
    ({ number }) => tracking_number === undefined || number === tracking_number || !isTrackingNumber(number),
  );
  const own = fitting.filter((tracking) => isOwn(pusher, tracking));
  const mine = own.length > 0 ? own : fitting.filter((tracking) => hadAccess(tracking, pusher));
  return mine.filter(({ number }) => number === mine[0]!.number).sort(byGeneration);
}
