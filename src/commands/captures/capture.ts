/**
 * A capture is first stored as one event, and the events of its trackings follow from it. So a rollback is atomic on
 * every engine. A crash between the two steps loses nothing: `resume` repeats the second step until its end is
 * recorded.
 *
 * Rollback: all events are validated first, against the current streams. If one event is rejected, nothing is stored.
 * Other writers may change the streams between validation and the second step. They cannot undo the capture, because
 * its event came first:
 *
 * - Its events are admitted even if the provider's rights have been revoked since.
 * - An event gets a new id if the same producer used its id for different content at the same moment.
 */
import { captureStream, MAX_REFUSALS, type Behaviour } from '../../events/captures/events.js';
import type { Position } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import {
  count,
  foldOutcomes,
  groupByParcel,
  unattachedNames,
  unattachedOf,
  type CaptureOutcome,
  type Group,
  type ReadEvent,
} from './outcomes.js';
import { toParts } from './text.js';
import { loadUnfinished } from './unfinished.js';
import { capturedEventId, type CaptureCommand } from './decider.js';
import type { Cause, Handle } from '../core/handle.js';
import type { Ingest } from '../trackings/ingest.js';
import type { Pusher, Targets } from '../trackings/targets.js';

export interface CaptureOptions extends Parts<'log' | 'types' | 'keyRing'> {
  readonly handle: Handle<CaptureCommand, undefined>;
  readonly ingest: Ingest;
  readonly directory: CaptureDirectory;
  /**
   * Reads a document into events. Deterministic: the same arguments give the same events. `time`: milliseconds since
   * 1970.
   */
  readonly read: (document: unknown, pusher: Pusher, time: number) => readonly ReadEvent[];
}

export interface CaptureDirectory {
  /** Returns which of these names of events without a parcel occur in a capture. */
  unattached(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface CaptureRequest {
  /** UUID; a retry of the request sends the same UUID. */
  readonly id: string;
  readonly document: unknown;
  readonly behaviour: Behaviour;
  /** Milliseconds since 1970; a retry has the same value. */
  readonly time: number;
}

export interface Captured {
  /** One outcome per event of the document, in its order. */
  readonly outcomes: readonly CaptureOutcome[];
  readonly position: Position | undefined;
}

export type Capture = ReturnType<typeof createCapture>;

/** The steps that follow from the validation of a document. */
interface Plan {
  readonly events: readonly ReadEvent[];
  readonly groups: readonly Group[];
  readonly targets: readonly (Targets | undefined)[];
  readonly seen: ReadonlySet<string>;
}

export function createCapture({ handle, ingest, log, types, keyRing, directory, read }: CaptureOptions) {
  /** Validates the document and returns its expected outcomes. */
  async function judge(pusher: Pusher, { document, behaviour, time }: CaptureRequest): Promise<Plan & Captured> {
    const events = read(document, pusher, time);
    const groups = groupByParcel(events);
    const unattached = unattachedNames(events, pusher.id);
    const seen = unattached.length > 0 ? await directory.unattached(unattached) : NONE;
    const attempt = async (exact: boolean) => {
      const { outcomes, targets, position } = await ingest.dryRun(
        pusher,
        groups.map(({ push }) => push),
        { exact },
      );
      return {
        events,
        groups,
        targets,
        seen,
        position,
        outcomes: foldOutcomes(events, pusher.id, groups, outcomes, seen),
      };
    };
    // The cached state of this process suffices to proceed, but not to reject or to report duplicates.
    const guessed = behaviour === 'proceed' ? await attempt(false) : undefined;
    if (guessed && hasNews(guessed.outcomes)) return guessed;
    const plan = await attempt(true);
    return behaviour === 'rollback' ? { ...plan, outcomes: allOrNothing(plan.outcomes) } : plan;
  }

  /** Stores the capture durably. */
  async function store(
    pusher: Pusher,
    { id, document, behaviour, time }: CaptureRequest,
    { events, targets, outcomes }: Plan & Pick<Captured, 'outcomes'>,
    cause: Cause,
  ): Promise<Position | undefined> {
    const {
      digest,
      parts: [text = '', ...rest],
    } = toParts({ document, targets });
    for (const [index, text] of rest.entries())
      await handle(captureStream(id), { do: 'part', id, data: { part: index + 1, digest, text } }, cause);
    const data = {
      provider: pusher.id,
      kind: pusher.kind,
      may_open: pusher.mayOpen,
      behaviour,
      captured_at: new Date(time).toISOString(),
      events: events.length,
      unattached: unattachedOf(events, outcomes, pusher.id),
      trackings: [...new Set(targets.flatMap((some) => (some ?? []).map(({ id }) => id)))],
      parts: rest.length + 1,
      digest,
      text,
    };
    return (await handle(captureStream(id), { do: 'capture', id, data }, cause)).position;
  }

  /** Writes the trackings that follow from a stored capture. */
  async function follow(
    pusher: Pusher,
    { id, behaviour }: Pick<CaptureRequest, 'id' | 'behaviour'>,
    { events, groups, targets, seen }: Plan,
    cause: Cause,
  ): Promise<Captured> {
    const pushes = groups.map(({ push }, index) => ({
      ...push,
      ...(targets[index] && { targets: targets[index] }),
      admitted: behaviour === 'rollback',
    }));
    const { outcomes } = await ingest(pusher, pushes, { ...cause, causationId: capturedEventId(id) });
    const folded = foldOutcomes(events, pusher.id, groups, outcomes, seen);
    return { outcomes: folded, position: await finish(pusher.id, { id, behaviour }, folded, cause) };
  }

  async function finish(
    provider: string,
    { id, behaviour }: Pick<CaptureRequest, 'id' | 'behaviour'>,
    outcomes: readonly CaptureOutcome[],
    cause: Cause,
  ): Promise<Position | undefined> {
    const counts = count(outcomes);
    const errors = outcomes.flatMap(({ errors = [] }) => errors).slice(0, MAX_REFUSALS);
    const data = {
      provider,
      behaviour,
      success: counts.rejected === 0,
      ...counts,
      ...(errors.length > 0 && { errors }),
    };
    return (await handle(captureStream(id), { do: 'finish', id, data }, cause)).position;
  }

  return {
    /**
     * Captures a document and responds after its events are durable. Stores nothing if the document contains nothing
     * new.
     */
    async take(pusher: Pusher, request: CaptureRequest, cause: Cause): Promise<Captured> {
      const { outcomes, position, ...plan } = await judge(pusher, request);
      if (!hasNews(outcomes)) return { outcomes, position };
      await store(pusher, request, { ...plan, outcomes }, cause);
      return follow(pusher, request, plan, cause);
    },

    /**
     * Captures a document as a job. The end of the job is recorded in every case. Responds when the capture itself is
     * durable.
     */
    async submit(pusher: Pusher, request: CaptureRequest, cause: Cause): Promise<Position | undefined> {
      const { outcomes, position: _known, ...plan } = await judge(pusher, request);
      if (!hasNews(outcomes)) return finish(pusher.id, request, outcomes, cause);
      const position = await store(pusher, request, { ...plan, outcomes }, cause);
      // The capture is stored, so errors from here on are ignored; `resume` repeats the step.
      return follow(pusher, request, plan, cause).then(
        (followed) => followed.position,
        () => position,
      );
    },

    /** Finishes a capture that a crash interrupted. Does nothing if the capture has ended. */
    async resume(id: string): Promise<void> {
      const kept = await loadUnfinished(id, { log, keyRing, types });
      if (!kept) return;
      const { pusher, request, cause } = kept;
      if (request.document === undefined) return void (await finish(pusher.id, request, [ERASED], cause));
      const events = read(request.document, pusher, request.time);
      const groups = groupByParcel(events);
      // A different version of the reader may have grouped the events differently.
      const targets = kept.targets.length === groups.length ? kept.targets : [];
      await follow(pusher, request, { events, groups, targets, seen: NONE }, cause);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

const hasNews = (outcomes: readonly CaptureOutcome[]): boolean =>
  outcomes.some(({ outcome }) => outcome === 'accepted');

/** The key of the capture was destroyed before its trackings were written. */
const ERASED: CaptureOutcome = { outcome: 'rejected', errors: [{ code: 'UNAVAILABLE', path: '' }] };

/** If one event is rejected, all are rejected: with their own errors, or with ROLLED_BACK. */
function allOrNothing(outcomes: readonly CaptureOutcome[]): readonly CaptureOutcome[] {
  const refused = outcomes.findIndex(({ errors, outcome }) => errors !== undefined || outcome === 'rejected');
  if (refused < 0) return outcomes;
  const because: CaptureOutcome['errors'] = [{ code: 'ROLLED_BACK', path: '' }];
  return outcomes.map(({ event_id, errors = because }) => ({
    outcome: 'rejected',
    ...(event_id !== undefined && { event_id }),
    errors,
  }));
}
