/** Messages to a provider: a response to each push, and a rejected push itself as a dead letter. */
import { headerText, type Headers, type Message, type Received } from '../../events/core/broker.js';
import type { MessageResult } from './handle-message.js';
import type { IngestTopics } from './topics.js';

/**
 * Maximum size of a returned key, returned headers and a returned document or value, so that the broker accepts the
 * messages. Bytes.
 */
const KEY_BYTES = 1_024;
const HEADER_BYTES = 16_384;
const DOCUMENT_BYTES = 786_432;

const CORRELATION = 'correlation-id';

export function messagesFor(message: Received, answered: MessageResult, topics: IngestTopics): Message[] {
  const reply = replyTo(message, answered, topics.replies);
  return answered.refused === undefined ? [reply] : [reply, deadLetter(message, answered, topics.rejected)];
}

function replyTo(message: Received, { status, document, position }: MessageResult, topic: string): Message {
  const correlation = headerText(message.headers, CORRELATION);
  return {
    topic,
    key: keyOf(message),
    value: write(document, DOCUMENT_BYTES),
    headers: {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
      status: String(status),
      ...originOf(message),
      ...(position !== undefined && { 'event-position': position }),
      ...(correlation !== undefined && correlation.length <= KEY_BYTES && { [CORRELATION]: correlation }),
    },
  };
}

function deadLetter(message: Received, { status, document, refused }: MessageResult, topic: string): Message {
  const fits = message.value === null || message.value.length <= DOCUMENT_BYTES;
  return {
    topic,
    key: keyOf(message),
    value: fits ? message.value : null,
    headers: {
      ...(sizeOf(message.headers) <= HEADER_BYTES && message.headers),
      ...originOf(message),
      status: String(status),
      reason: refused!,
      problem: write(document, HEADER_BYTES),
      ...(!fits && { 'value-left-out': String(message.value!.length) }),
    },
  };
}

const keyOf = ({ key }: Received): Buffer | null => (key !== null && key.length <= KEY_BYTES ? key : null);

/** Topic, partition and offset of the push, so that the provider can find it again. */
const originOf = ({ topic, partition, offset }: Received): Headers => ({
  'origin-topic': topic,
  'origin-partition': String(partition),
  'origin-offset': offset,
});

/** The document. If it is too long, the errors of its events are omitted, and if necessary all events. */
function write(document: Record<string, unknown>, limit: number): string {
  const { events, ...head } = document as { events?: readonly Record<string, unknown>[] };
  const shorter = [
    document,
    { ...head, ...(events && { events: events.map(({ errors: _errors, ...event }) => event) }) },
    head,
  ];
  return shorter.map((each) => JSON.stringify(each)).find((text) => Buffer.byteLength(text) <= limit) ?? '{}';
}

const sizeOf = (headers: Headers): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) =>
      sum + name.length + [value].flat().reduce((length, each) => length + Buffer.byteLength(each), 0),
    0,
  );
