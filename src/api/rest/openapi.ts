/** Builds the OpenAPI 3.1 document from the operations. */
import { z } from 'zod';
import type { Feed } from '../core/feed.js';
import type { Operation } from '../core/operation.js';
import { TAGS, tagOf, tagsOf } from '../core/tags.js';
import { pascalCase } from '../graphql/names.js';
import { EXPAND } from '../core/expand.js';
import { FIELDS, resourceOf } from '../core/resource-fields.js';
import { bodyMembersOf, placementOf } from './input.js';
import { JsonSchemas, type Schema } from './json-schemas.js';
import { openApiWebhooks, WEBHOOK_EVENTS } from './openapi-webhooks.js';
import { describeName, DESCRIPTIONS, describePermissions } from './openapi-texts.js';

export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  readonly feeds: readonly Feed[];
  readonly baseUrl: string;
}

/** The complete document; operations keep their order. */
export function openApi({ operations, feeds, baseUrl }: OpenApiOptions): Schema {
  const paths: Record<string, Schema> = {};
  const schemas = new JsonSchemas();
  for (const operation of operations) {
    const path = operation.rest.path.replace(/[:*](\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.rest.method]: describe(operation, schemas) };
  }
  for (const operation of operations) addRelations(operation, schemas);
  for (const feed of feeds) {
    const path = feed.path.replace(/:(\w+)/g, '{$1}');
    const rest = { method: 'get', path: feed.path, produces: 'text/event-stream' } as const;
    const described = describe({ ...feed, rest } as unknown as Operation, schemas);
    const known = paths[path]?.['get'] as typeof described | undefined;
    // If the path also has a JSON response, the stream is another media type of it.
    if (known) Object.assign(contentOfAnswer(known), contentOfAnswer(described));
    else paths[path] = { ...paths[path], get: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Open Transport',
      version: '1.0',
      summary: 'Tracking timelines and transport management, event-sourced',
      description:
        'Errors are problem documents (RFC 9457) with a stable `code`. Writes accept `Idempotency-Key` and return `X-Event-Position`; a read that sends this position reflects the write. Unknown query parameters and unknown members of a body are rejected, except in documents of other standards.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${baseUrl}/api` }],
    tags: [
      ...tagsOf(operations).map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) })),
      WEBHOOK_EVENTS,
    ],
    paths,
    webhooks: openApiWebhooks(schemas),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: "A user's access token or API key, or a provider's key.",
        },
      },
      schemas: schemas.components,
      parameters: {
        Fields: {
          name: FIELDS,
          in: 'query',
          required: false,
          description:
            'Members of the resource to return: names separated by commas, with dots for nested members (`id,delivery.city`). `*`, the default, selects all members. The error for an unknown name lists the known names.',
          schema: { type: 'string', minLength: 1, maxLength: 1_000 },
          example: 'id',
        },
      },
      responses: {
        Problem: {
          description: 'The request was rejected or failed.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

/** The objects that `expand` adds, as optional members of the component. */
function addRelations(operation: Operation, schemas: JsonSchemas): void {
  for (const { name, by, many, target } of operation.relations ?? []) {
    const object = { anyOf: [schemas.of(target.schema as z.ZodType, 'output'), { type: 'null' }] };
    schemas.addMember(resourceOf(operation)!.schema as z.ZodType, name, {
      ...(many ? { type: 'array', items: object } : object),
      description: `Only with \`expand=${name}\`: the object that \`${target.read.name}\` returns for \`${by}\`. Null if the caller may not read it.`,
    });
  }
}

const expandParameter = ({ relations = [] }: Operation): Schema => ({
  name: EXPAND,
  in: 'query',
  required: false,
  description:
    'Related objects to include in the response, as names separated by commas. Default: the response contains only the ids of related objects. Each object has the same content as a GET of that object by the same caller. It is null if the id is null or if the caller may not read the object.',
  schema: { type: 'array', items: { type: 'string', enum: relations.map(({ name }) => name) } },
  style: 'form',
  explode: false,
});

const FILE: Schema = { schema: { type: 'string', format: 'binary' } };
/** A body that is taken as it arrives. */
const RAW_BYTES: Schema = { required: true, content: { 'application/octet-stream': FILE } };
/** A body that is a file, or a form that contains a file. */
const BYTES: Schema = {
  required: true,
  content: {
    'application/octet-stream': FILE,
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
};

/** Schema of a body with these members of the input. A schema without a name gets the name of the operation. */
function bodyOf({ name, canonical, input, documented }: Operation, members: readonly string[]): z.ZodType {
  const shape = Object.fromEntries(members.map((member) => [member, input.shape[member] as z.ZodType]));
  const schema = documented ?? z.strictObject(shape);
  if (members.length === 0 || schema.meta()?.['id'] !== undefined) return schema;
  return schema.meta({ id: `${pascalCase(canonical ?? name).replace(/Request$/, '')}Request` });
}

const contentOfAnswer = (described: Schema): Schema =>
  (described['responses'] as Record<string, { readonly content: Schema }>)['200']!.content;

function describe(operation: Operation, schemas: JsonSchemas): Schema {
  const { input, output, callers } = operation;
  const placement = placementOf(operation);
  const parameter = (name: string, place: 'path' | 'query'): Schema => {
    const { description, ...schema } = schemas.of(input.shape[name] as z.ZodType, 'input');
    const required = place === 'path' || !(input.shape[name] as z.ZodType).safeParse(undefined).success;
    const shown = operation.example?.[place]?.[name];
    return {
      name,
      in: place,
      required,
      description: description ?? DESCRIPTIONS[name] ?? describeName(name),
      schema,
      ...(shown !== undefined && { example: shown }),
    };
  };
  const header = (name: string, description: string): Schema => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  return {
    operationId: operation.name,
    tags: [tagOf(operation)],
    'x-area': operation.area,
    summary: operation.summary,
    description: [operation.description, describePermissions(operation)].filter(Boolean).join('\n\n'),
    ...(operation.canonical !== undefined && { 'x-canonical': operation.canonical }),
    'x-roles': operation.callers,
    ...(operation.scopes && { 'x-scopes': operation.scopes }),
    security: callers.includes('anonymous') ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: [
      ...placement.path.map((name) => parameter(name, 'path')),
      ...placement.query.map((name) => parameter(name, 'query')),
      ...placement.otherParameters.map((name) =>
        name === FIELDS ? { $ref: '#/components/parameters/Fields' } : expandParameter(operation),
      ),
      ...(operation.reads
        ? [header('X-Event-Position', 'The request waits until the read models have reached this position.')]
        : []),
      ...(operation.writes
        ? [
            ...(operation.versioned
              ? [
                  header(
                    'If-Match',
                    '`ETag` of the resource: its version in quotation marks. Returns 412 if the resource has another version.',
                  ),
                ]
              : []),
            header('Idempotency-Key', 'A retry with the same key changes nothing and returns the first response.'),
          ]
        : []),
    ],
    ...(placement.body !== 'none' && {
      requestBody: { required: true, content: contentOf(operation, placement.body) },
    }),
    ...(operation.rest.bytes !== undefined && { requestBody: operation.rest.raw ? RAW_BYTES : BYTES }),
    responses: {
      [operation.rest.status ?? 200]: {
        description: 'Success.',
        content: { [operation.rest.produces ?? 'application/json']: { schema: schemas.of(output, 'output') } },
      },
      ...Object.fromEntries(
        Object.entries(operation.answers ?? {}).map(([status, description]) => [
          status,
          Number(status) < 400
            ? { description }
            : {
                description,
                content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
              },
        ]),
      ),
      '4XX': { $ref: '#/components/responses/Problem' },
      default: { $ref: '#/components/responses/Problem' },
    },
  };

  function contentOf(operation: Operation, body: 'members' | { readonly as: string }): Schema {
    const { rest } = operation;
    const members = bodyMembersOf(operation, placement);
    const schema =
      body === 'members'
        ? schemas.of(bodyOf(operation, members), 'input')
        : schemas.of(operation.documented ?? (input.shape[body.as] as z.ZodType), 'input');
    // A body without members has only one possible value.
    const example = operation.example?.body ?? (body === 'members' && members.length === 0 ? {} : undefined);
    const content = { schema, ...(example !== undefined && { example }) };
    return Object.fromEntries((rest.consumes ?? ['application/json']).map((type) => [type, content]));
  }
}
