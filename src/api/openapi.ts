/** OpenAPI 3.1 from the operations. */
import { z } from 'zod';
import { ERRORS } from './errors.js';
import type { Operation } from './operations/operation.js';
import { placementOf } from './rest/input.js';

export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  readonly baseUrl: string;
}

type Schema = Record<string, unknown>;

export const PROBLEM: Schema = {
  type: 'object',
  description: 'RFC 9457, with the members that this service adds.',
  required: ['type', 'title', 'status', 'detail', 'result', 'code', 'message', 'request_id'],
  properties: {
    type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' }, result: { const: false },
    code: { type: 'string', enum: Object.keys(ERRORS), description: 'Stable.' },
    message: { type: 'string', description: 'In the language of Accept-Language.' },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'path', 'code', 'message'], properties: { field: { type: 'string' }, path: { type: 'string', description: 'JSON Pointer.' }, code: { type: 'string' }, message: { type: 'string' } } },
    },
    request_id: { type: 'string', format: 'uuid' },
  },
};

/** The whole document; operations keep their order. */
export function openApi({ operations, baseUrl }: OpenApiOptions): Schema {
  const paths: Record<string, Schema> = {};
  for (const operation of operations) {
    const path = operation.rest.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.rest.method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Open Transport', version: '1.0', summary: 'Tracking timelines and transport management, event-sourced.',
      description: 'Errors are problem documents (RFC 9457) with a stable `code`. Writes take `Idempotency-Key`; their answers carry `X-Event-Position`, and a read that brings it sees the write.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${baseUrl}/api` }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A provider\'s key.' } },
      schemas: { Problem: PROBLEM },
      responses: { Problem: { description: 'The request was refused or failed.', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } } },
    },
  };
}

function describe(operation: Operation): Schema {
  const { input, output, callers } = operation;
  const placement = placementOf(operation);
  const parameter = (name: string, place: 'path' | 'query'): Schema => {
    const { description, ...schema } = schemaOf(input.shape[name] as z.ZodType, 'input');
    const required = place === 'path' || !(input.shape[name] as z.ZodType).safeParse(undefined).success;
    return { name, in: place, required, ...(description !== undefined && { description }), schema };
  };
  const header = (name: string, description: string): Schema => ({ name, in: 'header', required: false, description, schema: { type: 'string' } });
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    security: callers.includes('anonymous') ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: [
      ...placement.path.map((name) => parameter(name, 'path')),
      ...placement.query.map((name) => parameter(name, 'query')),
      ...(operation.reads ? [header('X-Event-Position', 'Wait until the read models hold everything up to this position.')] : []),
      ...(operation.writes ? [header('Idempotency-Key', 'A retry with the same key changes nothing and gets the first answer.')] : []),
    ],
    ...(placement.body !== 'none' && { requestBody: { required: true, content: contentOf(operation, placement.body) } }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: schemaOf(output, 'output') } } },
      ...Object.fromEntries(Object.entries(operation.answers ?? {}).map(([status, description]) =>
        [status, Number(status) < 400 ? { description } : { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } }])),
      default: { $ref: '#/components/responses/Problem' },
    },
  };

  function contentOf({ rest }: Operation, body: 'members' | { readonly as: string }): Schema {
    const members = Object.keys(input.shape).filter((name) => !placement.path.includes(name) && !placement.query.includes(name));
    const schema = body === 'members' ? schemaOf(z.object(Object.fromEntries(members.map((name) => [name, input.shape[name] as z.ZodType]))), 'input') : schemaOf(operation.documented ?? (input.shape[body.as] as z.ZodType), 'input');
    return Object.fromEntries((rest.consumes ?? ['application/json']).map((type) => [type, { schema }]));
  }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' }) as Schema;
  return json;
}
