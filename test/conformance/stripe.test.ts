/** The test provider fulfils the contract of payment providers, and its objects have the members of Stripe's objects. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { STRIPE_VERSION } from '../../src/engines/payments/stripe-client.js';
import { startTestProvider, type TestProvider } from '../../src/engines/payments/test-provider/server.js';
import { eventually } from '../support/eventually.js';
import { describeContract } from '../support/payments/contract.js';
import { KEY, libraryFor } from '../support/payments/world.js';
import { needsOfficial, officialJson } from '../support/validators/official.js';

type Members = Readonly<Record<string, unknown>>;

const FIXTURES = 'stripe/fixtures3.json';
let folder: string;
let provider: TestProvider;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transport-provider-'));
  provider = await startTestProvider({ file: join(folder, 'state'), laterMs: 100 });
});
after(async () => {
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

describeContract('the test provider', () => Promise.resolve({ url: provider.url, key: KEY }));

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Members that are missing or have another type. A member may be null where the fixture has a value, and vice versa. */
const departures = (object: Members, fixture: Members): string[] =>
  Object.entries(fixture).flatMap(([name, expected]) => {
    if (!(name in object)) return [`${name} is missing`];
    const value = object[name];
    if (value === null || expected === null || typeOf(value) === typeOf(expected)) return [];
    return [`${name} is ${typeOf(value)}, not ${typeOf(expected)}`];
  });

describe('objects of the test provider', () => {
  let fixtures: Readonly<Record<string, Members>>;
  before(function () {
    needsOfficial(this, FIXTURES);
    fixtures = (officialJson(FIXTURES) as { readonly resources: Record<string, Members> }).resources;
  });
  const expectMembers = (object: unknown, kind: string) =>
    expect(departures(object as Members, fixtures[kind]!), kind).to.deep.equal([]);

  it('have all members of the official fixtures, with their types', async () => {
    const library = libraryFor(provider.url, 'sk_test_members');
    const created = await library.paymentIntents.create({ amount: 2_000, currency: 'eur' });
    expectMembers(created, 'payment_intent');
    const { id } = created;
    expectMembers(
      await library.paymentIntents.confirm(id, { payment_method: 'pm_card_createDispute' }),
      'payment_intent',
    );
    expectMembers(await library.refunds.create({ payment_intent: id, amount: 100 }), 'refund');
    const session = await library.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example/',
      line_items: [
        { quantity: 2, price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'Top-up' } } },
      ],
    });
    expectMembers(session, 'checkout.session');
    expect(session.amount_total).to.equal(1_000);
    expectMembers(await library.checkout.sessions.expire(session.id), 'checkout.session');
    const [dispute] = await eventually(async () => {
      const { data } = await library.disputes.list({ payment_intent: id });
      return data.length > 0 && data;
    }, 'the payment is disputed');
    expectMembers(dispute, 'dispute');
    const events = (await library.events.list({ limit: 100 })).data;
    expect(events.length).to.be.above(3);
    for (const event of events) expectMembers(event, 'event');
    const endpoint = await library.webhookEndpoints.create({ url: 'https://service.example/', enabled_events: ['*'] });
    expectMembers(endpoint, 'webhook_endpoint');
    expect(endpoint.secret).to.match(/^whsec_/);
  });
});

describe('responses of the test provider', () => {
  it('have the version of the protocol that the service uses', async () => {
    const library = libraryFor(provider.url);
    const list = await library.paymentIntents.list();
    expect(list.lastResponse.apiVersion).to.equal(STRIPE_VERSION);
  });

  it('page through a list', async () => {
    const library = libraryFor(provider.url, 'sk_test_pages');
    for (let count = 0; count < 5; count += 1) await library.paymentIntents.create({ amount: 2_000, currency: 'eur' });
    const ids: string[] = [];
    for await (const { id } of library.paymentIntents.list({ limit: 2 })) ids.push(id);
    expect(new Set(ids).size).to.equal(5);
  });

  it('repeat a stored failure for its key, and survive a restart', async () => {
    const state = join(folder, 'restarted');
    let fails = true;
    const open = () =>
      startTestProvider({
        file: state,
        aroundAction: (_call, run) => (fails ? Promise.reject(new Error('broken')) : run()),
      });
    const first = await open();
    const create = (url: string, key: string) =>
      libraryFor(url).paymentIntents.create({ amount: 2_000, currency: 'eur' }, { idempotencyKey: key });
    const status = (promise: Promise<unknown>) =>
      promise.then(
        () => 200,
        (error: { statusCode: number }) => error.statusCode,
      );
    expect(await status(create(first.url, 'key-1'))).to.equal(500);
    fails = false;
    expect(await status(create(first.url, 'key-1')), 'stored').to.equal(500);
    const { id } = await create(first.url, 'key-2');
    await first.stop();
    const second = await open();
    expect(await status(create(second.url, 'key-1')), 'after a restart').to.equal(500);
    expect((await create(second.url, 'key-2')).id).to.equal(id);
    await second.stop();
  });
});
