/** HTTP calls to a service under test. Responses are parsed, and their general guarantees are checked. */
import { expect } from 'chai';

export interface CallOptions {
  readonly method?: string;
  /** Provider key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is empty or not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/** Makes one call. Checks that every error response is a problem document as the conventions require. */
export async function call(url: string, { method, key, headers = {}, body }: CallOptions = {}): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
    redirect: 'manual',
  });
  const text = await response.text();
  const json: unknown =
    text !== '' && /[/+]json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
  const answer = { status: response.status, headers: response.headers, text, json };
  if (response.status >= 400 && method !== 'HEAD' && json !== undefined && !url.includes('/health/'))
    expectProblem(answer);
  return answer;
}

/**
 * Checks the form of an error (RFC 9457 and additional members). A message must not contain an unfilled placeholder.
 */
export function expectProblem({ status, headers, json }: Answer): void {
  expect(headers.get('content-type')).to.equal('application/problem+json');
  expect(json).to.include.keys('type', 'title', 'status', 'detail', 'code', 'message', 'request_id');
  expect(json.status).to.equal(status);
  expect(json.result).to.equal(false);
  expect(json.code).to.match(/^[A-Z][A-Z0-9_]+$/);
  expect(json.request_id).to.equal(headers.get('x-request-id'));
  expect(json.type).to.match(new RegExp(`#${json.code}$|^epcisException:\\w+Exception$`));
  for (const error of [json, ...(json.errors ?? [])])
    expect(error.message, `${json.code}: ${error.message}`)
      .to.match(/\S/)
      .and.not.match(/\{\w+\}|undefined| {2}|\s[.,;]/);
  for (const error of json.errors ?? []) expectFieldError(error);
}

/** Checks the response headers for browsers and caches: a cache must not store private data. */
export function expectGuarded(headers: Headers, isPrivate: boolean): void {
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
  expect(headers.get('x-frame-options')).to.equal('DENY');
  expect(headers.get('referrer-policy')).to.equal('no-referrer');
  expect(headers.get('content-security-policy')).to.contain("frame-ancestors 'none'");
  if (isPrivate) expect(headers.get('cache-control')).to.match(/^(private, )?no-store$/);
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function expectFieldError(error: any, about?: string): void {
  expect(error, about).to.have.all.keys('field', 'path', 'code', 'message');
  expect(error.field, about).to.be.a('string').and.match(/\S/);
  expect(error.path, about).to.match(/^(\/([^~/]|~[01])*)*$/);
  expect(error.code, about).to.match(/^[A-Z][A-Z0-9_]+$/);
}
