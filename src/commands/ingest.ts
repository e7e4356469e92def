/** From pushed timelines to trackings: whose shipment it is, which stream it is, what became of every event. */
import type { Finding } from '../events/otep/check/findings.js';
import type { InputEvent } from '../events/otep/check/event.js';
import { identifiersOf, isTrackingNumber, trackingId, trackingStream, type Owner } from '../events/trackings.js';
import { PROFILE, type SourceType, type Subject } from '../events/otep/model.js';
import type { Position } from '../events/log.js';
import type { Cause, Handle } from './handle.js';
import { pushedFrom } from './pushed.js';
import type { Opening, Outcome, Pushed, RejectionCode, TrackingCommand } from './trackings.js';

export interface Pusher {
  readonly id: string;
  readonly kind: SourceType;
  readonly mayOpen: boolean;
}

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

/** One timeline of a push: an event is either well-formed, or its findings say what is wrong. */
export interface PushedTimeline {
  readonly subject: Subject;
  readonly events: readonly (InputEvent | { readonly errors: readonly Finding[] })[];
}

export type EventOutcome =
  | { readonly outcome: 'accepted' | 'duplicate'; readonly event_id: string }
  | { readonly outcome: 'rejected'; readonly event_id?: string; readonly code: RejectionCode }
  | { readonly outcome: 'rejected'; readonly event_id?: string; readonly errors: readonly Finding[] };

export interface Ingested {
  /** Per timeline, per event, in the order of the push. */
  readonly outcomes: readonly (readonly EventOutcome[])[];
  /** The latest position that the push led to; undefined when it changed nothing. */
  readonly position: Position | undefined;
}

export interface IngestOptions {
  readonly handle: Handle<TrackingCommand, readonly Outcome[]>;
  readonly directory: TrackingDirectory;
}

export type Ingest = (pusher: Pusher, timelines: readonly PushedTimeline[], cause: Cause) => Promise<Ingested>;

interface Target {
  readonly id: string;
  readonly opening?: Opening;
}

/** A number does not come round more often than this within one push. */
const MAX_GENERATIONS = 8;

/** The answer comes after the events are durable. Throws `LogUnavailable`; what was already appended then is a duplicate on the retry. */
export function createIngest({ handle, directory }: IngestOptions): Ingest {
  async function pushTimeline(pusher: Pusher, { subject, events }: PushedTimeline, cause: Cause): Promise<{ outcomes: EventOutcome[]; position: Position | undefined }> {
    const pushed = events.map((event) => ('errors' in event ? undefined : pushedFrom(event, pusher)));
    const outcomes: EventOutcome[] = events.map((event) => ('errors' in event ? { outcome: 'rejected', errors: event.errors } : { outcome: 'rejected', code: 'UNKNOWN_SHIPMENT' }));
    let waiting = pushed.flatMap((one, index) => (one ? [{ one, index }] : []));
    let position: Position | undefined;
    for (let generation = 0; waiting.length > 0 && generation < MAX_GENERATIONS; generation++) {
      const target = await resolve(pusher, subject, generation);
      if ('code' in target) {
        for (const { one, index } of waiting) outcomes[index] = { outcome: 'rejected', event_id: eventIdOf(one), code: target.code };
        return { outcomes, position };
      }
      const command = { kind: 'push', id: target.id, provider: pusher.id, subject, pushed: waiting.map(({ one }) => one), ...(target.opening && { opening: target.opening }) } as const;
      const handled = await handle(trackingStream(target.id), command, cause);
      if (handled.position !== undefined && (position === undefined || handled.position > position)) position = handled.position;
      const later: typeof waiting = [];
      waiting.forEach((entry, at) => {
        const judged = handled.reply[at]!;
        const event_id = eventIdOf(entry.one);
        if (judged.outcome === 'later_generation') later.push(entry);
        else if (judged.outcome === 'rejected') outcomes[entry.index] = { ...judged, event_id };
        else outcomes[entry.index] = { outcome: judged.outcome, event_id };
      });
      waiting = later;
    }
    return { outcomes, position };
  }

  /**
   * The tracking that a provider means: its own, else one that it was given, else a new one where it may open. `skip` leaves out
   * that many generations that turned out to have ended long before.
   */
  async function resolve(pusher: Pusher, subject: Subject, skip: number): Promise<Target | { readonly code: RejectionCode }> {
    const identifiers = namesOf(subject);
    let known = await findAll(identifiers);
    let lives = livesOf(pusher, subject, known);
    // A number names its stream, so whoever may open can go by it alone; anything else may be known since the read model's last look.
    if (!lives[skip] && (identifiers.length > 1 || subject.tracking_number === undefined || !pusher.mayOpen)) {
      known = await findAll(identifiers, true);
      lives = livesOf(pusher, subject, known);
    }
    const tracking = lives[skip];
    if (tracking) return { id: tracking.id, ...(isOwn(pusher, tracking) && { opening: openingOf(tracking) }) };
    if (!pusher.mayOpen) return { code: known.length > 0 ? 'NOT_YOUR_SHIPMENT' : 'UNKNOWN_SHIPMENT' };
    const last = lives.findLast((life) => isOwn(pusher, life));
    const owner = { kind: 'provider', id: pusher.id } as const;
    const opening = openingOf({ owner, number: last?.number ?? identifiers[0]!, generation: Math.max(skip, (last?.generation ?? -1) + 1) });
    return { id: trackingId(owner, opening.number, opening.generation), opening };
  }

  async function findAll(identifiers: readonly string[], fresh = false): Promise<readonly KnownTracking[]> {
    const found = await Promise.all(identifiers.map((identifier) => directory.find(identifier, { fresh })));
    return [...new Map(found.flat().map((tracking) => [tracking.id, tracking])).values()];
  }

  return async (pusher, timelines, cause) => {
    const done = await Promise.all(timelines.map((timeline) => pushTimeline(pusher, timeline, cause)));
    const positions = done.flatMap(({ position }) => (position === undefined ? [] : [position])).sort();
    return { outcomes: done.map(({ outcomes }) => outcomes), position: positions.at(-1) };
  };
}

const eventIdOf = ({ scan, retraction }: Pushed): string => (scan ?? retraction)!.event_id;
const byGeneration = (a: KnownTracking, b: KnownTracking): number => a.generation - b.generation;
const isOwn = (pusher: Pusher, { owner }: KnownTracking): boolean => owner.kind === 'provider' && owner.id === pusher.id;

const openingOf = ({ owner, number, generation }: Omit<Opening, 'profile'>): Opening => ({ owner, number, generation, profile: PROFILE });

/** What names this one parcel. An order may be many parcels: it counts only where nothing else was given. */
function namesOf({ order_id, ...parcel }: Subject): string[] {
  const names = identifiersOf(parcel);
  return names.length > 0 ? names : identifiersOf({ order_id } as Subject);
}

/**
 * The lives of the number that a provider means, oldest first: an event goes to the first one that it fits. A tracking number
 * decides where it is given; by another identifier it leads only to a tracking that was opened without a number.
 */
function livesOf(pusher: Pusher, { tracking_number }: Subject, known: readonly KnownTracking[]): KnownTracking[] {
  const fitting = known.filter(({ number }) => tracking_number === undefined || number === tracking_number || !isTrackingNumber(number));
  const own = fitting.filter((tracking) => isOwn(pusher, tracking));
  const mine = own.length > 0 ? own : fitting.filter(({ writers }) => writers.includes(pusher.id));
  return mine.filter(({ number }) => number === mine[0]!.number).sort(byGeneration);
}
