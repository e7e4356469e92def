/** An agent's client and its user's browser, for the authorization code flow over real HTTP. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';

export interface Browser {
  /** Sends one request with the current cookies; does not follow redirects. */
  open(
    url: string,
    form?: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<{ status: number; location: string | null; html: string; headers: Headers }>;
  /** Whether the address is not one of the service: the redirect to the client. */
  leaves(url: string): boolean;
  /** The same browser, with the same cookies, that sends other headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Browser;
}

/** Stores cookies as far as this flow needs them; sends `headers` with each request. */
export function createBrowser(base: string, headers: Readonly<Record<string, string>> = {}): Browser {
  return browserWith(base, headers, new Map());
}

function browserWith(base: string, headers: Readonly<Record<string, string>>, cookies: Map<string, string>): Browser {
  return {
    leaves: (url) => new URL(url, base).origin !== new URL(base).origin,
    withHeaders: (others) => browserWith(base, others, cookies),
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

/** Follows redirects to a page or to the client's own address. The first address may be of another process. */
export async function follow(
  browser: Browser,
  url: string,
): Promise<{ url: string; html: string; status: number; headers: Headers }> {
  for (let at = url, step = 0; step < 10; step++) {
    if (at.startsWith(REDIRECT) || (step > 0 && browser.leaves(at)))
      return { url: at, html: '', status: 200, headers: new Headers() };
    const { status, location, html, headers } = await browser.open(at);
    if (location === null) return { url: at, html, status, headers };
    at = location;
  }
  throw new Error('It goes round in circles.');
}

/** The consent page as a user reads it. */
export interface ConsentShown {
  readonly url: string;
  readonly html: string;
  /** The chosen profile. */
  readonly profile: string;
  /** Profiles that the user can choose. */
  readonly profiles: readonly string[];
  /** Scopes with a checkbox. */
  readonly scopes: readonly string[];
  readonly ticked: readonly string[];
}

function consentIn(url: string, html: string): ConsentShown {
  expect(html, url).to.include('Grant access');
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found!);
  return {
    url: url.split('?')[0]!,
    html,
    profile: all(/name="profile" value="([^"]+)"/g)[0]!,
    profiles: all(/href="[^"]*\?profile=([^"]+)"/g),
    scopes: all(/name="scope" value="([^"]+)"/g),
    ticked: all(/name="scope" value="([^"]+)" checked/g),
  };
}

/** Opens an authorization request; signs in unless the browser is signed in. */
export async function openConsent(
  browser: Browser,
  url: string,
  { email, password }: { email: string; password: string },
): Promise<ConsentShown> {
  const first = await follow(browser, url);
  if (!first.html.includes('name="password"')) return consentIn(first.url, first.html);
  const signedIn = await browser.open(`${first.url}/login`, { email, password });
  expect(signedIn.status, signedIn.html).to.equal(303);
  const consent = await follow(browser, signedIn.location!);
  return consentIn(consent.url, consent.html);
}

/** Follows the link of a profile. */
export async function chooseProfile(browser: Browser, { url }: ConsentShown, profile: string): Promise<ConsentShown> {
  const { html } = await browser.open(`${url}?profile=${profile}`);
  return consentIn(url, html);
}

/** Submits the form of the page with these scopes, and returns the redirect to the client. */
export async function agree(browser: Browser, { url, profile }: ConsentShown, scopes: readonly string[]): Promise<URL> {
  const agreed = await browser.open(`${url}/consent`, { profile, scope: scopes });
  expect(agreed.status, agreed.html).to.equal(303);
  return new URL((await follow(browser, agreed.location!)).url);
}

/** Signs in, consents to all offered scopes (or to `scopes`), and returns the redirect with the code. */
export async function obtainCode(
  browser: Browser,
  url: string,
  user: { email: string; password: string },
  scopes?: readonly string[],
): Promise<URL> {
  const consent = await openConsent(browser, url, user);
  return agree(browser, consent, scopes ?? consent.scopes);
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
