/**
 * The page's calls to the API. The token of the session is kept in this module and in the tab's sessionStorage, and
 * goes out in the Authorization header alone: there are no cookies, so no other site can make the browser send it, and
 * there is no CSRF to guard against.
 */
const BASE = '/api/v1';
const KEY = 'approvals-token';
const TIMEOUT_MS = 30_000;

/** An answer that says no, in the words of the API (in the browser's language); `status` 0: there was no answer. */
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
/** Called when the API does not know the token any more. */
let ended: () => void = () => undefined;

export const signedIn = (): boolean => token !== undefined;
export const onSessionEnd = (call: () => void): void => void (ended = call);

export async function signIn(email: string, password: string): Promise<void> {
  const { access_token } = await call<{ access_token: string }>('POST', '/user/login', { body: { email, password } });
  sessionStorage.setItem(KEY, (token = access_token));
}

/** The token is gone here at once; answers whether the API ended the session as well. */
export async function signOut(): Promise<boolean> {
  const told = call('POST', '/user/logout', { body: {} }).then(
    () => true,
    (thrown: unknown) => thrown instanceof Problem && thrown.status === 401,
  );
  forget();
  return told;
}

export interface CallOptions {
  readonly body?: unknown;
  /** The same for a retry of the same write. */
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

/** Also where the page comes over plain HTTP, which has no crypto.randomUUID. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function forget(): void {
  token = undefined;
  sessionStorage.removeItem(KEY);
}
