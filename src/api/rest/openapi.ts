/** OpenAPI 3.1 from the operations. */
import { z } from 'zod';
import { errorCodes } from '../core/messages/messages.js';
import type { Feed } from '../core/feed.js';
import type { Operation } from '../core/operation.js';
import { placementOf } from './input.js';

export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  readonly feeds: readonly Feed[];
  readonly baseUrl: string;
}

type Schema = Record<string, unknown>;

export const problemSchema = (): Schema => ({
  type: 'object',
  description: 'RFC 9457, with the members that this service adds.',
  required: ['type', 'title', 'status', 'detail', 'result', 'code', 'message', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    result: { const: false },
    code: { type: 'string', enum: errorCodes(), description: 'Stable.' },
    message: { type: 'string', description: 'In the language of Accept-Language.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'path', 'code', 'message'],
        properties: {
          field: { type: 'string' },
          path: { type: 'string', description: 'JSON Pointer.' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    request_id: { type: 'string', format: 'uuid' },
  },
});

/** What the operations of a tag are about. */
const TAGS: Readonly<Record<string, string>> = {
  OTEP: 'Tracking timelines of the Open Tracking Event Protocol: push, read, check, convert.',
  EPCIS: "GS1 EPCIS 2.0 as repositories speak it: capture jobs, and a query over the caller's own shipments.",
  Providers: 'What a provider of scans sets for itself.',
  User: "Accounts of a business's people: sign in, manage, API keys.",
  Driver: 'Drivers.',
  Client: 'Orders come to be: one, many at once, many later.',
  Orders: 'Read, find, hold, change and cancel orders; their labels and days.',
  Tracking: 'Where a package is, for the public; who did what to an order, for the office.',
  Analytics: 'Orders in numbers.',
  AddressBook: 'Address books, and addresses that orders have gone to or come from.',
  Fleets: 'Drivers and vehicles under an owner, and their captains.',
  'Warehouse Mobile': 'Warehouses, their locations, their stock, and what scanners do there.',
  Files: 'Photos, documents and tables that people upload.',
  Jobs: 'Long work: how far it is, what came of it, its early end.',
  POI: 'Points of interest.',
  'Custom Maps': 'Layers over points of interest and datasets, for the business and by public links.',
  Alliance: 'Delivery partners: members, and what they grant each other.',
  'Warehouse Transfer': 'Parcels that move from one warehouse to another, and back.',
  Dataset: "Tables of the business's own, and where addresses are.",
  'Broker Order Assignments': 'Which contractor delivers which orders: assign, move, revoke, hand back.',
  Routes: 'Routes and the orders on them; what a contractor may plan, and the pool of what the caller may plan now.',
  'Third Party Delivery': 'Orders that another carrier delivers: handed over, and taken back.',
  Dispatch: 'What needs a dispatcher today, who has it, and what was decided.',
  Agents: 'For agents and those who integrate: guides, search, signatures.',
  Approvals: 'Writes that wait for a human: agents propose, reviewers decide.',
  Audit:
    "What happened, who did it, and what followed: the events of one's own business as they stand in the log; and evidence that the log was not changed: signed heads of its Merkle tree (RFC 9162, C2SP), and proofs.",
  Privacy: 'Forgetting people.',
  Platform: "Businesses and their modules: for the platform's own people.",
  Webhooks:
    'What happens to orders and parcels, told to the systems of the business as it happens: settings, deliveries, tests.',
};

/** What parameters mean that many operations have, where none of them says more. */
const MEANINGS: Readonly<Record<string, string>> = {
  page: 'From 1.',
  per_page: 'Entries of a page.',
  order_ref: "The client's own reference.",
  carrier: 'Only the parcel of this carrier.',
  q: 'What is searched for.',
};

/** `order_id` is told as "Id of the order". */
const inWords = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  const of = /^(.+) id$/.exec(words)?.[1];
  return of === undefined ? `${words[0]!.toUpperCase()}${words.slice(1)}.` : `Id of the ${of}.`;
};

/** Who may call, as people read it. */
function whoMay({ callers, scopes = [], loginOnly, module }: Operation): string {
  const roles = callers.includes('anonymous') ? 'Anybody may call this.' : `Roles: ${callers.join(', ')}.`;
  return [
    roles,
    ...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}.`] : []),
    ...(loginOnly ? ['Needs a sign-in; no API key.'] : []),
    ...(module === undefined ? [] : [`The module ${module} must be on.`]),
  ].join(' ');
}

/** The whole document; operations keep their order. */
export function openApi({ operations, feeds, baseUrl }: OpenApiOptions): Schema {
  const paths: Record<string, Schema> = {};
  const schemas = new Schemas();
  for (const operation of operations) {
    const path = operation.rest.path.replace(/[:*](\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.rest.method]: describe(operation, schemas) };
  }
  for (const feed of feeds) {
    const path = feed.path.replace(/:(\w+)/g, '{$1}');
    const rest = { method: 'get', path: feed.path, produces: 'text/event-stream' } as const;
    const described = describe({ ...feed, rest } as unknown as Operation, schemas);
    const known = paths[path]?.['get'] as typeof described | undefined;
    // Where the path has a JSON answer, the stream is another form of it.
    if (known) Object.assign(contentOfAnswer(known), contentOfAnswer(described));
    else paths[path] = { ...paths[path], get: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Open Transport',
      version: '1.0',
      summary: 'Tracking timelines and transport management, event-sourced.',
      description:
        'Errors are problem documents (RFC 9457) with a stable `code`. Writes take `Idempotency-Key`; their answers carry `X-Event-Position`, and a read that brings it sees the write. A query parameter or a member of a body that an operation does not know is refused, so a typing error is noticed; documents of other standards may hold more.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${baseUrl}/api` }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      ...(TAGS[name] !== undefined && { description: TAGS[name] }),
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: "A user's access token or API key, or a provider's key.",
        },
      },
      schemas: schemas.components,
      responses: {
        Problem: {
          description: 'The request was refused or failed.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

/** A body that is a file, or a form with one. */
const BYTES: Schema = {
  required: true,
  content: {
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
};

const contentOfAnswer = (described: Schema): Schema =>
  (described['responses'] as Record<string, { readonly content: Schema }>)['200']!.content;

function describe(operation: Operation, schemas: Schemas): Schema {
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
      description: description ?? MEANINGS[name] ?? inWords(name),
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
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, whoMay(operation)].filter(Boolean).join('\n\n'),
    'x-roles': operation.callers,
    ...(operation.scopes && { 'x-scopes': operation.scopes }),
    security: callers.includes('anonymous') ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: [
      ...placement.path.map((name) => parameter(name, 'path')),
      ...placement.query.map((name) => parameter(name, 'query')),
      ...(operation.reads
        ? [header('X-Event-Position', 'Wait until the read models hold everything up to this position.')]
        : []),
      ...(operation.writes
        ? [header('Idempotency-Key', 'A retry with the same key changes nothing and gets the first answer.')]
        : []),
    ],
    ...(placement.body !== 'none' && {
      requestBody: { required: true, content: contentOf(operation, placement.body) },
    }),
    ...(operation.rest.bytes !== undefined && { requestBody: BYTES }),
    responses: {
      [operation.rest.status ?? 200]: {
        description: 'Done.',
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

  function contentOf({ rest }: Operation, body: 'members' | { readonly as: string }): Schema {
    const members = Object.keys(input.shape).filter(
      (name) => !placement.path.includes(name) && !placement.query.includes(name),
    );
    const schema =
      body === 'members'
        ? schemas.of(
            z.strictObject(Object.fromEntries(members.map((name) => [name, input.shape[name] as z.ZodType]))),
            'input',
          )
        : schemas.of(operation.documented ?? (input.shape[body.as] as z.ZodType), 'input');
    // A body without members has one form alone.
    const example = operation.example?.body ?? (body === 'members' && members.length === 0 ? {} : undefined);
    const content = { schema, ...(example !== undefined && { example }) };
    return Object.fromEntries((rest.consumes ?? ['application/json']).map((type) => [type, content]));
  }
}

/**
 * JSON Schemas of the operations. Named ones become components: once, or apart for input and output where the two
 * differ.
 */
class Schemas {
  readonly components: Record<string, Schema> = { Problem: problemSchema() };
  readonly #seen = new Map<string, string>();

  of(schema: z.ZodType, io: 'input' | 'output'): Schema {
    const {
      $schema: _dialect,
      $defs = {},
      id,
      ...json
    } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' }) as Schema & {
      $defs?: Record<string, Schema>;
      id?: string;
    };
    const given = { ...$defs, ...(id !== undefined && { [id]: json }) };
    const names = new Map(
      Object.entries(given).map(([name, definition]) => [name, this.#nameFor(name, definition, io)]),
    );
    for (const [name, { id: _id, ...definition }] of Object.entries(given))
      this.components[names.get(name)!] = renamed(definition, names) as Schema;
    return id === undefined ? (renamed(json, names) as Schema) : { $ref: `#/components/schemas/${names.get(id)}` };
  }

  #nameFor(name: string, { id: _id, ...definition }: Schema, io: 'input' | 'output'): string {
    const text = JSON.stringify(definition);
    const first = this.#seen.get(name) ?? text;
    this.#seen.set(name, first);
    return first === text ? name : `${name}${io === 'input' ? 'Input' : 'Output'}`;
  }
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
