/** Which tracking a provider means by a subject, and whether it may open one. */
import { PROFILE, type Subject } from '../events/otep/model.js';
import { identifiersOf, trackingId, type Owner } from '../events/trackings.js';
import type { Pusher } from './ingest.js';
import type { Opening, RejectionCode } from './trackings.js';

/** What is known of a tracking before its stream is loaded; a directory may lag behind, the decider has the last word. */
export interface KnownTracking {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly writers: readonly string[];
}

export interface TrackingDirectory {
  /** Trackings that an identifier names, of any owner. `fresh`: as of the end of the log at the time of the call. */
  find(identifier: string, options?: { readonly fresh: boolean }): Promise<readonly KnownTracking[]>;
}

export interface Target {
  readonly id: string;
  readonly opening?: Opening;
  /** Nobody knows the tracking yet. */
  readonly isNew?: boolean;
}

export type Resolve = (pusher: Pusher, subject: Subject, skip: number) => Promise<Target | { readonly code: RejectionCode }>;

export function createTargets(directory: TrackingDirectory): Resolve {
  async function findAll(identifiers: readonly string[], fresh = false): Promise<readonly KnownTracking[]> {
    const found = await Promise.all(identifiers.map((identifier) => directory.find(identifier, { fresh })));
    return [...new Map(found.flat().map((tracking) => [tracking.id, tracking])).values()];
  }

  /**
   * The tracking that a provider means: its own under one of the identifiers, else one that it was given, else a new one where
   * it may open. `skip` leaves out that many generations that turned out to have ended long before.
   */
  return async function resolve(pusher: Pusher, subject: Subject, skip: number): Promise<Target | { readonly code: RejectionCode }> {
    const identifiers = identifiersOf(subject);
    const key = identifiers[0]!;
    let known = await findAll(identifiers);
    let target = choose(pusher, known, skip);
    // A number alone names its stream; any other identifier may belong to a tracking that the read model has not seen yet.
    if (!target && (identifiers.length > 1 || subject.tracking_number === undefined)) {
      known = await findAll(identifiers, true);
      target = choose(pusher, known, skip);
    }
    if (target) return target;
    if (!pusher.mayOpen) return { code: known.length > 0 ? 'NOT_YOUR_SHIPMENT' : 'UNKNOWN_SHIPMENT' };
    const last = known.filter((tracking) => isOwn(pusher, tracking)).sort(byGeneration).at(-1);
    const number = last?.number ?? key;
    const generation = Math.max(skip, (last?.generation ?? -1) + 1);
    const owner = { kind: 'provider', id: pusher.id } as const;
    return { id: trackingId(owner, number, generation), opening: { owner, number, generation, profile: PROFILE }, isNew: !last };
  };
}

const byGeneration = (a: KnownTracking, b: KnownTracking): number => a.generation - b.generation;
const isOwn = (pusher: Pusher, { owner }: KnownTracking): boolean => owner.kind === 'provider' && owner.id === pusher.id;

/** Oldest generation first: an event goes to the first life of the number that it fits. */
function choose(pusher: Pusher, known: readonly KnownTracking[], skip: number): Target | undefined {
  const oldestFirst = [...known].sort(byGeneration);
  const own = oldestFirst.filter((tracking) => isOwn(pusher, tracking));
  const given = oldestFirst.filter((tracking) => tracking.writers.includes(pusher.id));
  const mine = own.length > 0 ? own : given;
  const tracking = mine[skip];
  if (!tracking) return undefined;
  return { id: tracking.id, ...(isOwn(pusher, tracking) && { opening: { owner: tracking.owner, number: tracking.number, generation: tracking.generation, profile: PROFILE } }) };
}
