/** Loads a capture that a crash interrupted. */
import { loadCapture } from '../../events/captures/stored.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import type { SourceType } from '../../events/otep/model.js';
import type { Cause } from '../core/handle.js';
import type { Pusher, Target, Targets } from '../trackings/targets.js';

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
    targets: (content?.targets ?? []).map((target): Targets | undefined =>
      target === null ? undefined : 'id' in target ? [target] : target,
    ),
    refused: content?.refused ?? [],
    cause: causeOf(taken),
  };
}

/** The actor and the channel of the original request. Later events of the capture have the same actor. */
function causeOf({ metadata }: StoredEvent): Cause {
  const { channel, ...actor } = metadata['actor'] as unknown as Cause['actor'] & Pick<Cause, 'channel'>;
  return { correlationId: metadata['$correlationId'] as string, actor, channel };
}
