/**
 * Sends JSON requests to a server that the operator configured. Requests are limited in time and size, and are retried
 * where a retry may help.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterMs } from './retry-after.js';

export interface HttpRequest {
  readonly url: string;
  /** JSON; absent: the request is a GET. */
  readonly body?: string | Uint8Array;
  /** Timeout of each attempt. */
  readonly timeoutMs: number;
  /** Maximum number of attempts; default: 3. */
  readonly maxAttempts?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum size of the response. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonResponse {
  readonly status: number;
  /** Undefined if the response is not valid JSON. */
  readonly json: unknown;
}

/** The unparsed response, for large responses that are parsed elsewhere. */
export interface RawResponse {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** Thrown after the last attempt failed. */
export class NoResponse extends Error {
  override readonly name = 'NoAnswer';
}

/** Default of `maxAttempts`. */
const DEFAULT_ATTEMPTS = 3;
/** Delay before the second attempt; the delay before the third is four times as long. */
const PAUSE_MS = 200;
/** Maximum delay that is accepted from `Retry-After`. */
const MAX_RETRY_AFTER_MS = 5_000;

/**
 * Returns the response, whatever its status. Retries if the server does not respond, fails or is busy (429). Throws
 * NoAnswer, or the reason of the signal.
 */
export async function requestJson(request: HttpRequest): Promise<JsonResponse> {
  const { status, bytes } = await requestRaw(request);
  return { status, json: parsed(bytes) };
}

/** Like `requestJson`, but returns the body unparsed. */
export async function requestRaw(request: HttpRequest): Promise<RawResponse> {
  const { maxAttempts = DEFAULT_ATTEMPTS } = request;
  let lastError = '';
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    request.signal?.throwIfAborted();
    const outcome = await sendOnce(request).catch((error: unknown) => error as Error);
    request.signal?.throwIfAborted();
    if (!(outcome instanceof Error) && outcome.status !== 429 && outcome.status < 500) return outcome;
    lastError = outcome instanceof Error ? outcome.message : `status ${outcome.status}`;
    const requestedDelay = outcome instanceof Error ? 0 : outcome.retryAfterMs;
    if (attempt < maxAttempts)
      await sleep(Math.max(requestedDelay, PAUSE_MS * 4 ** (attempt - 1)), undefined, {
        ...(request.signal && { signal: request.signal }),
      });
  }
  throw new NoResponse(lastError);
}

async function sendOnce({ url, body, headers, timeoutMs, maxBytes, signal }: HttpRequest) {
  const late = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  const bytes = await read(response, maxBytes);
  const requestedMs = retryAfterMs(response.headers.get('retry-after'), Date.now()) ?? 0;
  return { status: response.status, bytes, retryAfterMs: Math.min(MAX_RETRY_AFTER_MS, requestedMs) };
}

async function read(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    return undefined;
  }
}
