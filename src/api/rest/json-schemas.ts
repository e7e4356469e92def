/** JSON Schemas for documents about the API. */
import { z } from 'zod';
import { fieldErrorSchema } from '../core/field-errors.js';
import { errorCodes } from '../core/messages/messages.js';

export type Schema = Record<string, unknown>;

/** A problem document (RFC 9457), with the members that this service adds. */
export const problemSchema = (): Schema => ({
  type: 'object',
  description: 'RFC 9457, with the members that this service adds.',
  required: ['type', 'title', 'status', 'detail', 'result', 'code', 'message', 'doc_url', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'The same for every occurrence of the code.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong in this case; the same as `message`.' },
    result: { const: false },
    code: { type: 'string', enum: errorCodes(), description: 'Stable.' },
    message: { type: 'string', description: 'In the language of Accept-Language.' },
    doc_url: { type: 'string', format: 'uri', description: 'Explains the code.' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    request_id: { type: 'string', format: 'uuid' },
  },
});

/**
 * JSON Schemas of the operations. Named ones become components: once, or apart for input and output where the two
 * differ.
 */
export class JsonSchemas {
  readonly components: Record<string, Schema> = { Problem: problemSchema() };
  readonly #seen = new Map<string, string>();
  readonly #added = new Map<string, Record<string, Schema>>();

  constructor() {
    // The problem document refers to it.
    this.of(fieldErrorSchema, 'output');
  }

  of(schema: z.ZodType, io: 'input' | 'output'): Schema {
    const {
      $schema: _dialect,
      $defs = {},
      id,
      ...json
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        withoutBoundsOfAll(jsonSchema);
        withDefaultInWords(jsonSchema);
      },
    }) as Schema & { $defs?: Record<string, Schema>; id?: string };
    if (io === 'output') [json, $defs].forEach(withInstants);
    const given = { ...$defs, ...(id !== undefined && { [id]: json }) };
    const names = new Map(
      Object.entries(given).map(([name, definition]) => [name, this.#nameFor(name, definition, io)]),
    );
    for (const [name, { id: _id, ...definition }] of Object.entries(given)) {
      const component = names.get(name)!;
      this.components[component] = renamed(definition, names) as Schema;
      this.#complete(component);
    }
    return id === undefined ? (renamed(json, names) as Schema) : { $ref: `#/components/schemas/${names.get(id)}` };
  }

  /** Adds an optional member to the component of a resource, also where the schema is a list of it. */
  addMember(schema: z.ZodType, name: string, member: Schema): void {
    const component = /#\/components\/schemas\/([^"]+)/.exec(JSON.stringify(this.of(schema, 'output')))?.[1];
    if (component === undefined)
      throw new Error(`The resource that has the relation ${name} is no component: give its schema an id.`);
    this.#added.set(component, { ...this.#added.get(component), [name]: member });
    this.#complete(component);
  }

  #complete(component: string): void {
    const added = this.#added.get(component);
    if (added) Object.assign(this.components[component]!['properties'] as Record<string, Schema>, added);
  }

  #nameFor(name: string, { id: _id, ...definition }: Schema, io: 'input' | 'output'): string {
    const text = JSON.stringify(definition);
    const first = this.#seen.get(name) ?? text;
    this.#seen.set(name, first);
    return first === text ? name : `${name}${io === 'input' ? 'Input' : 'Output'}`;
  }
}

/** That an integer is one which JavaScript counts exactly is no rule of ours, and what tools make samples of. */
function withoutBoundsOfAll(schema: Schema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/**
 * A list of objects as a default is described in words: generators of typed languages write it as it is, which their
 * compilers refuse. Changes the schema.
 */
function withDefaultInWords(schema: Schema): void {
  const { default: value, description } = schema;
  if (!Array.isArray(value) || !value.some((item) => typeof item === 'object')) return;
  delete schema['default'];
  const words = `Default: \`${JSON.stringify(value)}\`.`;
  schema['description'] = description === undefined ? words : `${description as string} ${words}`;
}

/** What we tell under a name ending in `_at` is RFC 3339, unless its schema says another form. Changes the schema. */
function withInstants(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = schema as { readonly properties?: Readonly<Record<string, Schema>> };
  for (const [name, member] of Object.entries(properties ?? {})) if (name.endsWith('_at')) markInstant(member);
  for (const part of Object.values(schema)) withInstants(part);
}

function markInstant(schema: Schema): void {
  const isText = [schema['type']].flat().includes('string');
  if (isText && schema['pattern'] === undefined) schema['format'] ??= 'date-time';
  for (const alternative of (schema['anyOf'] ?? []) as Schema[]) markInstant(alternative);
}

/** The same with references to local definitions led to the components. */
function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = key === '$ref' && typeof member === 'string' ? /^#\/\$defs\/(.+)$/.exec(member)?.[1] : undefined;
      return [key, name === undefined ? renamed(member, names) : `#/components/schemas/${names.get(name) ?? name}`];
    }),
  );
}
