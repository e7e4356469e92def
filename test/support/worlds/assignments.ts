/**
 * The four operations of contractor assignment over either interface, called as users of the demo. One test checks both
 * interfaces against the specification's tables.
 */
import { toCamelCase } from '../clients/rest-and-graphql.js';
import { graphql } from '../clients/graphql.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { createOrderFactory } from './order-factory.js';
import { startTestService, type TestService } from './service.js';
import { signIns, type UserName } from './users.js';

const PATH = '/broker-order-assignments';
export const INTERFACES = ['REST', 'GraphQL'] as const;

type AssignmentResponse = Pick<Answer, 'status' | 'headers' | 'json'>;
/** `path` below the resource: a query for the list, empty with a body to assign, `/revoke`, `/release`. */
type CallAssignments = (path: string, options?: CallOptions) => Promise<AssignmentResponse>;

type AssignInput = Readonly<Record<string, unknown>> & {
  readonly by?: UserName;
  readonly headers?: Readonly<Record<string, string>>;
};
export type AssignmentFixture = Awaited<ReturnType<typeof openAssignmentFixture>>;

/** Starts a separate service. Calls without a user are made by a user with permission. */
export async function openAssignmentFixture(over: (typeof INTERFACES)[number]) {
  const service = await startTestService();
  const call = { REST: overRest, GraphQL: overGraphQL }[over](service);
  const tokenOf = signIns(service);
  const as = async (user: UserName, path = '', options: CallOptions = {}) =>
    call(path, { key: await tokenOf(user), ...options });
  const broker = (name: UserName = 'broker') => service.demo.users[name].id;
  const list = (query = '', by: UserName = 'client_admin', headers: Readonly<Record<string, string>> = {}) =>
    as(by, query, { headers });
  return {
    service,
    orders: createOrderFactory(service),
    stop: () => service.stop(),
    call,
    tokenOf,
    as,
    broker,
    list,
    assign: (
      order_ids: unknown,
      { broker_id = broker(), by = 'client_admin', headers = {}, ...rest }: AssignInput = {},
    ) => as(by, '', { body: { order_ids, broker_id, ...rest }, headers }),
    revoke: (order_ids: unknown, rest: object = {}, by: UserName = 'client_admin') =>
      as(by, '/revoke', { body: { order_ids, ...rest } }),
    release: (order_id: unknown, rest: object = {}, by: UserName = 'broker') =>
      as(by, '/release', { body: { order_id, ...rest } }),
    /** Returns the assignments of an order, newest first. */
    of: async (order: number, by: UserName = 'client_admin') => (await list(`?order_id=${order}`, by)).json.assignments,
  };
}

const overRest =
  ({ api }: TestService): CallAssignments =>
  (path, options) =>
    api(`${PATH}${path}`, options);

const COUNTED = 'skipped errors { orderId code message }';
const RECORD =
  'id orderId orderRef orderStatusId scheduledDate routeId brokerId brokerName status note assignedAt assignedBy endedBy endedAt endReason';

/** Sends variables as JSON, like clients. The response uses REST names, with errors from `extensions`. */
function overGraphQL({ url }: TestService): CallAssignments {
  return async (path, { key, headers, body } = {}) => {
    const isList = body === undefined;
    const [field, types, selection] = isList
      ? ([
          'brokerOrderAssignments',
          { brokerId: 'Int', status: 'String', orderId: 'Int', page: 'Int', perPage: 'Int', cursor: 'String' },
          `result total page perPage nextCursor assignments { ${RECORD} }`,
        ] as const)
      : path === '/revoke'
        ? ([
            'revokeBrokerOrderAssignments',
            { orderIds: '[SafeInt!]', reason: 'String' },
            `result revoked ${COUNTED}`,
          ] as const)
        : path === '/release'
          ? ([
              'releaseBrokerOrderAssignment',
              { orderId: 'SafeInt!', reason: 'String' },
              `result message assignment { ${RECORD} }`,
            ] as const)
          : ([
              'assignOrdersToBroker',
              { orderIds: '[SafeInt!]', brokerId: 'SafeInt', note: 'String' },
              `result assigned ${COUNTED}`,
            ] as const);
    const given = isList
      ? [...new URLSearchParams(path)].map(
          ([name, value]) => [toCamelCase(name), /^-?[\d.]+$/.test(value) ? Number(value) : value] as const,
        )
      : Object.entries(body as object).map(([name, value]) => [toCamelCase(name), value as unknown] as const);
    const list = (each: (name: string, type: string) => string) =>
      given.length > 0
        ? `(${given.map(([name]) => each(name, (types as Record<string, string>)[name]!)).join(', ')})`
        : '';
    const document = `${isList ? 'query' : 'mutation'} ${list((name, type) => `$${name}: ${type}`)} { answer: ${field}${list((name) => `${name}: $${name}`)} { ${selection} } }`;
    const {
      data,
      errors,
      headers: responseHeaders,
      status,
    } = await graphql(url, document, { key, ...(headers && { headers }), variables: Object.fromEntries(given) });
    const refused = errors?.[0];
    return {
      status: refused ? refused.extensions.status : status,
      headers: responseHeaders,
      json: refused
        ? { message: refused.message, ...refused.extensions, errors: refused.extensions.errors?.map(restNames) }
        : withSnakeCaseNames(data.answer),
    };
  };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const restNames = (error: any) => ({ ...error, field: toSnakeCase(error.field), path: toSnakeCase(error.path) });
const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function withSnakeCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeCaseNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toSnakeCase(name), withSnakeCaseNames(member)]),
  );
}
