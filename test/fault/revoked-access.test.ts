/**
 * Ended access ends on every process: open tokens, codes and sign-ins when the access of an account ends, and codes and
 * refresh tokens that several clients use at once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  authorizeUrl,
  connectAgent,
  createBrowser,
  follow,
  pkce,
  redeem,
  REDIRECT,
  register,
  type Browser,
} from '../support/clients/oauth.js';
import { call } from '../support/clients/http.js';
import { freePorts } from '../support/processes/ports.js';
import { endServiceProcesses, startServiceProcess } from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { signIns } from '../support/worlds/users.js';
import { atDepth } from '../support/depth.js';

/** The number of each kind: access tokens, refresh tokens, codes, browsers. */
const OPEN = atDepth(25, 6);
/** The number of codes and refresh tokens, and of concurrent uses of each. */
const ROUNDS = atDepth(50, 10);
const AT_ONCE = 8;

/** The client of an agent that a user has authorized, with a second code that is not redeemed. */
interface Open {
  readonly browser: Browser;
  readonly access: string;
  readonly refresh: string;
  readonly code: { readonly code: string; readonly code_verifier: string };
  readonly clientId: string;
}

describe('ended access on two processes', () => {
  let service: TestService;
  let dataDir: string;
  let processes: readonly [string, string];
  let admin: string;
  let people = 0;
  let networks = 0;

  before(async () => {
    const ports = await freePorts(2);
    processes = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string];
    const common = { BASE_URL: processes[0], TRUST_PROXY: '1', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' };
    const envOf = (which: 0 | 1) => ({ ...common, PORT: String(ports[which]) });
    service = await startTestService({ env: envOf(0) });
    dataDir = await mkdtemp(join(tmpdir(), 'transport-ended-'));
    await startServiceProcess({ dataDir, databaseUrl: service.databaseUrl, env: envOf(1) });
    admin = await signIns(service)('client_admin');
  });
  after(async () => {
    await endServiceProcesses();
    await service?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  const on = (index: number): string => processes[index % 2]!;

  async function newPerson() {
    const person = { email: `ended-${(people += 1)}@example.com`, password: 'long enough password' };
    const { json } = await service.api('/users', { key: admin, body: { ...person, name: 'Ends', role: 'employee' } });
    const { json: session } = await service.api('/user/login', { body: person });
    return { ...person, id: json.user.id as number, session: session.access_token as string };
  }
  type Person = Awaited<ReturnType<typeof newPerson>>;

  /**
   * Signs in with a browser, authorizes a client and redeems its code. Then authorizes it again, and keeps that code.
   */
  async function open(person: Person, clientId: string): Promise<Open> {
    // Each uses a separate network, because the rate limit counts sign-ins per network.
    const network = (networks += 1);
    const browser = createBrowser(service.url, { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` });
    const { json } = await connectAgent(service.url, person, { browser, clientId, scope: 'orders:read' });
    const { verifier, challenge } = pkce();
    const url = authorizeUrl({ clientId, challenge, scope: 'orders:read', resource: service.url });
    const consentPage = await follow(browser, url);
    const back = consentPage.url.startsWith(REDIRECT)
      ? consentPage
      : await follow(browser, (await browser.open(`${consentPage.url}/consent`, { scope: 'orders:read' })).location!);
    const code = new URL(back.url).searchParams.get('code')!;
    return {
      browser,
      access: json['access_token']!,
      refresh: json['refresh_token']!,
      code: { code, code_verifier: verifier },
      clientId,
    };
  }

  async function openMany(person: Person, count: number): Promise<Open[]> {
    const { client_id } = await register(service.url);
    const opened: Open[] = [];
    // A few at a time, because signing in is expensive.
    while (opened.length < count)
      opened.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(4, count - opened.length) }, () => open(person, client_id)),
        )),
      );
    return opened;
  }

  const redeemCode = ({ code, clientId }: Open, base: string) =>
    redeem(base, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      resource: service.url,
      ...code,
    });
  const renew = ({ refresh, clientId }: Open, base: string) =>
    redeem(base, { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId });
  const asUser = async (key: string, base: string) => (await call(`${base}/api/v1/me`, { key })).status;
  /** Whether the sign-in of the browser is still valid: requested with `prompt=none`. */
  async function signedIn({ browser, clientId }: Open, base: string): Promise<boolean> {
    const url = authorizeUrl({ clientId, challenge: pkce().challenge, scope: 'orders:read', resource: service.url });
    const { url: back } = await follow(browser, `${base}${url}&prompt=none`);
    return new URL(back).searchParams.get('error') !== 'login_required';
  }

  const KINDS = ['access tokens', 'refresh tokens', 'codes', 'browsers'] as const;
  type Kind = (typeof KINDS)[number];
  /** How many of each kind are still valid: all are tried at once, half of them on each process. */
  async function stillGood(opened: readonly Open[], kinds: readonly Kind[]): Promise<Record<string, number>> {
    const good: Record<Kind, (one: Open, base: string) => Promise<boolean>> = {
      'access tokens': async ({ access }, base) => (await asUser(access, base)) === 200,
      'refresh tokens': async (one, base) => (await renew(one, base)).status === 200,
      codes: async (one, base) => (await redeemCode(one, base)).status === 200,
      browsers: signedIn,
    };
    const counted = await Promise.all(
      kinds.map(async (kind) => {
        const all = await Promise.all(opened.map((one, index) => good[kind](one, on(index))));
        return [kind, all.filter(Boolean).length] as const;
      }),
    );
    return Object.fromEntries(counted);
  }
  const allOf = (kinds: readonly Kind[], count: number) => Object.fromEntries(kinds.map((kind) => [kind, count]));

  const post = async (path: string, key: string, body: object, method = 'POST') => {
    const answer = await service.api(path, { key, body, method });
    expect(answer.status, `${path}: ${answer.text}`).to.be.below(300);
    return answer;
  };
  const TOKENS = KINDS.filter((kind) => kind !== 'browsers');
  const END_METHODS: Readonly<
    Record<
      string,
      { readonly ends: readonly Kind[]; readonly by: (person: Person, opened: readonly Open[]) => Promise<unknown> }
    >
  > = {
    'a new password by the user': {
      ends: KINDS,
      by: ({ session, password }) =>
        post('/me/password', session, { current_password: password, new_password: 'another long password' }, 'PUT'),
    },
    'a new password by the admin': {
      ends: KINDS,
      by: ({ id }) => post(`/users/${id}/password`, admin, { new_password: 'another long password' }),
    },
    disabling: { ends: KINDS, by: ({ id }) => post(`/users/${id}/disable`, admin, {}) },
    'disabling, also after it is enabled again': {
      ends: KINDS,
      async by({ id }) {
        await post(`/users/${id}/disable`, admin, {});
        await post(`/users/${id}/enable`, admin, {});
      },
    },
    erasure: { ends: KINDS, by: ({ id }) => post(`/privacy/subjects/account-${id}/erase`, admin, {}) },
    'revoking each grant': {
      ends: TOKENS,
      async by({ session }) {
        const { json } = await service.api('/oauth/grants', { key: session });
        await Promise.all(
          (json.oauth_grants as { id: string }[]).map(({ id }) =>
            service.api(`/oauth/grants/${id}`, { key: session, method: 'DELETE' }),
          ),
        );
      },
    },
    'signing the browsers out': {
      ends: ['browsers'],
      by: (_person, opened) =>
        Promise.all(
          opened.map(async ({ browser }) => {
            const { html } = await browser.open('/oauth/logout');
            const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)![1]!;
            await browser.open(/action="([^"]+)"/.exec(html)![1]!, { xsrf, logout: 'yes' });
          }),
        ),
    },
  };

  for (const [way, { ends, by }] of Object.entries(END_METHODS))
    it(`agents O2: ${way} ends ${OPEN} open ${ends.join(', ')} within a second, on both`, async () => {
      const person = await newPerson();
      const opened = await openMany(person, OPEN);
      // The control's access is never ended, so requests below fail only because of the end.
      const [control] = await openMany(await newPerson(), 1);
      expect(await stillGood(opened, ['access tokens', 'browsers'])).to.deep.equal(
        allOf(['access tokens', 'browsers'], OPEN),
      );
      await by(person, opened);
      // Requested immediately after the response, without any delay.
      expect(await stillGood(opened, ends)).to.deep.equal(allOf(ends, 0));
      expect(await stillGood([control!], KINDS)).to.deep.equal(allOf(KINDS, 1));
    });

  describe(`agents O3: ${ROUNDS} times ${AT_ONCE} at once, on both processes`, () => {
    const redemptions: Readonly<Record<string, typeof renew>> = { code: redeemCode, 'refresh token': renew };
    for (const [what, redeemOne] of Object.entries(redemptions))
      it(`one redemption of a ${what} wins, and the second ends its family`, async () => {
        const opened = await openMany(await newPerson(), ROUNDS);
        const winners: number[] = [];
        for (const one of opened) {
          const all = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => redeemOne(one, on(index))));
          const won = all.filter(({ status }) => status === 200);
          winners.push(won.length);
          for (const { status, json } of all)
            if (status !== 200) expect(json['error'], JSON.stringify(json)).to.equal('invalid_grant');
          // For a renewal the previous access token belongs to the same family. The code belongs to another
          // authorization.
          const before = redeemOne === renew ? [one.access] : [];
          for (const token of [...before, ...won.map(({ json }) => json['access_token']!)])
            expect([await asUser(token, on(0)), await asUser(token, on(1))], 'of the family').to.deep.equal([401, 401]);
          for (const { json } of won)
            expect((await renew({ ...one, refresh: json['refresh_token']! }, on(1))).status).to.equal(400);
        }
        expect(Math.max(...winners), 'winners of a round').to.equal(1);
        console.log(
          `        ${what}: ${winners.filter((count) => count === 1).length} of ${ROUNDS} rounds had a winner`,
        );
      });
  });
});
