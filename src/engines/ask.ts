/**
 * Sends JSON requests to a server that the operator configured. Requests are limited in time and size, and are retried
 * where a retry may help.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Question {
  readonly url: string;
  /** JSON; absent: the request is a GET. */
  readonly body?: string | Uint8Array;
  /** Timeout of each attempt. */
  readonly timeoutMs: number;
  /** Maximum number of attempts; default: 3. */
  readonly tries?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum size of the response. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonAnswer {
  readonly status: number;
  /** Undefined if the response is not valid JSON. */
  readonly json: unknown;
}

/** The unparsed response, for large responses that are parsed elsewhere. */
export interface RawAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** Thrown after the last attempt failed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Default of `tries`. */
const TRIES = 3;
/** Delay before the second attempt; the delay before the third is four times as long. */
const PAUSE_MS = 200;
/** Maximum delay that is accepted from `Retry-After`. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Returns the response, whatever its status. Retries if the server does not respond, fails or is busy (429). Throws
 * NoAnswer, or the reason of the signal.
 */
export async function askJson(question: Question): Promise<JsonAnswer> {
  const { status, bytes } = await ask(question);
  return { status, json: parsed(bytes) };
}

/** As `askJson`, but returns the body unparsed. */
export async function ask(question: Question): Promise<RawAnswer> {
  const { tries = TRIES } = question;
  let said = '';
  for (let tried = 1; tried <= tries; tried += 1) {
    question.signal?.throwIfAborted();
    const answer = await once(question).catch((error: unknown) => error as Error);
    question.signal?.throwIfAborted();
    if (!(answer instanceof Error) && answer.status !== 429 && answer.status < 500) return answer;
    said = answer instanceof Error ? answer.message : `status ${answer.status}`;
    const asked = answer instanceof Error ? 0 : answer.retryAfterMs;
    if (tried < tries)
      await sleep(Math.max(asked, PAUSE_MS * 4 ** (tried - 1)), undefined, {
        ...(question.signal && { signal: question.signal }),
      });
  }
  throw new NoAnswer(said);
}

async function once({ url, body, headers, timeoutMs, maxBytes, signal }: Question) {
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
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  const retryAfterMs = Number.isFinite(seconds) ? Math.min(LONGEST_WAIT_MS, Math.max(0, seconds * 1_000)) : 0;
  return { status: response.status, bytes, retryAfterMs };
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
