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
  'origin-partition': text('Its partition, decimal.'),
  'origin-offset': text('Its offset, decimal.'),
};
const STATUS = text('The status that HTTP would answer with, decimal.');

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
          "Id of the provider. Who may write the topic writes as this provider: the broker's access control decides.",
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
        'With KAFKA_BROKERS set, every event of the log goes to the topic of its area as a CloudEvents 1.0 message, at least once and in order per key, and providers push timelines through topics of their own.',
    },
    defaultContentType: 'application/json',
    channels: {
      ...Object.fromEntries(
        events.map(({ id, area, names }) => [
          id,
          channel(topicOf(prefix, area), names, {
            description: `What happens to ${area.name}. The key is the stream: its events stay in order.`,
          }),
        ]),
      ),
      pushes: channel(topics.pushes, ['push'], {
        ...provider,
        description:
          'Timelines of one provider, with the limits, rules and answers of POST /api/v1/otep/ingest. Use the tracking number as the key: pushes of one key are taken in their order.',
      }),
      replies: channel(topics.replies, ['answer', 'problem'], {
        ...provider,
        description:
          'One answer to every push, under its key. A push that is taken in again after a crash is answered again; its events are duplicates then.',
      }),
      rejected: channel(topics.rejected, ['deadLetter'], {
        ...provider,
        description: 'Pushes of which nothing was taken, as they came, with the reason.',
      }),
    },
    operations: {
      ...Object.fromEntries(
        events.map(({ id, names }) => [
          `relay${inCamel(id)}`,
          {
            action: 'send',
            channel: ref(`channels/${id}`),
            summary: `Tell what happened to ${id}`,
            messages: names.map((name) => ref(`channels/${id}/messages/${name}`)),
          },
        ]),
      ),
      ingest: {
        action: 'receive',
        channel: ref('channels/pushes'),
        summary: 'Take in scans as native timelines',
        messages: [ref('channels/pushes/messages/push')],
        reply: {
          channel: ref('channels/replies'),
          messages: [ref('channels/replies/messages/answer'), ref('channels/replies/messages/problem')],
        },
      },
      putAside: {
        action: 'send',
        channel: ref('channels/rejected'),
        summary: 'Put aside what nothing could be taken of',
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
    bindings: { kafka: { key: { type: 'string', description: 'The stream.' } } },
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
  const correlation = { 'correlation-id': text('Given back in the answer.') };
  const key = (description: string): Schema => ({ bindings: { kafka: { key: { type: 'string', description } } } });
  const answered = {
    type: 'object',
    required: ['status', ...Object.keys(ORIGIN)],
    properties: {
      status: STATUS,
      ...correlation,
      ...ORIGIN,
      'event-position': text('What the X-Event-Position of HTTP is: a read that brings it sees the push.'),
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
      ...key('The tracking number, best.'),
      headers: {
        type: 'object',
        properties: {
          ...correlation,
          'accept-language': text('Language of messages in the answer.'),
          'content-type': { const: 'application/json' },
        },
      },
    },
    answer: {
      name: 'answer',
      title: 'What became of every event',
      contentType: 'application/json',
      correlationId,
      payload: ref('components/schemas/Answer'),
      headers: answered,
      ...key('That of the push.'),
    },
    problem: {
      name: 'problem',
      title: 'Nothing was taken',
      contentType: 'application/problem+json',
      correlationId,
      payload: ref('components/schemas/Problem'),
      headers: answered,
      ...key('That of the push.'),
    },
    deadLetter: {
      name: 'deadLetter',
      title: 'A push of which nothing was taken',
      contentType: 'application/octet-stream',
      payload: {
        description: 'The bytes of the push, whatever they are; absent where they are too long, see value-left-out.',
      },
      ...key('That of the push.'),
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
        description: 'Beside these, the headers of the push.',
      },
    },
  };
}
