/** Loads a capture that a crash interrupted. */
import { decode, unseal } from '../../events/core/codec.js';
import { captureStream, EpcisCapturePart, EpcisCaptured, EpcisCaptureFinished } from '../../events/captures/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import type { SourceType } from '../../events/otep/model.js';
import type { Cause } from '../core/handle.js';
import type { Pusher, Target, Targets } from '../trackings/targets.js';
import { fromParts } from './text.js';

/** Returns a capture that has not ended, or undefined if it has. The document is undefined if its key was destroyed. */
export async function loadUnfinished(id: string, { log, keyRing, types }: Parts<'log' | 'keyRing' | 'types'>) {
  const stored: StoredEvent[] = [];
  for await (const event of log.read(captureStream(id))) stored.push(event);
  const taken = stored.find(({ type }) => type === EpcisCaptured.type);
  if (!taken || stored.some(({ type }) => type === EpcisCaptureFinished.type)) return undefined;
  const keys = await keyRing.existing([id]);
  const open = (event: StoredEvent) => unseal(decode(event, types), event.id, keys) as unknown;
  const { provider, kind, may_open, behaviour, captured_at, digest, text } = open(
    taken,
  ) as (typeof EpcisCaptured.schema)['_output'];
  const rest = stored
    .filter(({ type, data }) => type === EpcisCapturePart.type && data['digest'] === digest)
    .map((event) => open(event) as (typeof EpcisCapturePart.schema)['_output']);
  const whole =
    text === undefined
      ? undefined
      : (fromParts([text, ...rest.map(({ text }) => text!)]) as {
          document: unknown;
          /** Earlier versions of the service stored one tracking for each parcel. */
          targets: (Targets | Target | null)[];
        });
  const pusher: Pusher = { id: provider, kind: kind as SourceType, mayOpen: may_open };
  return {
    pusher,
    request: { id, behaviour, document: whole?.document, time: Date.parse(captured_at) },
    targets: (whole?.targets ?? []).map((target): Targets | undefined =>
      target === null ? undefined : 'id' in target ? [target] : target,
    ),
    cause: causeOf(taken),
  };
}

/** The actor and the channel of the original request. Later events of the capture have the same actor. */
function causeOf({ metadata }: StoredEvent): Cause {
  const { channel, ...actor } = metadata['actor'] as unknown as Cause['actor'] & Pick<Cause, 'channel'>;
  return { correlationId: metadata['$correlationId'] as string, actor, channel };
}
