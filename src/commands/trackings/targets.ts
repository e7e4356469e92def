/** Which tracking a provider means by a subject, and whether it may open one. */
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
  /** Nobody knows the tracking yet. */
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
   * The tracking that a provider means: its own, else one that it was given, else a new one where it may open. `skip`
   * leaves out that many generations that turned out to have ended long before.
   */
  return async function resolve(
    pusher: Pusher,
    subject: Subject,
    skip: number,
  ): Promise<Target | { readonly code: RejectionCode }> {
    const identifiers = namesOf(subject);
    let known = await findAll(identifiers);
    let lives = livesOf(pusher, subject, known);
    // A number names its stream, so anybody who may open it can go by the number alone; anything else may be known
    // since the read model's last look.
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
    // Nobody speaks for a parcel of this service who was not given it.
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

/** What names this one parcel. An order may be many parcels: it counts only where nothing else was given. */
function namesOf({ order_id, ...parcel }: Subject): string[] {
  const names = identifiersOf(parcel);
  return names.length > 0 ? names : identifiersOf({ order_id } as Subject);
}

/**
 * The lives of the number that a provider means, oldest first: an event goes to the first one that it fits. A tracking
 * number decides where it is given; by another identifier it leads only to a tracking that was opened without a number.
 */
function livesOf(pusher: Pusher, { tracking_number }: Subject, known: readonly KnownTracking[]): KnownTracking[] {
  const fitting = known.filter(
    ({ number }) => tracking_number === undefined || number === tracking_number || !isTrackingNumber(number),
  );
  const own = fitting.filter((tracking) => isOwn(pusher, tracking));
  const mine = own.length > 0 ? own : fitting.filter(({ writers }) => writers.includes(pusher.id));
  return mine.filter(({ number }) => number === mine[0]!.number).sort(byGeneration);
}
