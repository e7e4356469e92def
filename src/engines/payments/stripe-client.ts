/**
 * One call of the official Stripe library. The library builds and reads the requests. This module sends them: without
 * retries and redirects, within the time and size of any call to an external system, and with the same rule for its
 * outcome: a result is known only if the response proves it.
 */
import type { Stripe } from 'stripe';
import type { z } from 'zod';
import type { NotDone, Outcome, Unknown } from '../outside/adapter.js';
import { sendOutside } from '../outside/call-outside.js';

/** The version of the protocol. The library has the types of exactly this version. */
export const STRIPE_VERSION = '2026-10-28.endive' satisfies Stripe.LatestApiVersion;

/** The keys of an account at the provider. */
export interface StripeAccount {
  /** Without a path: the operator sets it, never a tenant. */
  readonly baseUrl: string;
  readonly secretKey: string;
}

export interface StripeCall<Result> {
  readonly account: StripeAccount;
  readonly signal: AbortSignal;
  readonly send: (client: Stripe) => Promise<unknown>;
  /** The members that the service reads. */
  readonly schema: z.ZodType<Result>;
  /** Codes after which the provider certainly did not act; all other errors leave the result unknown. */
  readonly refusals?: ReadonlySet<string>;
}

/** An unknown result, whose response the provider has stored for the idempotency key: a repetition gets it again. */
export interface StoredFailure extends Unknown {
  readonly isStored: boolean;
}

/** Loaded on first use: most installations never need it. */
let library: Promise<typeof Stripe> | undefined;
export const loadStripe = (): Promise<typeof Stripe> =>
  (library ??= import('stripe').then(({ default: loaded }) => loaded));

export async function callStripe<Result>({
  account: { baseUrl, secretKey },
  signal,
  send,
  schema,
  refusals = new Set(),
}: StripeCall<Result>): Promise<Outcome<Result> | StoredFailure> {
  const Library = await loadStripe();
  const { hostname, port, protocol } = new URL(baseUrl);
  let failure: StoredFailure | undefined;
  let isStored = false;
  /** Passes only responses to the library that prove a result: it would read some others as success. */
  const fetchOnce = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const response = await sendOutside({
      url: String(url),
      method: init.method ?? 'GET',
      ...(init.headers && { headers: init.headers }),
      ...(typeof init.body === 'string' && init.body !== '' && { body: init.body }),
      signal,
      onHeaders: (headers) => (isStored = headers.get('idempotent-replayed') === 'true'),
    });
    if ('is' in response) {
      failure = { ...response, isStored };
      throw new Error(response.cause);
    }
    return new Response(response.text, { status: response.status, headers: response.headers });
  };
  const client = new Library(secretKey, {
    apiVersion: STRIPE_VERSION,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port !== '' && { port }),
    httpClient: Library.createFetchHttpClient(fetchOnce as typeof fetch),
    maxNetworkRetries: 0,
    telemetry: false,
  });
  try {
    const parsed = schema.safeParse(await send(client));
    return parsed.success ? { is: 'done', result: parsed.data } : { is: 'unknown', cause: 'unreadable' };
  } catch (error) {
    return failure ?? refusalOf(error, refusals) ?? { is: 'unknown', cause: causeOf(error) };
  }
}

/** Members of the errors of the library. */
interface LibraryError {
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly message?: string;
}

/** The code of an error without one, by its status. */
const CODE_OF: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication_failed',
  403: 'permission_denied',
};

function refusalOf(error: unknown, refusals: ReadonlySet<string>): NotDone | undefined {
  const { code, type, statusCode = 0, message } = error as LibraryError;
  // Another request with the same key is in progress, or had other members.
  if (type === 'StripeIdempotencyError') return undefined;
  const known = code ?? CODE_OF[statusCode];
  if (known === undefined || !refusals.has(known)) return undefined;
  return { is: 'not_done', code: known, text: message, final: true };
}

const causeOf = (error: unknown): string => {
  const { statusCode } = error as LibraryError;
  return statusCode === undefined ? 'unreadable' : `status_${statusCode}`;
};
