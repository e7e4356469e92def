/**
 * One HTTP call of an adapter, without retries. Its outcome follows one rule for all adapters: a result is known only if
 * the response proves it.
 */
import type { NotDone, Outcome } from './adapter.js';

export interface OutsideRequest<Result> {
  /** Below the base URL that the operator configured: a tenant never determines it. Redirects are not followed. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Default: 1 MiB. */
  readonly maxBytes?: number;
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

const unknown = (cause: string): Outcome<never> => ({ is: 'unknown', cause });

/**
 * Unknown: `timeout`, `connection`, `redirect`, `too_large`, `unreadable` (a response that does not parse), and
 * `status_<status>` for 5xx and for 4xx without a listed code.
 */
export async function callOutside<Result>(request: OutsideRequest<Result>): Promise<Outcome<Result>> {
  const response = await send(request);
  if ('is' in response) return response;
  const { status, text } = response;
  if (status >= 300 && status < 400) return unknown('redirect');
  if (status < 200 || status >= 500) return unknown(`status_${status}`);
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

async function send<Result>({
  url,
  method,
  headers,
  body,
  signal,
  maxBytes = MAX_BYTES,
}: OutsideRequest<Result>): Promise<{ readonly status: number; readonly text: string } | Outcome<never>> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the rest of the body.
      if (size > maxBytes) return unknown('too_large');
      chunks.push(chunk);
    }
    return { status: response.status, text: Buffer.concat(chunks).toString('utf8') };
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
