/**
 * A capture is one event first, and its trackings follow from it: so a rollback is whole on every engine, and a crash
 * between the two loses nothing, because the capture is stored and is resumed (`resume`) until its end is recorded.
 *
 * Rollback: everything is judged first, by the current streams, and nothing is stored when one event is refused.
 * What another writer does between that and the trackings cannot undo it: the capture came first, so its events are
 * admitted under rights that were revoked since, and under an id of their own where the same producer used theirs for
 * something else at the same moment.
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
import type { Pusher, Target } from '../trackings/targets.js';

export interface CaptureOptions extends Parts<'log' | 'types' | 'keyRing'> {
  readonly handle: Handle<CaptureCommand, undefined>;
  readonly ingest: Ingest;
  readonly directory: CaptureDirectory;
  /** What the document says, event by event; the same for the same arguments. `time`: milliseconds since 1970. */
  readonly read: (document: unknown, pusher: Pusher, time: number) => readonly ReadEvent[];
}

export interface CaptureDirectory {
  /** Which of these names of events without a parcel occur in a capture. */
  unattached(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface CaptureRequest {
  /** UUID; the same for a retry of the request. */
  readonly id: string;
  readonly document: unknown;
  readonly behaviour: Behaviour;
  /** Milliseconds since 1970; the same for a retry. */
  readonly time: number;
}

export interface Captured {
  /** One for each event of the document, in its order. */
  readonly outcomes: readonly CaptureOutcome[];
  readonly position: Position | undefined;
}

export type Capture = ReturnType<typeof createCapture>;

/** What is done about a document, once it has been judged. */
interface Plan {
  readonly events: readonly ReadEvent[];
  readonly groups: readonly Group[];
  readonly targets: readonly (Target | undefined)[];
  readonly seen: ReadonlySet<string>;
}

export function createCapture({ handle, ingest, log, types, keyRing, directory, read }: CaptureOptions) {
  /** What would become of the document. */
  async function judge(pusher: Pusher, { document, behaviour, time }: CaptureRequest): Promise<Plan & Captured> {
    const events = read(document, pusher, time);
    const groups = groupByParcel(events);
    const unattached = unattachedNames(events, pusher.id);
    const seen = unattached.length > 0 ? await directory.unattached(unattached) : NONE;
    const attempt = async (exact: boolean) => {
      const { outcomes, targets, position } = await ingest.rehearse(
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
    // What this process knows is enough to continue, but not to be final.
    const guessed = behaviour === 'proceed' ? await attempt(false) : undefined;
    if (guessed && hasNews(guessed.outcomes)) return guessed;
    const plan = await attempt(true);
    return behaviour === 'rollback' ? { ...plan, outcomes: allOrNothing(plan.outcomes) } : plan;
  }

  /** Makes the capture durable. */
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
      trackings: [...new Set(targets.flatMap((target) => target?.id ?? []))],
      parts: rest.length + 1,
      digest,
      text,
    };
    return (await handle(captureStream(id), { do: 'capture', id, data }, cause)).position;
  }

  /** The trackings that follow from a durable capture. */
  async function follow(
    pusher: Pusher,
    { id, behaviour }: Pick<CaptureRequest, 'id' | 'behaviour'>,
    { events, groups, targets, seen }: Plan,
    cause: Cause,
  ): Promise<Captured> {
    const pushes = groups.map(({ push }, index) => ({
      ...push,
      ...(targets[index] && { target: targets[index] }),
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
    /** Takes a document; the answer comes after its events are durable. Nothing is stored where nothing is new. */
    async take(pusher: Pusher, request: CaptureRequest, cause: Cause): Promise<Captured> {
      const { outcomes, position, ...plan } = await judge(pusher, request);
      if (!hasNews(outcomes)) return { outcomes, position };
      await store(pusher, request, { ...plan, outcomes }, cause);
      return follow(pusher, request, plan, cause);
    },

    /**
     * The same as a job: its end is recorded whatever came of it, and answers come once the capture itself is durable.
     */
    async submit(pusher: Pusher, request: CaptureRequest, cause: Cause): Promise<Position | undefined> {
      const { outcomes, position: _known, ...plan } = await judge(pusher, request);
      if (!hasNews(outcomes)) return finish(pusher.id, request, outcomes, cause);
      const position = await store(pusher, request, { ...plan, outcomes }, cause);
      // From here on it has taken place: what fails now is repeated when it is resumed.
      return follow(pusher, request, plan, cause).then(
        (followed) => followed.position,
        () => position,
      );
    },

    /** Does what a crash left undone; nothing where nothing is. */
    async resume(id: string): Promise<void> {
      const kept = await loadUnfinished(id, { log, keyRing, types });
      if (!kept) return;
      const { pusher, request, cause } = kept;
      if (request.document === undefined) return void (await finish(pusher.id, request, [ERASED], cause));
      const events = read(request.document, pusher, request.time);
      const groups = groupByParcel(events);
      // Another version of the reader may have grouped it otherwise.
      const targets = kept.targets.length === groups.length ? kept.targets : [];
      await follow(pusher, request, { events, groups, targets, seen: NONE }, cause);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

const hasNews = (outcomes: readonly CaptureOutcome[]): boolean =>
  outcomes.some(({ outcome }) => outcome === 'accepted');

/** Its key was destroyed before its trackings followed. */
const ERASED: CaptureOutcome = { outcome: 'rejected', errors: [{ code: 'UNAVAILABLE', path: '' }] };

/** One refusal refuses all, each for its own reason or for another's. */
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
