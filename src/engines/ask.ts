/** Questions to a server that the operator named, in JSON: bounded in time and size, and asked again where that may help. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Question {
  readonly url: string;
  /** JSON; absent: a GET. */
  readonly body?: string | Uint8Array;
  /** Of each try. */
  readonly timeoutMs: number;
  /** How often it is asked in all; absent: three times. */
  readonly tries?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Largest answer. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonAnswer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly json: unknown;
}

/** The same before it is read: of large answers, which are read elsewhere. */
export interface RawAnswer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** Nothing of use came back, however often it was tried. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Where a question says nothing else. */
const TRIES = 3;
/** Before the second try; before the third one four times as long. */
const PAUSE_MS = 200;
/** Longest wait that a server may ask for. */
const LONGEST_WAIT_MS = 5_000;

/**
 * The answer, whatever its status; a silent, failing or busy (429) server is asked again. Throws NoAnswer,
 * or the signal's reason.
 */
export async function askJson(question: Question): Promise<JsonAnswer> {
  const { status, bytes } = await ask(question);
  return { status, json: parsed(bytes) };
}

/** As `askJson`, and what came is left as it came. */
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
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
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
