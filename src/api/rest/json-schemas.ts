/** JSON Schemas for the API documents. */
import { z } from 'zod';
import { fieldErrorSchema } from '../core/field-errors.js';
import { errorCodes } from '../core/messages/messages.js';

export type Schema = Record<string, unknown>;

/** Schema of a problem document (RFC 9457) with the additional members of this service. */
export const problemSchema = (): Schema => ({
  type: 'object',
  description: 'Problem document (RFC 9457) with additional members of this service.',
  required: ['type', 'title', 'status', 'detail', 'result', 'code', 'message', 'doc_url', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'Short description of the code, the same for every occurrence.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'Explanation of this occurrence, the same as `message`.' },
    result: { const: false },
    code: { type: 'string', enum: errorCodes(), description: 'Stable error code.' },
    message: { type: 'string', description: 'Explanation in the language of Accept-Language.' },
    doc_url: { type: 'string', format: 'uri', description: 'Address of the documentation of the code.' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    request_id: { type: 'string', format: 'uuid' },
  },
});

/**
 * JSON Schemas of the operations. Named schemas become components: one component, or two if the schemas for input and
 * output differ.
 */
export class JsonSchemas {
  readonly components: Record<string, Schema> = { Problem: problemSchema() };
  readonly #seen = new Map<string, string>();
  readonly #added = new Map<string, Record<string, Schema>>();

  constructor() {
    // The schema of the problem document refers to the component FieldError.
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
      override: ({ jsonSchema, path }) => {
        withoutBoundsOfAll(jsonSchema);
        // The root is a parameter or a whole body. Only defaults of members move: the root keeps its default.
        if (path.length > 0) withDefaultInWords(jsonSchema);
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

  /** Adds an optional member to the component of a resource, even if the schema is a list of this resource. */
  addMember(schema: z.ZodType, name: string, member: Schema): void {
    const component = /#\/components\/schemas\/([^"]+)/.exec(JSON.stringify(this.of(schema, 'output')))?.[1];
    if (component === undefined)
      throw new Error(`The resource that has the relation ${name} is not a component: give its schema an id.`);
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

/** Removes the bounds of safe integers: they are not a rule of this API, and tools would use them as sample values. */
function withoutBoundsOfAll(schema: Schema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/**
 * Moves the default of a member into the description. Code generators disagree about a member with a default:
 * openapi-typescript makes clients send the member. Others copy the default literally; a list of objects then does not
 * compile. Changes the schema.
 */
function withDefaultInWords(schema: Schema): void {
  const { default: value, description } = schema;
  if (value === undefined) return;
  delete schema['default'];
  const words = `Default: \`${JSON.stringify(value)}\`.`;
  schema['description'] = description === undefined ? words : `${description as string} ${words}`;
}

/**
 * In responses, a text whose name ends in `_at` is an RFC 3339 date-time unless its schema defines another format.
 * Changes the schema.
 */
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

/** The same schema with references to local definitions replaced by references to the components. */
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
