/**
 * JSON Schemas (draft 7, as AsyncAPI requires) of the Kafka messages, derived from the schemas that the service itself
 * uses.
 */
import { z } from 'zod';
import type { EventType } from '../../events/core/event-types.js';
import { timelineInputSchema } from '../../events/otep/schema.js';
import { dataSchemaOf } from '../../relay/cloud-event.js';
import { problemSchema } from '../rest/json-schemas.js';
import { ingestResponseSchema } from '../areas/trackings/ingest-response.js';

export type Schema = Record<string, unknown>;

/** The context attributes of an event's message, as members of the structured document. */
export function attributeSchemas({ type, version }: EventType, source: string): Schema {
  return {
    specversion: { const: '1.0' },
    id: {
      type: 'string',
      format: 'uuid',
      description: 'The same for a message that is sent again, so that consumers can detect duplicates.',
    },
    source: { const: source },
    type: { const: type },
    subject: { type: 'string', description: 'Stream of the resource that the event is about.' },
    time: { type: 'string', format: 'date-time', description: 'Time at which the service recorded the event.' },
    datacontenttype: { const: 'application/json' },
    dataschema: {
      type: 'string',
      description: 'Type and version of the data. The data is sent as it was stored, even if a newer version exists.',
      examples: [dataSchemaOf(type, version)],
    },
    position: { type: 'string', description: 'Position in the log. Comparing positions as strings orders all events.' },
    revision: { type: 'integer', minimum: 0, description: 'Number of the event in its stream, from 0 without gaps.' },
    correlationid: { type: 'string' },
    causationid: { type: 'string', description: 'Id of the event or request that caused this event.' },
  };
}

export const REQUIRED_ATTRIBUTES = [
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'datacontenttype',
  'dataschema',
  'position',
  'revision',
];

/** All schemas that messages refer to, by name; `<type>Data` for the data of an event. */
export function componentSchemas(types: readonly EventType[]): Record<string, Schema> {
  const named: Record<string, Schema> = {};
  const timeline = schemaOf(timelineInputSchema, named);
  const own = {
    ...Object.fromEntries(types.map((type) => [`${type.type}Data`, storedDataSchema(type, named)])),
    Push: {
      description: 'One or more timelines.',
      anyOf: [
        timeline,
        { type: 'object', required: ['timelines'], properties: { timelines: { type: 'array', items: timeline } } },
      ],
    },
    Answer: schemaOf(ingestResponseSchema, named),
    Problem: problemSchema(),
  };
  return { ...named, ...own };
}

/** The stored form of the data: personal members are replaced by their ciphertext. */
function storedDataSchema({ schema, personal }: EventType, named: Record<string, Schema>): Schema {
  const open = without(schemaOf(schema, named), personal);
  if (Object.keys(personal).length === 0) return open;
  const sealed = {
    type: 'object',
    required: ['subject', 'box'],
    properties: { subject: { type: 'string' }, box: { type: 'string' } },
    description:
      'Personal members, encrypted with a key that never leaves the service. After the erasure of the person they cannot be decrypted.',
  };
  return { ...open, properties: { ...(open['properties'] as Schema), $sealed: sealed } };
}

function without(schema: Schema, personal: EventType['personal']): Schema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(
    ([name, member]) => {
      const marked = personal[name];
      if (marked === true) return [];
      return [[name, marked === undefined ? member : without(member, marked)] as const];
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** References to local definitions become references to component schemas, which are added to `named`. */
function schemaOf(schema: z.ZodType, named: Record<string, Schema>): Schema {
  const text = JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }));
  const {
    $schema: _dialect,
    definitions = {},
    ...json
  } = JSON.parse(text.replaceAll('"#/definitions/', '"#/components/schemas/')) as Schema & {
    definitions?: Record<string, Schema>;
  };
  Object.assign(named, definitions);
  return json;
}
