/**
 * One HTTP call of an adapter, without retries. Its outcome follows one rule for all adapters: a result is known only if
 * the response proves it.
 */
import type { NotDone, Outcome, Unknown } from './adapter.js';

export interface SentRequest {
  /** Below the base URL that the operator configured: a tenant never determines it. Redirects are not followed. */
  readonly url: string;
  readonly method: string;
  readonly headers?: NonNullable<RequestInit['headers']>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Default: 1 MiB. */
  readonly maxBytes?: number;
  /** Called with the headers of every response. */
  readonly onHeaders?: (headers: Headers) => void;
}

/** A response whose status proves that the external system has decided. */
export interface OutsideResponse {
  /** 200 to 299, or 400 to 499. */
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface OutsideRequest<Result> extends Omit<SentRequest, 'method' | 'headers' | 'onHeaders'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads the JSON body of a 2xx response. Undefined: the response does not have the expected form. */
  readonly read: (json: unknown) => Result | undefined;
  /**
   * Codes of 4xx responses after which the external system certainly did not act. All other codes leave the result
   * unknown.
   */
  readonly refusals?: Readonly<Record<string, Pick<NotDone, 'final'>>>;
  /** The code and the text of a 4xx response. Default: `status_<status>` as the code. */
  readonly refusalOf?: (json: unknown, status: number) => { readonly code: string; readonly text?: string };
}

const MAX_BYTES = 1_048_576;

const unknown = (cause: string): Unknown => ({ is: 'unknown', cause });

/**
 * Unknown: `timeout`, `connection`, `redirect`, `too_large`, `unreadable` (a response that does not parse), and
 * `status_<status>` for 5xx and for 4xx without a listed code.
 */
export async function callOutside<Result>(request: OutsideRequest<Result>): Promise<Outcome<Result>> {
  const { headers } = request;
  const response = await sendOutside({ ...request, headers: { accept: 'application/json', ...headers } });
  if ('is' in response) return response;
  const { status, text } = response;
  const json = parsed(text);
  if (status < 300) {
    const result = json === undefined ? undefined : request.read(json);
    return result === undefined ? unknown('unreadable') : { is: 'done', result };
  }
  const { refusals = {}, refusalOf = () => ({ code: `status_${status}` }) } = request;
  const refusal: { code: string; text?: string } =
    json === undefined ? { code: `status_${status}` } : refusalOf(json, status);
  return Object.hasOwn(refusals, refusal.code)
    ? { is: 'not_done', ...refusal, final: refusals[refusal.code]!.final }
    : unknown(`status_${status}`);
}

/** The causes of an unknown result are the same as for `callOutside`, without `unreadable` and 4xx. */
export async function sendOutside({
  url,
  method,
  headers,
  body,
  signal,
  maxBytes = MAX_BYTES,
  onHeaders,
}: SentRequest): Promise<OutsideResponse | Unknown> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    onHeaders?.(response.headers);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest of the body.
      if (size > maxBytes) return unknown('too_large');
      chunks.push(chunk);
    }
    const { status } = response;
    if (status >= 300 && status < 400) return unknown('redirect');
    if (status < 200 || status >= 500) return unknown(`status_${status}`);
    return { status, text: Buffer.concat(chunks).toString('utf8'), headers: response.headers };
  } catch {
    return unknown(signal.aborted ? 'timeout' : 'connection');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
