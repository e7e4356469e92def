/** GraphQL calls to a service under test. Responses are parsed, and their general guarantees are checked. */
import { expect } from 'chai';
import { expectFieldError } from './http.js';

export interface GraphQLCall {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  /** Token or provider key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly data: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly errors: readonly any[] | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly extensions: any;
}

/** Sends one document to the service at `url`. */
export async function graphql(
  url: string,
  query: string,
  { key, headers = {}, ...more }: GraphQLCall = {},
): Promise<GraphQLAnswer> {
  return graphqlRaw(url, JSON.stringify({ query, ...more }), { key, headers });
}

/** Sends a raw request body. */
export async function graphqlRaw(
  url: string,
  body: string | Uint8Array,
  { key, headers = {} }: Pick<GraphQLCall, 'key' | 'headers'> = {},
): Promise<GraphQLAnswer> {
  const response = await fetch(`${url}/api/graphql`, {
    method: 'POST',
    body: body as string,
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  const { data, errors, extensions } = (await response.json()) as {
    data?: unknown;
    errors?: unknown[];
    extensions?: unknown;
  };
  for (const error of errors ?? []) expectGraphQLError(error, response);
  return { status: response.status, headers: response.headers, data, errors, extensions };
}

/** Checks the form of an error, which must not contain internal details. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function expectGraphQLError({ message, extensions, ...rest }: any, response: Response): void {
  expect(message)
    .to.be.a('string')
    .and.match(/\S/)
    .and.not.match(/\{\w+\}|undefined/);
  expect(Object.keys(rest).filter((key) => !['locations', 'path'].includes(key))).to.deep.equal([]);
  expect(extensions.code).to.match(/^[A-Z][A-Z0-9_]+$/);
  expect(extensions.status).to.be.within(400, 599);
  expect(extensions.request_id).to.equal(response.headers.get('x-request-id'));
  expect(extensions).to.not.have.any.keys('stacktrace', 'exception');
  for (const error of extensions.errors ?? []) expectFieldError(error);
}
