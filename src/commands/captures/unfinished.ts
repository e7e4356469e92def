/** Loads a capture that a crash interrupted. */
import { loadCapture } from '../../events/captures/stored.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import type { SourceType } from '../../events/otep/model.js';
import type { CaptureContent } from '../../events/captures/text.js';
import type { Cause } from '../core/handle.js';
import type { Pusher, Target, Targets } from '../trackings/targets.js';
import { parcelKey, type Group, type ReadEvent } from './outcomes.js';
import { refuse } from './reuse.js';

/** Earlier versions of the service stored one tracking for each parcel. */
type StoredTargets = Targets | Target | null;

/** Returns a capture that has not ended, or undefined if it has. The document is undefined if its key was destroyed. */
export async function loadUnfinished(id: string, parts: Parts<'log' | 'keyRing' | 'types'>) {
  const capture = await loadCapture<StoredTargets>(id, parts);
  if (!capture || capture.isFinished) return undefined;
  const { taken, data, content } = capture;
  const { provider, kind, may_open, behaviour, captured_at } = data;
  const pusher: Pusher = { id: provider, kind: kind as SourceType, mayOpen: may_open };
  return {
    pusher,
    request: { id, behaviour, document: content?.document, time: Date.parse(captured_at) },
    /** The events as at the capture: those that it rejected are rejected again. */
    withRejections: (events: readonly ReadEvent[]) => withRejections(events, content),
    /** By group. */
    targetsOf: (groups: readonly Group[]) => targetsOf(groups, content),
    cause: causeOf(taken),
  };
}

type Content = CaptureContent<StoredTargets> | undefined;

function withRejections(events: readonly ReadEvent[], content: Content): readonly ReadEvent[] {
  const rejected = new Map((content?.rejected ?? []).map(({ index, ...event }) => [index, event]));
  return refuse(events, new Set(content?.refused)).map((event, index) => rejected.get(index) ?? event);
}

/**
 * Groups are matched by their parcels: an erasure since the capture may have removed events, so the order of the groups
 * can be another one.
 */
function targetsOf(groups: readonly Group[], content: Content): (Targets | undefined)[] {
  const targets = (content?.targets ?? []).map((target): Targets | undefined =>
    target === null ? undefined : 'id' in target ? [target] : target,
  );
  const { parcels } = content ?? {};
  if (parcels) {
    const byParcel = new Map(parcels.map((parcel, index) => [parcel, targets[index]]));
    return groups.map(({ push }) => byParcel.get(parcelKey(push.subject)));
  }
  // An older capture. A different version of the reader may have grouped the events differently.
  return targets.length === groups.length ? targets : [];
}

/** The actor and the channel of the original request. Later events of the capture have the same actor. */
function causeOf({ metadata }: StoredEvent): Cause {
  const { channel, ...actor } = metadata['actor'] as unknown as Cause['actor'] & Pick<Cause, 'channel'>;
  return { correlationId: metadata['$correlationId'] as string, actor, channel };
}
