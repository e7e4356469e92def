/** Finds the tracking that a provider refers to by a subject, and checks whether the provider may open one. */
import { PROFILE, type Subject } from '../../events/otep/model.js';
import { identifiersOf, isTrackingNumber, trackingId } from '../../events/trackings/events.js';
import { isOurNumber } from '../../events/orders/numbers.js';
import type { Opening, RejectionCode } from './command.js';
import type { KnownTracking, Pusher, TrackingDirectory } from './directory.js';
import { isOfAnOrder, namesReserved } from './reserved.js';

export type { KnownTracking, Pusher, TrackingDirectory };

export interface Target {
  readonly id: string;
  readonly opening?: Opening;
  /** The tracking does not exist yet. */
  readonly isNew?: boolean;
}

export type Resolve = (
  pusher: Pusher,
  subject: Subject,
  skip: number,
) => Promise<Target | { readonly code: RejectionCode }>;

export function createTargets(directory: TrackingDirectory): Resolve {
  async function findAll(identifiers: readonly string[], fresh = false): Promise<readonly KnownTracking[]> {
    const found = await Promise.all(identifiers.map((identifier) => directory.find(identifier, { fresh })));
    return [...new Map(found.flat().map((tracking) => [tracking.id, tracking])).values()];
  }

  /**
   * Finds the tracking that a provider refers to. The provider's own tracking comes first, then a tracking that the
   * provider was given access to. If there is none and the provider may open trackings, the result is a new tracking.
   * `skip`: number of generations to skip because they ended long before the event.
   */
  return async function resolve(
    pusher: Pusher,
    subject: Subject,
    skip: number,
  ): Promise<Target | { readonly code: RejectionCode }> {
    const identifiers = namesOf(subject);
    let known = await findAll(identifiers);
    let lives = livesOf(pusher, subject, known);
    // A provider that may open trackings needs no fresh lookup for a plain number, because the number determines the
    // stream. For other identifiers, the read model may be out of date.
    const named = subject.tracking_number;
    if (!lives[skip] && (identifiers.length > 1 || named === undefined || isOurNumber(named) || !pusher.mayOpen)) {
      known = await findAll(identifiers, true);
      lives = livesOf(pusher, subject, known);
    }
    const tracking = lives[skip];
    const speaksForAnother = (tracking || pusher.mayOpen) && (await namesReserved(directory, pusher, subject));
    if (speaksForAnother) return { code: 'NUMBER_RESERVED' };
    if (tracking) return { id: tracking.id, ...(isOwn(pusher, tracking) && { opening: openingOf(tracking) }) };
    if (!pusher.mayOpen) return { code: known.length > 0 ? 'NOT_YOUR_SHIPMENT' : 'UNKNOWN_SHIPMENT' };
    // Only providers that were given a parcel of this service may push events for it.
    if (named !== undefined && (isOurNumber(named) || known.some((one) => isOfAnOrder(one, named))))
      return { code: 'NUMBER_RESERVED' };
    const last = lives.findLast((life) => isOwn(pusher, life));
    const owner = { kind: 'provider', id: pusher.id } as const;
    const opening = openingOf({
      owner,
      number: last?.number ?? identifiers[0]!,
      generation: Math.max(skip, (last?.generation ?? -1) + 1),
    });
    return { id: trackingId(owner, opening.number, opening.generation), opening, isNew: !last };
  };
}

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
 * The generations of the tracking number that a provider refers to, oldest first. An event goes to the first generation
 * that it fits. If the subject has a tracking number, that number decides. Other identifiers then lead only to
 * trackings that were opened without a number.
 */
function livesOf(pusher: Pusher, { tracking_number }: Subject, known: readonly KnownTracking[]): KnownTracking[] {
  const fitting = known.filter(
    ({ number }) => tracking_number === undefined || number === tracking_number || !isTrackingNumber(number),
  );
  const own = fitting.filter((tracking) => isOwn(pusher, tracking));
  const mine = own.length > 0 ? own : fitting.filter(({ writers }) => writers.includes(pusher.id));
  return mine.filter(({ number }) => number === mine[0]!.number).sort(byGeneration);
}
