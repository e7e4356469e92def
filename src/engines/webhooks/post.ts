/**
 * Sends one POST to an address that a tenant configured. The address is checked and pinned. The request is limited in
 * time and size, and redirects are not followed.
 */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AddressRefused, hostOf, parseTarget, pinnedLookup, resolveChecked, type AddressPolicy } from './addresses.js';

export interface PostResult {
  /** HTTP status; absent: no response arrived. */
  readonly status?: number;
  /** Reason why no response arrived, or why it counts as a failure. */
  readonly error?: string;
  /** The header `Retry-After`, unparsed. */
  readonly retryAfter?: string;
  /** The first kilobyte of the response body. */
  readonly text?: string;
  readonly ms: number;
}

export interface Post {
  (url: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<PostResult>;
}

export interface WebhookClient {
  /** Never throws. */
  readonly post: Post;
  /**
   * Whether an address may be configured: checks its form, and the IP addresses of its host name. A host name that
   * cannot be resolved is accepted.
   */
  readonly mayUse: (url: string) => Promise<boolean>;
  close(): void;
}

export interface WebhookClientOptions extends AddressPolicy {
  /** Timeout of a whole attempt, in milliseconds. */
  readonly timeoutMs: number;
}

const MAX_STORED_TEXT = 1_024;
const IDLE_MS = 4_000;
const CHECK_MS = 3_000;
const MAX_HEADERS = 16_384;

export function createWebhookClient({ timeoutMs, ...policy }: WebhookClientOptions): WebhookClient {
  const pinned = pinnedLookup(policy);
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_MS, lookup: pinned }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_MS, lookup: pinned }),
  };

  async function post(address: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<PostResult> {
    const started = performance.now();
    const answered = await attempt(address, body, headers).catch((error: unknown) => ({ error: reasonOf(error) }));
    return { ...answered, ms: Math.round(performance.now() - started) };
  }

  async function attempt(
    address: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<Omit<PostResult, 'ms'>> {
    const url = parseTarget(address, policy);
    if (!url) throw new AddressRefused('address_not_allowed');
    const signal = AbortSignal.timeout(timeoutMs);
    const options: RequestOptions = {
      method: 'POST',
      agent: agents[url.protocol as 'http:'],
      signal,
      maxHeaderSize: MAX_HEADERS,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'open-transport-webhooks/1',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...headers,
      },
    };
    const send = () => (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    const response = await exchange(send, body);
    const text = await beginningOf(response);
    const status = response.statusCode!;
    const retryAfter = response.headers['retry-after'];
    return {
      status,
      text,
      ...(retryAfter !== undefined && { retryAfter }),
      ...(status >= 300 && status < 400 && { error: 'redirect_not_followed' }),
      ...((status < 200 || status >= 400) && { error: 'status' }),
    };
  }

  return {
    post,
    async mayUse(address) {
      const url = parseTarget(address, policy);
      if (!url) return false;
      const late = new Promise<'late'>((resolve) => setTimeout(resolve, CHECK_MS, 'late').unref());
      return Promise.race([resolveChecked(hostOf(url), policy), late]).then(
        () => true,
        (error: unknown) => error instanceof AddressRefused && error.code === 'host_not_found',
      );
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/**
 * The server may have closed a keep-alive connection at the same moment. That is not a failure of the endpoint, so the
 * request is repeated on a new connection.
 */
async function exchange(send: () => ClientRequest, body: Buffer): Promise<IncomingMessage> {
  for (;;) {
    const request = send();
    try {
      return await new Promise<IncomingMessage>((resolve, reject) =>
        request.once('response', resolve).once('error', reject).end(body),
      );
    } catch (error) {
      if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    }
  }
}

/**
 * Returns the part of the body that arrives in time, at most a kilobyte. Only the status decides the result; the text
 * is for people.
 */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection, so the server cannot send more.
      if (length > MAX_STORED_TEXT) break;
    }
  } catch {
    // Interrupted, or too slow.
  }
  return Buffer.concat(chunks)
    .subarray(0, MAX_STORED_TEXT)
    .toString('utf8')
    .replaceAll('\uFFFD', '?')
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, ' ');
}

/** A stable code. Error messages are not stored, because they contain addresses. */
function reasonOf(thrown: unknown): string {
  const error = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown;
  if (error instanceof AddressRefused) return error.code;
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (/^HPE_/.test(code)) return 'not_http';
  if (/TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return 'tls_failed';
  return 'connection_failed';
}
