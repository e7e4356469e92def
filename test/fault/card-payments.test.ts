/**
 * CU2: card payments whose provider is killed, is slow, responds with 5xx, resets connections or serves a request twice,
 * at each step: money is captured once or not at all, never lost, and the ledger balances.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { compare, sum } from '../../src/events/core/money.js';
import { atDepth, isFullDepth } from '../support/depth.js';
import { eventually } from '../support/eventually.js';
import { PROFILE } from '../support/inputs/top-ups.js';
import { FAULTS, openProviderProcess, type ProviderProcess } from '../support/payments/provider-process.js';
import {
  CARD_TOP_UP,
  intentOf,
  KEY,
  libraryFor,
  paymentsEnv,
  TOP_UPS,
  WEBHOOK_SECRET,
  type ShownTopUp,
} from '../support/payments/world.js';
import { BRIEF_LEASES } from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { asUsers, type AsUsers } from '../support/worlds/users.js';

/** A customer can begin 60 top-ups a day. */
const ROUNDS = atDepth(2, 1);
/** The requests of the service to its provider. */
const STEPS = [
  { step: 'the preparation of a payment', method: 'POST', path: '/v1/payment_intents' },
  { step: 'a read of the payment', method: 'GET', path: '/v1/payment_intents/' },
  { step: 'a refund', method: 'POST', path: '/v1/refunds' },
  { step: 'a read of the refunds', method: 'GET', path: '/v1/refunds' },
] as const;
/** Reads change nothing, so three faults are enough. */
const READ_FAULTS = FAULTS.filter((fault) => ['killed_after', 'slow', 'unavailable'].includes(fault));
const SAMPLED = new Set(['killed_after', 'error_after', 'error_before', 'slow']);
const CASES = STEPS.flatMap(({ method, ...step }) =>
  (method === 'GET' ? READ_FAULTS : FAULTS).map((fault) => ({ ...step, method, fault })),
).filter(({ method, fault }) => isFullDepth || (SAMPLED.has(fault) && (method === 'POST' || fault === 'killed_after')));

describe('card payments whose provider fails', () => {
  let folder: string;
  let provider: ProviderProcess;
  let test: TestService;
  let as: AsUsers;
  let app: ReturnType<typeof libraryFor>;
  let customer: number;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transport-card-payments-'));
    provider = await openProviderProcess({ file: join(folder, 'state'), secret: WEBHOOK_SECRET, account: KEY });
    const { url } = provider;
    test = await startTestService({
      env: { ...BRIEF_LEASES, ...paymentsEnv(url), RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' },
    });
    await provider.start(`${test.url}/api/v1/inbound/stripe/operator`);
    as = asUsers(test);
    app = libraryFor(url);
    customer = test.demo.users.customer.id;
    await as('client_admin', '/billing-profile', PROFILE, 'PUT');
  });
  after(async () => {
    await test?.stop();
    await provider?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const read = async (id: number) => (await as('customer', `${TOP_UPS}/${id}`)).json.top_up as ShownTopUp;
  /** A call of the app or of the test, repeated until the provider responds. */
  const persistently = <T>(call: () => Promise<T>): Promise<NonNullable<T>> =>
    eventually(() => call().catch(() => undefined), 'the provider responds') as Promise<NonNullable<T>>;
  /** The circuit of the account may be open for a while. */
  const accepted = (send: () => Promise<{ status: number; json: Record<string, unknown>; text: string }>) =>
    eventually(async () => {
      const answer = await send();
      expect(answer.status, answer.text).to.be.oneOf([200, 201, 503]);
      return answer.status === 503 ? undefined : answer;
    }, 'the service accepts the request');

  let credited = '0';
  const total = (...amounts: readonly string[]) =>
    sum({ amount: '0', currency: 'EUR' }, ...amounts.map((amount) => ({ amount, currency: 'EUR' }))).amount;

  async function payAndRefund(plan: () => Promise<void>, isRefund: boolean): Promise<void> {
    if (!isRefund) await plan();
    const { json } = await accepted(() => as('customer', TOP_UPS, { ...CARD_TOP_UP, amount: '10.00' }));
    const { id } = json['top_up'] as ShownTopUp;
    const secret = await eventually(async () => (await read(id)).client_secret, 'the payment is prepared');
    const intent = intentOf(secret);
    await persistently(async () => {
      const known = await app.paymentIntents.retrieve(intent);
      return known.status === 'succeeded'
        ? known
        : app.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    });
    await eventually(async () => (await read(id)).status === 'succeeded', `top-up ${id} is credited`);
    if (isRefund) await plan();
    const path = `/customers/${customer}/wallet/withdrawals`;
    const body = { amount: '4.00', to: 'card', top_up_id: id, currency: 'EUR' };
    await accepted(() => as('client_admin', path, body));
    await eventually(async () => (await read(id)).refunds[0]?.status === 'made', `top-up ${id} is refunded`);
    await eventually(() => provider.hasHappened(), 'the fault has happened');
    // A message may report the refund before its call ends, and the call must not act again.
    await eventually(async () => {
      const { effects } = (await as('client_admin', '/effects?status=all&per_page=200')).json;
      return (effects as readonly { status: string }[]).every(({ status }) => status !== 'pending');
    }, 'all calls have ended');

    const intents = (await persistently(() => app.paymentIntents.list({ limit: 100 }))).data.filter(
      ({ metadata }) => metadata['top_up_id'] === String(id),
    );
    expect(intents.filter(({ status }) => status === 'succeeded')).to.have.length(1);
    const refunds = (await persistently(() => app.refunds.list({ payment_intent: intent }))).data;
    expect(refunds.map(({ amount }) => amount)).to.deep.equal([400]);
    credited = total(credited, '10.00', '-4.00');
    await eventually(
      async () => compare((await as('customer', '/customer/credits')).json.balance, credited) === 0,
      `the wallet has ${credited}`,
    );
  }

  for (const { step, method, path, fault } of CASES)
    it(`CU2: ${fault} at ${step}: captured and refunded once, ${ROUNDS} times`, async () => {
      for (let round = 0; round < ROUNDS; round += 1)
        await payAndRefund(() => provider.plan({ fault, method, path }), path.startsWith('/v1/refunds'));
    });

  it('leave no money held and a ledger that balances', async () => {
    const { held, balance } = (await as('customer', '/customer/credits')).json;
    expect([held, balance]).to.deep.equal(['0.00', credited]);
    const { balances } = (await as('auditor', '/ledger/balances')).json;
    const side = (name: string): string =>
      total(
        ...(balances as readonly { side: string; amount: string }[])
          .filter((one) => one.side === name)
          .map(({ amount }) => amount),
      );
    expect(side('debit')).to.equal(side('credit'));
    expect(side('debit')).to.equal(credited);
    const { effects } = (await as('client_admin', '/effects')).json;
    expect(effects, 'calls that staff must settle').to.deep.equal([]);
  });
});
