/**
 * A business with webhooks for tests: its admin sets them, and a provider with access to its parcels creates events.
 */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { createLogins } from '../../../src/engines/postgres/logins.js';
import { accountStream } from '../../../src/events/accounts/events.js';
import { businessStream } from '../../../src/events/businesses/events.js';
import { PROFILE } from '../../../src/events/otep/model.js';
import { trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { WAIT_LIMIT_MS, eventually } from '../eventually.js';
import { event, newNumber, timelineOf } from '../inputs/pushes.js';
import type { TestService } from './service.js';
import { signIns, type UserName } from './users.js';

export const SECRET = 'a-secret-of-more-than-16-characters';

/** Private addresses are allowed, because the receivers of tests have them. */
export const ALLOWED = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_MS: '20',
  WEBHOOK_TIMEOUT_MS: '1000',
  RATE_LIMIT_WRITE: '100000',
} as const;

export interface WebhookFixture {
  /** Access token of the user. */
  readonly key: string;
  /** Calls as the user. */
  readonly call: (path: string, options?: CallOptions) => Promise<Answer>;
  /** Changes settings, which must be accepted. */
  readonly set: (settings: Readonly<Record<string, unknown>>) => Promise<Answer>;
  /** Opens a parcel of the business, gives the provider access, and returns the parcel's number. */
  readonly open: () => Promise<string>;
  /** Scans the parcel as the provider. */
  readonly scan: (
    number: string,
    status: string,
    hours?: number,
    more?: Readonly<Record<string, unknown>>,
  ) => Promise<Answer>;
  /** Returns deliveries by a query, newest first. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly deliveries: (query?: string) => Promise<any[]>;
  /** Waits until the only delivery that a query finds is in a state. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly waitForState: (state: string, query?: string) => Promise<any>;
}

export async function openWebhookFixture(test: TestService, user: UserName = 'client_admin'): Promise<WebhookFixture> {
  const key = await signIns(test)(user);
  const { rows } = await test.service.engines.pool.query<{ business: number }>(
    'select business from accounts.accounts where id = $1',
    [test.demo.users[user].id],
  );
  return webhookFixtureOf(test, key, rows[0]!.business);
}

/** Creates another business with an admin; `n` is part of its name. */
export async function openBusiness(test: TestService, n: number): Promise<WebhookFixture> {
  const {
    service: { commands, engines, progress },
  } = test;
  const [businessId, userId, password] = [1_000 + n, 100_000 + n, 'a-long-password-for-tests'];
  const cause = {
    correlationId: randomUUID(),
    actor: { kind: 'system', id: 'test' },
    channel: 'system',
    business: String(businessId),
  } as const;
  const person = { email: `admin${n}@further.example`, name: 'An admin' };
  await commands.businesses(
    businessStream(businessId),
    {
      do: 'register',
      commandId: randomUUID(),
      id: businessId,
      code: `further-${n}`,
      name: `Further ${n}`,
      timezone: 'UTC',
    },
    cause,
  );
  const { position } = await commands.accounts(
    accountStream(userId),
    { do: 'open', commandId: randomUUID(), userId, businessId, role: 'client_admin', status: 'active', person },
    cause,
  );
  const logins = createLogins(engines.pool, engines.emailIndex);
  await logins.claim(person.email, userId);
  await logins.setPassword(userId, password);
  await Promise.all(['accounts', 'businesses'].map((name) => progress.waitFor(name, position!, WAIT_LIMIT_MS)));
  const { json } = await test.api('/user/login', { body: { email: person.email, password } });
  return webhookFixtureOf(test, json.access_token as string, businessId);
}

function webhookFixtureOf(test: TestService, key: string, businessId: number): WebhookFixture {
  const call: WebhookFixture['call'] = (path, options) => test.api(path, { key, ...options });
  const owner = { kind: 'business', id: String(businessId) } as const;
  const deliveries: WebhookFixture['deliveries'] = async (query = '') =>
    (await call(`/webhook-deliveries?per_page=200${query}`)).json.webhook_deliveries;
  return {
    key,
    call,
    deliveries,
    async set(settings) {
      const answer = await call('/webhook-settings', { method: 'PUT', body: settings });
      expect(answer.status, answer.text).to.equal(200);
      return answer;
    },
    async open() {
      const number = newNumber();
      const id = trackingId(owner, number, 0);
      const cause = {
        correlationId: randomUUID(),
        actor: { kind: 'system', id: 'test' },
        channel: 'system',
        business: owner.id,
      } as const;
      await test.service.commands.trackings(
        trackingStream(id),
        {
          kind: 'open',
          id,
          subject: { tracking_number: number },
          opening: { owner, number, generation: 0, profile: PROFILE },
          writers: [test.demo.strict_provider.id],
        },
        cause,
      );
      return number;
    },
    async scan(number, status, hours = 0, more = {}) {
      const answer = await test.push(timelineOf(number, [event(status, hours, more)]), {
        key: test.demo.strict_provider.key,
      });
      expect(answer.json, answer.text).to.include({ accepted: 1 });
      return answer;
    },
    async waitForState(state, query) {
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      let delivery: any;
      return eventually(
        async () => {
          [delivery] = await deliveries(query);
          return delivery?.status === state && delivery;
        },
        () => `the delivery is ${JSON.stringify(delivery)}, not ${state}`,
      );
    },
  };
}
