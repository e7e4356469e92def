/** Loads a capture from the log, with the events that are stored separately. */
import { decode, sealedOf, unseal } from '../core/codec.js';
import type { StoredEvent } from '../core/log.js';
import type { Parts } from '../core/parts.js';
import {
  captureStream,
  EpcisCapturePart,
  EpcisCaptured,
  EpcisCaptureFinished,
  EpcisEventCaptured,
  type CapturedEventData,
} from './events.js';
import { fromBodies, fromParts, replaceEvents, type CaptureContent } from './text.js';

export interface StoredCapture<Targets> {
  /** The event that stored the capture. */
  readonly taken: StoredEvent;
  readonly data: (typeof EpcisCaptured.schema)['_output'];
  readonly isFinished: boolean;
  /** Absent if the key of the capture was destroyed. Events whose key was destroyed are null in the document. */
  readonly content?: CaptureContent<Targets>;
}

/** Returns undefined if no document was stored. */
export async function loadCapture<Targets>(
  id: string,
  { log, keyRing, types }: Parts<'log' | 'keyRing' | 'types'>,
): Promise<StoredCapture<Targets> | undefined> {
  const stored: StoredEvent[] = [];
  for await (const event of log.read(captureStream(id))) stored.push(event);
  const taken = stored.find(({ type }) => type === EpcisCaptured.type);
  if (!taken) return undefined;
  const parts = stored.filter(({ data }) => data['digest'] === taken.data['digest']);
  const keys = await keyRing.existing([...new Set(parts.flatMap(({ data }) => sealedOf(data)?.subject ?? []))]);
  const dataOf = <T>(type: string): T[] =>
    parts
      .filter((event) => event.type === type)
      .map((event) => unseal(decode(event, types), event.id, keys) as unknown as T);
  const [data] = dataOf<StoredCapture<Targets>['data']>(EpcisCaptured.type);
  const texts = dataOf<{ readonly text?: string }>(EpcisCapturePart.type);
  const events = new Map(
    dataOf<CapturedEventData>(EpcisEventCaptured.type).flatMap(({ events, body }) => {
      const received = body === undefined ? undefined : fromBodies(body);
      return events.map(({ index }, at) => [index, received ? received[at]!.event : null] as const);
    }),
  );
  const isFinished = stored.some(({ type }) => type === EpcisCaptureFinished.type);
  if (data!.text === undefined) return { taken, data: data!, isFinished };
  const content = fromParts([data!.text, ...texts.map(({ text }) => text!)]) as CaptureContent<Targets>;
  const document =
    events.size === 0
      ? content.document
      : replaceEvents(content.document, (event, index) => events.get(index) ?? event);
  return { taken, data: data!, isFinished, content: { ...content, document } };
}
