/**
 * Calls of the API. The session token is stored in this module and in the tab's sessionStorage, and is sent only in the
 * Authorization header. There are no cookies, so another site cannot make the browser send the token, and no protection
 * from CSRF is needed.
 */
const BASE = '/api/v1';
const KEY = 'approvals-token';
const TIMEOUT_MS = 30_000;

/** An error response with the message of the API in the browser's language. `status` 0: there was no response. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

let token = sessionStorage.getItem(KEY) ?? undefined;
/** Called when the API no longer accepts the token. */
let ended: () => void = () => undefined;

export const signedIn = (): boolean => token !== undefined;
export const onSessionEnd = (call: () => void): void => void (ended = call);

export async function signIn(email: string, password: string): Promise<void> {
  const { access_token } = await call<{ access_token: string }>('POST', '/user/login', { body: { email, password } });
  sessionStorage.setItem(KEY, (token = access_token));
}

/** Deletes the token immediately. Resolves to true if the API also ended the session. */
export async function signOut(): Promise<boolean> {
  const request = call('POST', '/user/logout', { body: {} }).then(
    () => true,
    (thrown: unknown) => thrown instanceof Problem && thrown.status === 401,
  );
  forget();
  return request;
}

export interface CallOptions {
  readonly body?: unknown;
  /** A retry of a write sends the same key. */
  readonly idempotencyKey?: string;
}

/** Throws Problem. */
export async function call<T>(
  method: 'GET' | 'POST',
  path: string,
  { body, idempotencyKey }: CallOptions = {},
): Promise<T> {
  const used = token;
  const response = await fetch(`${BASE}${path}`, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      Accept: 'application/json',
      ...(used !== undefined && { Authorization: `Bearer ${used}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Problem(0, 'OFFLINE', String(error));
  });
  const answer = (await response.json().catch(() => ({}))) as T & { readonly code?: string; readonly message?: string };
  if (response.ok) return answer;
  if (response.status === 401 && used !== undefined && used === token) {
    forget();
    ended();
  }
  throw new Problem(
    response.status,
    answer.code ?? '',
    answer.message ?? `HTTP ${response.status}`,
    Number(response.headers.get('Retry-After') ?? 0) * 1_000,
  );
}

/** Also works over plain HTTP, where crypto.randomUUID is not available. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function forget(): void {
  token = undefined;
  sessionStorage.removeItem(KEY);
}
