/**
 * The objects that the rows of the access table use: those of the demo business, of another business and of another
 * provider.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { CallerKind } from '../../../src/api/core/callers.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { PROFILE } from '../../../src/events/otep/model.js';
import { trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import type { Demo } from '../../../src/compose/demo/demo.js';
import { openOrderWorld, type OrderWorld } from './orders-world.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { createDoubleArea } from '../double/area.js';
import { event, timelineOf } from '../inputs/pushes.js';
import { startTestService, type TestService, type TestServiceOptions } from '../worlds/service.js';
import { storedEvents } from '../checks/stored-events.js';
import { signIns, type UserName } from '../worlds/users.js';
import { startReceiver } from '../fakes/webhook-receiver.js';

export interface World {
  readonly test: TestService;
  readonly demo: Demo;
  /** Returns an unused text of letters and digits. */
  readonly fresh: () => string;
  readonly businessId: number;
  readonly otherBusinessId: number;
  readonly parcel: string;
  readonly businessParcel: string;
  readonly otherParcel: string;
  readonly otherProviderParcel: string;
  readonly capture: string;
  readonly otherCapture: string;
  readonly otherKey: string;
  readonly otherDelivery: string;
  readonly otherStream: string;
  readonly otherRequest: string;
  /** Size of a published head that covers all events above. */
  readonly published: number;
  readonly orders: OrderWorld;
  /** Makes a call that must succeed. */
  readonly good: (path: string, user: UserName | undefined, options?: CallOptions) => Promise<Answer>;
  /** URL of an endpoint that receives webhooks. */
  readonly receiver: string;
  readonly keyOf: (role: CallerKind) => Promise<string | undefined>;
  /** Returns another token of the same user. */
  readonly signInAgain: (role: CallerKind) => Promise<string>;
  readonly passwordOf: (role: CallerKind) => string;
  readonly newUser: (role: CallerKind) => Promise<number>;
  readonly newKey: (role: CallerKind) => Promise<string>;
  readonly newDelivery: () => Promise<string>;
  readonly streamOf: (role: CallerKind) => string;
  readonly requestOf: (role: CallerKind) => string;
  readonly stop: () => Promise<void>;
}

/** Environment variables of every process that serves the world. */
export const WORLD_ENV: Readonly<Record<string, string>> = {
  SIGNING_KEY: '17'.repeat(32),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_READ: '100000',
  RATE_LIMIT_WRITE: '100000',
};

export async function openWorld(options: Pick<TestServiceOptions, 'logger'> = {}): Promise<World> {
  // No area of the product makes calls to external systems. No request of the table reaches this one.
  const double = createDoubleArea({ url: () => 'http://127.0.0.1:1' }) as never;
  const test = await startTestService({ ...options, env: WORLD_ENV, additionalAreas: [double] });
  const { demo, api, service } = test;
  const token = signIns(test);
  const taker = await startReceiver();
  const receiver = taker.url;
  let count = 0;
  const fresh = () => `Fresh${process.pid}n${(count += 1)}`;
  const good = async (path: string, user: UserName | undefined, options: CallOptions = {}) => {
    const answer = await api(path, { ...(user && { key: await token(user) }), ...options });
    expect(answer.status, `${path}: ${answer.text}`).to.be.below(300);
    return answer;
  };
  const businessOf = async (user: UserName): Promise<number> => (await good('/me', user)).json.user.business_id;
  const [businessId, otherBusinessId] = [await businessOf('client_admin'), await businessOf('other_client_admin')];

  async function openParcel(business: number, number: string): Promise<string> {
    const owner = { kind: 'business', id: String(business) } as const;
    const id = trackingId(owner, number, 0);
    const cause = {
      correlationId: derivedId('world', number),
      actor: { kind: 'system', id: 'test' },
      channel: 'system',
      business: owner.id,
    } as const;
    await service.commands.trackings(
      trackingStream(id),
      {
        kind: 'open',
        id,
        subject: { tracking_number: number },
        opening: { owner, number, generation: 0, profile: PROFILE },
        writers: [demo.strict_provider.id],
      },
      cause,
    );
    await test.push(timelineOf(number, [event('picked_up')]), { key: demo.strict_provider.key });
    return number;
  }
  const captureBy = async (key: string): Promise<string> =>
    (
      await good('/otep/epcis/capture', undefined, {
        key,
        body: {
          '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
          type: 'EPCISDocument',
          schemaVersion: '2.0',
          creationDate: '2026-03-01T12:00:00Z',
          epcisBody: {
            eventList: [
              {
                type: 'ObjectEvent',
                eventTime: '2026-03-01T10:00:00+01:00',
                eventTimeZoneOffset: '+01:00',
                action: 'OBSERVE',
                bizStep: 'accepting',
                epcList: ['urn:epc:id:sscc:4012345.0222222222'],
              },
            ],
          },
        },
      })
    ).json.captureID;
  const webhookSecret = { webhook_secret: 'a-secret-for-the-world-1' };
  const newDelivery = async (user: UserName = 'client_admin'): Promise<string> =>
    (await good('/webhook-deliveries/test', user, { body: { url: receiver } })).json.webhook_delivery.id;
  const userOf = (role: CallerKind) => demo.users[role as UserName];

  const orders = await openOrderWorld(test, good, fresh);
  const businessParcel = await openParcel(businessId, fresh().toUpperCase());
  const otherParcel = await openParcel(otherBusinessId, fresh().toUpperCase());
  const otherProviderParcel = fresh().toUpperCase();
  await test.push(timelineOf(otherProviderParcel, [event('picked_up')]), {
    key: await test.addProvider('matrix-other'),
  });
  const [capture, otherCapture] = [
    await captureBy(demo.provider.key),
    await captureBy(await test.addProvider('matrix-capture')),
  ];
  for (const user of ['client_admin', 'other_client_admin'] as const)
    await good('/webhook-settings', user, { method: 'PUT', body: webhookSecret });
  const otherDelivery = await newDelivery('other_client_admin');
  const madeKey = await good('/api-keys', 'other_client_admin', { body: { name: 'other' } });
  const ownRequest = (await good('/api-keys', 'client_admin', { body: { name: 'own' } })).headers.get('x-request-id')!;
  const made = await good('/users', 'platform_admin', {
    body: { email: `${fresh()}@example.com`, password: 'long enough password', name: 'Root', role: 'platform_admin' },
  });
  const published = await until(
    async () => (await api('/audit/heads?limit=1')).json.heads[0]?.size as number | undefined,
    (await storedEvents(service.engines.log)).length,
  );

  return {
    test,
    demo,
    orders,
    good,
    fresh,
    businessId,
    otherBusinessId,
    businessParcel,
    otherParcel,
    otherProviderParcel,
    capture,
    otherCapture,
    otherDelivery,
    published,
    receiver,
    parcel: demo.trackings[0]!,
    otherKey: madeKey.json.api_key.id,
    otherRequest: madeKey.headers.get('x-request-id')!,
    otherStream: `account-${demo.users.other_client_admin.id}`,
    keyOf: async (role) => (role === 'anonymous' ? undefined : role === 'provider' ? demo.provider.key : token(role)),
    async signInAgain(role) {
      const { email, password } = userOf(role);
      return (await good('/user/login', undefined, { body: { email, password } })).json.access_token;
    },
    passwordOf: (role) => userOf(role).password,
    async newUser(role) {
      const body = {
        email: `${fresh()}@example.com`,
        password: 'long enough password',
        name: 'Somebody',
        role: 'client_admin',
        ...(role === 'platform_admin' && { business_id: businessId }),
      };
      return (await good('/users', role as UserName, { body })).json.user.id;
    },
    newKey: async (role) =>
      (await good('/api-keys', role as UserName, { body: { name: 'short-lived' } })).json.api_key.id,
    newDelivery: () => newDelivery(),
    streamOf: (role) =>
      `account-${role === 'platform_admin' ? (made.json.user.id as number) : demo.users.client_admin.id}`,
    requestOf: (role) => (role === 'platform_admin' ? made.headers.get('x-request-id')! : ownRequest),
    async stop() {
      await taker.close();
      await test.stop();
    },
  };
}

async function until(size: () => Promise<number | undefined>, wanted: number): Promise<number> {
  for (;;) {
    const found = await size();
    if (found !== undefined && found >= wanted) return found;
    await sleep(100);
  }
}
