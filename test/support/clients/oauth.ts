/** An agent's client and its user's browser, for the authorization code flow over real HTTP. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';

export interface Browser {
  /** Sends one request with the current cookies; does not follow redirects. */
  open(
    url: string,
    form?: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<{ status: number; location: string | null; html: string; headers: Headers }>;
}

/** Stores cookies as far as this flow needs them; sends `headers` with each request. */
export function createBrowser(base: string, headers: Readonly<Record<string, string>> = {}): Browser {
  const cookies = new Map<string, string>();
  return {
    async open(url, form) {
      const body =
        form &&
        new URLSearchParams(
          Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as [string, string])),
        );
      const response = await fetch(new URL(url, base), {
        method: form ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { ...headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body && { body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '') cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      return {
        status: response.status,
        location: response.headers.get('location'),
        html: await response.text(),
        headers: response.headers,
      };
    },
  };
}

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

export const REDIRECT = 'http://127.0.0.1:51234/callback';

export interface Registered {
  readonly client_id: string;
  readonly [member: string]: unknown;
}

export async function register(base: string, metadata: object = {}): Promise<Registered> {
  const response = await fetch(`${base}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test agent',
      redirect_uris: [REDIRECT],
      application_type: 'native',
      ...metadata,
    }),
  });
  const client = (await response.json()) as Registered;
  expect(response.status, JSON.stringify(client)).to.equal(201);
  return client;
}

export interface Authorize {
  readonly clientId: string;
  readonly challenge?: string;
  readonly scope?: string | undefined;
  readonly resource?: string;
}

export const authorizeUrl = ({ clientId, challenge, scope, resource }: Authorize): string =>
  `/oauth/authorize?${new URLSearchParams({ client_id: clientId, response_type: 'code', redirect_uri: REDIRECT, state: 'xyz', ...(scope !== undefined && { scope }), ...(challenge && { code_challenge: challenge, code_challenge_method: 'S256' }), ...(resource && { resource }) }).toString()}`;

/** Follows redirects to a page or to the client's own address. */
export async function follow(
  browser: Browser,
  url: string,
): Promise<{ url: string; html: string; status: number; headers: Headers }> {
  for (let at = url, step = 0; step < 10; step++) {
    if (at.startsWith(REDIRECT)) return { url: at, html: '', status: 200, headers: new Headers() };
    const { status, location, html, headers } = await browser.open(at);
    if (location === null) return { url: at, html, status, headers };
    at = location;
  }
  throw new Error('It goes round in circles.');
}

/** Signs in, consents to all offered scopes (or to `scopes`), and returns the redirect with the code. */
export async function obtainCode(
  browser: Browser,
  url: string,
  { email, password }: { email: string; password: string },
  scopes?: readonly string[],
): Promise<URL> {
  const login = await follow(browser, url);
  expect(login.html).to.include('Sign in');
  const signedIn = await browser.open(`${login.url}/login`, { email, password });
  expect(signedIn.status, signedIn.html).to.equal(303);
  const consent = await follow(browser, signedIn.location!);
  expect(consent.html, consent.url).to.include('Grant access');
  const offered = [...consent.html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope!);
  const agreed = await browser.open(`${consent.url}/consent`, { scope: scopes ?? offered });
  const back = await follow(browser, agreed.location!);
  return new URL(back.url);
}

export async function redeem(
  base: string,
  parameters: Record<string, string>,
): Promise<{ status: number; json: Record<string, string> }> {
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(parameters) });
  return { status: response.status, json: (await response.json()) as Record<string, string> };
}

export interface Connecting {
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  /** The selected scopes; absent: all offered ones. */
  readonly agreeTo?: readonly string[] | undefined;
  readonly browser?: Browser | undefined;
  /** Absent: the client registers itself. */
  readonly clientId?: string | undefined;
}

/** Runs the complete flow of an agent's client: registers, lets the user sign in and consent, and redeems the code. */
export async function connectAgent(
  url: string,
  user: { email: string; password: string },
  { scope, resource = url, agreeTo, browser = createBrowser(url), clientId }: Connecting = {},
) {
  const client_id = clientId ?? (await register(url)).client_id;
  const { verifier, challenge } = pkce();
  const back = await obtainCode(
    browser,
    authorizeUrl({ clientId: client_id, challenge, scope, resource }),
    user,
    agreeTo,
  );
  expect(back.searchParams.get('state')).to.equal('xyz');
  const code = back.searchParams.get('code')!;
  const redemption = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id,
    redirect_uri: REDIRECT,
    resource,
  };
  return { ...(await redeem(url, redemption)), client_id, redemption };
}
