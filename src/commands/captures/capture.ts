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
import { capturedEventId, captureStream, MAX_REFUSALS } from '../../events/captures/events.js';
import type { Position } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import {
  allOrNothing,
  count,
  foldOutcomes,
  groupByParcel,
  unattachedNames,
  type CaptureOutcome,
  type ReadEvent,
} from './outcomes.js';
import { loadUnfinished } from './unfinished.js';
import type { CaptureCommand } from './decider.js';
import type { Captured, CaptureRequest, Plan } from './plan.js';
import { createStore } from './store.js';
import { createReuseCheck, type ReuseDirectory } from './reuse-check.js';
import { createNameLock } from './name-lock.js';
import { createRecentNames } from './recent-names.js';
import { assignedIds, refuse, reusedInParcels, type AssignedIds } from './reuse.js';
import type { Cause, Handle } from '../core/handle.js';
import type { Ingest } from '../trackings/ingest.js';
import type { Pusher } from '../trackings/targets.js';

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

export interface CaptureDirectory extends ReuseDirectory {
  /** Whether queries return all captures up to this position. */
  contains(position: Position): boolean;
}

export type { CaptureRequest };
export type Capture = ReturnType<typeof createCapture>;

export function createCapture({ handle, ingest, log, types, keyRing, directory, read }: CaptureOptions) {
  const findReused = createReuseCheck(directory);
  const recentNames = createRecentNames((position) => directory.contains(position));

  const store = createStore(handle, keyRing);
  const oneAtATime = createNameLock();

  /**
   * Validates the document and stores it if it contains new events. Requests of this process that use the same event id
   * wait for each other.
   */
  async function accept(
    pusher: Pusher,
    request: CaptureRequest,
    cause: Cause,
  ): Promise<Plan & Captured & { readonly isStored: boolean }> {
    const all = read(request.document, pusher, request.time);
    const ids = assignedIds(all, pusher.id);
    const names = [...new Set(ids.flatMap((id) => (id ? [id.name] : [])))];
    return oneAtATime(names, async () => {
      const plan = await judge(pusher, all, request, { ids, since: recentNames.lastOf(names) });
      if (!hasNews(plan.outcomes)) return { ...plan, isStored: false };
      const position = await store(pusher, request, { ...plan, ids }, cause);
      if (position !== undefined) recentNames.note(names, position);
      return { ...plan, position, isStored: true };
    });
  }

  /** Returns the expected outcomes of the events. */
  async function judge(
    pusher: Pusher,
    all: readonly ReadEvent[],
    { behaviour }: CaptureRequest,
    { ids, since }: { readonly ids: AssignedIds; readonly since: Position | undefined },
  ): Promise<Plan & Captured> {
    const unattached = unattachedNames(all, pusher.id);
    // Only this check finds that an event without a parcel is a repetition. Others are recognized by their parcels, too.
    const isExact = behaviour === 'rollback' || unattached.length > 0;
    const { seen, reused } = await findReused(ids, pusher.id, unattached, { since, isExact });
    const attempt = async (exact: boolean) => {
      // If one parcel has the id with other content, the event is rejected for all of them.
      for (let refused = reused; ;) {
        const events = refuse(all, refused);
        const groups = groupByParcel(events);
        const dryRun = await ingest.dryRun(
          pusher,
          groups.map(({ push }) => push),
          { exact },
        );
        const more = reusedInParcels(events, groups, dryRun.outcomes);
        if (more.size === 0)
          return {
            events,
            groups,
            targets: dryRun.targets,
            seen,
            position: dryRun.position,
            outcomes: foldOutcomes(events, pusher.id, groups, dryRun.outcomes, seen),
          };
        refused = new Set([...refused, ...more]);
      }
    };
    // The cached state of this process suffices to proceed, but not to reject or to report duplicates.
    const guessed = behaviour === 'proceed' ? await attempt(false) : undefined;
    if (guessed && hasNews(guessed.outcomes)) return guessed;
    const plan = await attempt(true);
    return behaviour === 'rollback' ? { ...plan, outcomes: allOrNothing(plan.outcomes) } : plan;
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
      const { outcomes, position, isStored, ...plan } = await accept(pusher, request, cause);
      return isStored ? follow(pusher, request, plan, cause) : { outcomes, position };
    },

    /**
     * Captures a document as a job. The end of the job is recorded in every case. Responds when the capture itself is
     * durable.
     */
    async submit(pusher: Pusher, request: CaptureRequest, cause: Cause): Promise<Position | undefined> {
      const { outcomes, position, isStored, ...plan } = await accept(pusher, request, cause);
      if (!isStored) return finish(pusher.id, request, outcomes, cause);
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
      const events = kept.withRejections(read(request.document, pusher, request.time));
      const groups = groupByParcel(events);
      await follow(pusher, request, { events, groups, targets: kept.targetsOf(groups), seen: NONE }, cause);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

const hasNews = (outcomes: readonly CaptureOutcome[]): boolean =>
  outcomes.some(({ outcome }) => outcome === 'accepted');

/** The key of the capture was destroyed before its trackings were written. */
const ERASED: CaptureOutcome = { outcome: 'rejected', errors: [{ code: 'UNAVAILABLE', path: '' }] };
