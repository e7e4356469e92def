/** Writes pushed timelines to trackings, and returns the outcome of every event. */
import type { Finding } from '../../events/otep/check/findings.js';
import type { InputEvent } from '../../events/otep/check/event.js';
import { trackingStream } from '../../events/trackings/events.js';
import type { Subject } from '../../events/otep/model.js';
import type { Position } from '../../events/core/log.js';
import type { KeyRing } from '../../events/core/codec.js';
import type { Cause, Handled, Handler } from '../core/handle.js';
import { addPersonalHashes } from './personal-hash.js';
import { pushedFrom } from './pushed.js';
import { createTargets, type Pusher, type Target, type Targets, type TrackingDirectory } from './targets.js';
import type { Outcome, Pushed, RejectionCode, TrackingCommand } from './command.js';

/** One timeline of a push. An event is either well-formed or has a list of errors. */
export interface PushedTimeline {
  readonly subject: Subject;
  readonly events: readonly (InputEvent | Pushed | { readonly errors: readonly Finding[] })[];
  /** The trackings to write to, if they are already known. */
  readonly targets?: Targets;
  /** The events were validated before as part of a whole document, so they are not rejected any more. */
  readonly admitted?: boolean;
}

export type EventOutcome =
  | { readonly outcome: 'accepted' | 'updated' | 'duplicate'; readonly event_id: string }
  | { readonly outcome: 'rejected'; readonly event_id?: string; readonly code: RejectionCode }
  | { readonly outcome: 'rejected'; readonly event_id?: string; readonly errors: readonly Finding[] };

export interface Ingested {
  /** Outcomes per timeline and event, in the order of the push. */
  readonly outcomes: readonly (readonly EventOutcome[])[];
  /** The latest position that the push led to; undefined if it changed nothing. */
  readonly position: Position | undefined;
}

/** `position`: reads at this position or later show the known events to which the outcomes refer. */
export interface DryRunResult extends Ingested {
  /** Per timeline; undefined if the timeline has no tracking or must not have one. */
  readonly targets: readonly (Targets | undefined)[];
}

export interface IngestOptions {
  readonly handle: Handler<TrackingCommand, readonly Outcome[]>;
  readonly directory: TrackingDirectory;
  readonly keyRing: KeyRing;
}

export interface Ingest {
  /**
   * Responds after the events are durable. Throws `LogUnavailable`; events that were already appended are duplicates on
   * a retry.
   */
  (pusher: Pusher, timelines: readonly PushedTimeline[], cause: Cause): Promise<Ingested>;
  /**
   * Returns the outcomes that the events would have, without side effects. `exact`: based on the current state of the
   * log; otherwise on the cached state of this process.
   */
  dryRun(
    pusher: Pusher,
    timelines: readonly PushedTimeline[],
    options: { readonly exact: boolean },
  ): Promise<DryRunResult>;
}

/** Applies a command to a tracking, or performs a dry run. */
type Apply = (
  target: Target,
  command: TrackingCommand,
) => Promise<Pick<Handled<readonly Outcome[]>, 'reply' | 'position'>>;

/** An event of a push without an outcome, and its index in the push. */
interface Waiting {
  readonly one: Pushed;
  readonly index: number;
}

export function createIngest({ handle, directory, keyRing }: IngestOptions): Ingest {
  const resolve = createTargets(directory);

  /**
   * A separate function, so that only the converted events stay in memory while the push waits for the log. Otherwise
   * the garbage collector would copy the input repeatedly.
   */
  function pushTimeline(pusher: Pusher, timeline: PushedTimeline, apply: Apply, keysOf: KeyRing['keysFor']) {
    const { subject, events, targets, admitted = false } = timeline;
    const outcomes: EventOutcome[] = [];
    const waiting: Waiting[] = [];
    events.forEach((event, index) => {
      if ('errors' in event) outcomes[index] = { outcome: 'rejected', errors: event.errors };
      else waiting.push({ one: 'occurredAt' in event ? pushedFrom(event, pusher) : event, index });
    });
    return pushWaiting(pusher, subject, waiting, outcomes, { targets, admitted }, { apply, keysOf });
  }

  async function pushWaiting(
    pusher: Pusher,
    subject: Subject,
    waiting: readonly Waiting[],
    outcomes: EventOutcome[],
    { targets: given, admitted }: { targets: Targets | undefined; admitted: boolean },
    { apply, keysOf }: { apply: Apply; keysOf: KeyRing['keysFor'] },
  ) {
    let position: Position | undefined;
    const found = given ? { targets: given } : await resolve(pusher, subject);
    if ('code' in found) {
      for (const { one, index } of waiting)
        outcomes[index] = { outcome: 'rejected', event_id: eventIdOf(one), code: found.code };
      return { outcomes, position, targets: undefined };
    }
    const { targets } = found;
    for (const target of targets) {
      if (waiting.length === 0) break;
      const pushed = waiting.map(({ one }) => one);
      await addPersonalHashes(target.id, pushed, keysOf);
      const command = {
        kind: 'push',
        id: target.id,
        provider: pusher.id,
        subject,
        pushed,
        ...(target !== targets.at(-1) && { onlyKnown: true }),
        ...(target.opening && { opening: target.opening }),
        ...(admitted && { admitted }),
      } as const;
      const handled = await apply(target, command);
      if (handled.position !== undefined && (position === undefined || handled.position > position))
        position = handled.position;
      const rest: Waiting[] = [];
      waiting.forEach((entry, at) => {
        const judged = handled.reply[at]!;
        if (judged.outcome === 'unknown_here') rest.push(entry);
        else outcomes[entry.index] = outcomeOf(entry.one, judged);
      });
      waiting = rest;
    }
    return { outcomes, position, targets };
  }

  const pushAll = (
    pusher: Pusher,
    timelines: readonly PushedTimeline[],
    apply: Apply,
    keysOf: KeyRing['keysFor'],
  ): Promise<DryRunResult> => together(timelines.map((timeline) => pushTimeline(pusher, timeline, apply, keysOf)));

  async function together(pushes: readonly ReturnType<typeof pushWaiting>[]): Promise<DryRunResult> {
    const done = await Promise.all(pushes);
    const positions = done.flatMap(({ position }) => (position === undefined ? [] : [position])).sort();
    return {
      outcomes: done.map(({ outcomes }) => outcomes),
      targets: done.map(({ targets }) => targets),
      position: positions.at(-1),
    };
  }

  const ingest = (pusher: Pusher, timelines: readonly PushedTimeline[], cause: Cause) =>
    pushAll(
      pusher,
      timelines,
      (target, command) => handle(trackingStream(target.id), command, cause),
      (subjects) => keyRing.keysFor(subjects),
    );
  const dryRun: Ingest['dryRun'] = (pusher, timelines, { exact }) =>
    pushAll(
      pusher,
      timelines,
      ({ id, isNew = false }, command) => handle.dryRun(trackingStream(id), command, { exact, isNew }),
      (subjects) => keyRing.existing(subjects),
    );
  return Object.assign(ingest, { dryRun });
}

function outcomeOf(one: Pushed, judged: Exclude<Outcome, { outcome: 'unknown_here' }>): EventOutcome {
  if (judged.outcome === 'rejected') return { outcome: 'rejected', event_id: eventIdOf(one), code: judged.code };
  return { outcome: judged.outcome, event_id: judged.event_id ?? eventIdOf(one) };
}

const eventIdOf = ({ scan, retraction }: Pushed): string => (scan ?? retraction)!.event_id;
