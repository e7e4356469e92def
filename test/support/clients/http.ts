/** HTTP calls to a service under test, with the answer read and its promises checked. */
import { expect } from 'chai';

export interface CallOptions {
  readonly method?: string;
  /** Provider key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is empty or no JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/** One call. Every answer with an error is checked to be a problem document as the conventions ask. */
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

/** The form of every error (RFC 9457 and our own members); no message has a place that nothing was put into. */
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

/** What every answer says to browsers and caches: no cache keeps what is somebody's own. */
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
