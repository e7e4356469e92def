/**
 * The AsyncAPI 3.0 document: topics, messages and headers, derived from the event types of the areas and the ingest
 * operation.
 */
import type { EventType } from '../../events/core/event-types.js';
import { sourceOf, type CloudEventMode } from '../../relay/cloud-event.js';
import { topicOf, type Area } from '../../relay/topics.js';
import { attributeSchemas, componentSchemas, REQUIRED_ATTRIBUTES, type Schema } from './message-schemas.js';
import { ingestTopics } from './topics.js';

export interface AsyncApiOptions {
  readonly areas: readonly (Area & { readonly events: readonly EventType[] })[];
  readonly prefix: string;
  readonly mode: CloudEventMode;
}

const text = (description: string): Schema => ({ type: 'string', description });
const ref = (path: string): Schema => ({ $ref: `#/${path}` });
const inCamel = (name: string): string => name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());

const ORIGIN = {
  'origin-topic': text('Topic of the push.'),
  'origin-partition': text('Partition of the push, decimal.'),
  'origin-offset': text('Offset of the push, decimal.'),
};
const STATUS = text('Status of the equivalent HTTP response, decimal.');

/**
 * The complete document. As in AsyncAPI, `send` and `receive` are from the service's view: consumers receive the
 * messages of `send`, and providers send the messages of `receive`.
 */
export function asyncApi(options: AsyncApiOptions): Schema {
  const { areas, prefix } = options;
  const topics = ingestTopics(prefix, '{provider}');
  const provider = {
    parameters: {
      provider: {
        description:
          "Id of the provider. Every client that may write to the topic acts as this provider; the broker's access control decides.",
      },
    },
  };
  const channel = (address: string, messages: readonly string[], more: Schema): Schema => ({
    address,
    messages: Object.fromEntries(messages.map((name) => [name, ref(`components/messages/${name}`)])),
    ...more,
  });
  // An area with two families of streams has one topic.
  const events = [...new Map(areas.map((area) => [area.name, area])).values()].map((area) => ({
    id: area.name,
    area,
    names: areas.filter(({ name }) => name === area.name).flatMap(({ events }) => events.map(({ type }) => type)),
  }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Open Transport over Kafka',
      version: '1.0',
      license: { name: 'Apache-2.0' },
      description:
        'If KAFKA_BROKERS is set, the service publishes every event of the log to the topic of its area as a CloudEvents 1.0 message, at least once and in order per key. Providers push timelines through dedicated topics.',
    },
    defaultContentType: 'application/json',
    channels: {
      ...Object.fromEntries(
        events.map(({ id, area, names }) => [
          id,
          channel(topicOf(prefix, area), names, {
            description: `Events of ${area.name}. The key is the stream, so the events of a stream stay in order.`,
          }),
        ]),
      ),
      pushes: channel(topics.pushes, ['push'], {
        ...provider,
        description:
          'Timelines of one provider, with the limits, rules and responses of POST /api/v1/otep/ingest. Use the tracking number as the key: pushes with the same key are processed in order.',
      }),
      replies: channel(topics.replies, ['answer', 'problem'], {
        ...provider,
        description:
          'One response to every push, with the key of the push. A push that is processed again after a crash gets another response, in which its events are duplicates.',
      }),
      rejected: channel(topics.rejected, ['deadLetter'], {
        ...provider,
        description: 'Rejected pushes, unchanged, with the reason.',
      }),
    },
    operations: {
      ...Object.fromEntries(
        events.map(({ id, names }) => [
          `relay${inCamel(id)}`,
          {
            action: 'send',
            channel: ref(`channels/${id}`),
            summary: `Publish events of ${id}`,
            messages: names.map((name) => ref(`channels/${id}/messages/${name}`)),
          },
        ]),
      ),
      ingest: {
        action: 'receive',
        channel: ref('channels/pushes'),
        summary: 'Ingest scans as OTEP timelines',
        messages: [ref('channels/pushes/messages/push')],
        reply: {
          channel: ref('channels/replies'),
          messages: [ref('channels/replies/messages/answer'), ref('channels/replies/messages/problem')],
        },
      },
      putAside: {
        action: 'send',
        channel: ref('channels/rejected'),
        summary: 'Publish rejected pushes as dead letters',
        messages: [ref('channels/rejected/messages/deadLetter')],
      },
    },
    components: {
      messages: {
        ...Object.fromEntries(
          areas.flatMap(({ events }) => events.map((type) => [type.type, eventMessage(type, options)])),
        ),
        ...ingestMessages(),
      },
      schemas: componentSchemas(areas.flatMap(({ events }) => events)),
    },
  };
}

function eventMessage(type: EventType, { prefix, mode }: AsyncApiOptions): Schema {
  const attributes = attributeSchemas(type, sourceOf(prefix));
  const data = ref(`components/schemas/${type.type}Data`);
  const common = {
    name: type.type,
    title: type.type,
    bindings: { kafka: { key: { type: 'string', description: 'Name of the stream.' } } },
  };
  if (mode === 'structured') {
    return {
      ...common,
      contentType: 'application/cloudevents+json; charset=UTF-8',
      headers: {
        type: 'object',
        properties: { 'content-type': { const: 'application/cloudevents+json; charset=UTF-8' } },
      },
      payload: { type: 'object', required: [...REQUIRED_ATTRIBUTES, 'data'], properties: { ...attributes, data } },
    };
  }
  const { datacontenttype: _inContentType, revision: _number, ...texts } = attributes;
  const headers = {
    ...texts,
    revision: {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'Number of the event in its stream, from 0 without gaps.',
    },
  };
  return {
    ...common,
    contentType: 'application/json',
    payload: data,
    headers: {
      type: 'object',
      required: REQUIRED_ATTRIBUTES.filter((name) => name in headers).map((name) => `ce_${name}`),
      properties: {
        'content-type': { const: 'application/json' },
        ...Object.fromEntries(Object.entries(headers).map(([name, schema]) => [`ce_${name}`, schema])),
      },
    },
  };
}

function ingestMessages(): Record<string, Schema> {
  const correlation = { 'correlation-id': text('Returned in the response.') };
  const key = (description: string): Schema => ({ bindings: { kafka: { key: { type: 'string', description } } } });
  const answered = {
    type: 'object',
    required: ['status', ...Object.keys(ORIGIN)],
    properties: {
      status: STATUS,
      ...correlation,
      ...ORIGIN,
      'event-position': text('The X-Event-Position of the push: a read that sends it sees the push.'),
    },
  };
  const correlationId = { location: '$message.header#/correlation-id' };
  return {
    push: {
      name: 'push',
      title: 'Timelines',
      contentType: 'application/json',
      correlationId,
      payload: ref('components/schemas/Push'),
      ...key('The tracking number is recommended.'),
      headers: {
        type: 'object',
        properties: {
          ...correlation,
          'accept-language': text('Language of messages in the response.'),
          'content-type': { const: 'application/json' },
        },
      },
    },
    answer: {
      name: 'answer',
      title: 'Results of every event',
      contentType: 'application/json',
      correlationId,
      payload: ref('components/schemas/Answer'),
      headers: answered,
      ...key('Key of the push.'),
    },
    problem: {
      name: 'problem',
      title: 'Push rejected',
      contentType: 'application/problem+json',
      correlationId,
      payload: ref('components/schemas/Problem'),
      headers: answered,
      ...key('Key of the push.'),
    },
    deadLetter: {
      name: 'deadLetter',
      title: 'Rejected push',
      contentType: 'application/octet-stream',
      payload: { description: 'The bytes of the push, unchanged; absent if they are too long, see value-left-out.' },
      ...key('Key of the push.'),
      headers: {
        type: 'object',
        required: ['reason', 'status', 'problem', ...Object.keys(ORIGIN)],
        properties: {
          reason: text('Code of the problem.'),
          status: STATUS,
          problem: text('The problem document.'),
          'value-left-out': text('Length of a value that is too long to repeat, in bytes.'),
          ...ORIGIN,
        },
        description: 'The headers of the push are included as well.',
      },
    },
  };
}
