/** Writes pushed timelines to trackings, and returns the outcome of every event. */
import type { Finding } from '../../events/otep/check/findings.js';
import type { InputEvent } from '../../events/otep/check/event.js';
import { trackingStream } from '../../events/trackings/events.js';
import type { Subject } from '../../events/otep/model.js';
import type { Position } from '../../events/core/log.js';
import type { Cause, Handled, Handler } from '../core/handle.js';
import { pushedFrom } from './pushed.js';
import { createTargets, type Pusher, type Target, type TrackingDirectory } from './targets.js';
import type { Outcome, Pushed, RejectionCode, TrackingCommand } from './command.js';

/** One timeline of a push. An event is either well-formed or has a list of errors. */
export interface PushedTimeline {
  readonly subject: Subject;
  readonly events: readonly (InputEvent | Pushed | { readonly errors: readonly Finding[] })[];
  /** The tracking to write to, if it is already known. */
  readonly target?: Target;
  /** The events were validated before as part of a whole document, so they are not rejected any more. */
  readonly admitted?: boolean;
}

export type EventOutcome =
  | { readonly outcome: 'accepted' | 'duplicate'; readonly event_id: string }
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
  /** One target per timeline; undefined if the timeline has no tracking or must not have one. */
  readonly targets: readonly (Target | undefined)[];
}

export interface IngestOptions {
  readonly handle: Handler<TrackingCommand, readonly Outcome[]>;
  readonly directory: TrackingDirectory;
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

/** Maximum number of generations of a tracking number in one push. */
const MAX_GENERATIONS = 8;

export function createIngest({ handle, directory }: IngestOptions): Ingest {
  const resolve = createTargets(directory);

  /**
   * A separate function, so that only the converted events stay in memory while the push waits for the log. Otherwise
   * the garbage collector would copy the input repeatedly.
   */
  function pushTimeline(pusher: Pusher, timeline: PushedTimeline, apply: Apply) {
    const { subject, events, target, admitted = false } = timeline;
    const outcomes: EventOutcome[] = [];
    const waiting: Waiting[] = [];
    events.forEach((event, index) => {
      if ('errors' in event) outcomes[index] = { outcome: 'rejected', errors: event.errors };
      else waiting.push({ one: 'occurredAt' in event ? pushedFrom(event, pusher) : event, index });
    });
    return pushWaiting(pusher, subject, waiting, outcomes, { target, admitted }, apply);
  }

  async function pushWaiting(
    pusher: Pusher,
    subject: Subject,
    waiting: readonly Waiting[],
    outcomes: EventOutcome[],
    { target: given, admitted }: { target: Target | undefined; admitted: boolean },
    apply: Apply,
  ) {
    let position: Position | undefined;
    let first: Target | undefined;
    for (let generation = 0; waiting.length > 0 && generation < MAX_GENERATIONS; generation++) {
      const target = (generation === 0 && given) || (await resolve(pusher, subject, generation));
      if ('code' in target) {
        for (const { one, index } of waiting)
          outcomes[index] = { outcome: 'rejected', event_id: eventIdOf(one), code: target.code };
        break;
      }
      first ??= target;
      const command = {
        kind: 'push',
        id: target.id,
        provider: pusher.id,
        subject,
        pushed: waiting.map(({ one }) => one),
        ...(target.opening && { opening: target.opening }),
        ...(admitted && { admitted }),
      } as const;
      const handled = await apply(target, command);
      if (handled.position !== undefined && (position === undefined || handled.position > position))
        position = handled.position;
      const later: Waiting[] = [];
      waiting.forEach((entry, at) => {
        const judged = handled.reply[at]!;
        if (judged.outcome === 'later_generation') later.push(entry);
        else outcomes[entry.index] = outcomeOf(entry.one, judged);
      });
      waiting = later;
    }
    for (const { index } of waiting) outcomes[index] ??= { outcome: 'rejected', code: 'UNKNOWN_SHIPMENT' };
    return { outcomes, position, target: first };
  }

  const pushAll = (pusher: Pusher, timelines: readonly PushedTimeline[], apply: Apply): Promise<DryRunResult> =>
    together(timelines.map((timeline) => pushTimeline(pusher, timeline, apply)));

  async function together(pushes: readonly ReturnType<typeof pushWaiting>[]): Promise<DryRunResult> {
    const done = await Promise.all(pushes);
    const positions = done.flatMap(({ position }) => (position === undefined ? [] : [position])).sort();
    return {
      outcomes: done.map(({ outcomes }) => outcomes),
      targets: done.map(({ target }) => target),
      position: positions.at(-1),
    };
  }

  const ingest = (pusher: Pusher, timelines: readonly PushedTimeline[], cause: Cause) =>
    pushAll(pusher, timelines, (target, command) => handle(trackingStream(target.id), command, cause));
  const dryRun: Ingest['dryRun'] = (pusher, timelines, { exact }) =>
    pushAll(pusher, timelines, ({ id, isNew = false }, command) =>
      handle.dryRun(trackingStream(id), command, { exact, isNew }),
    );
  return Object.assign(ingest, { dryRun });
}

function outcomeOf(one: Pushed, judged: Exclude<Outcome, { outcome: 'later_generation' }>): EventOutcome {
  if (judged.outcome === 'rejected') return { outcome: 'rejected', event_id: eventIdOf(one), code: judged.code };
  return { outcome: judged.outcome, event_id: judged.event_id ?? eventIdOf(one) };
}

const eventIdOf = ({ scan, retraction }: Pushed): string => (scan ?? retraction)!.event_id;
