/** The adapter of EasyPost against the double: the contract, and every fault. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PurchaseRequest } from '../../../src/engines/outside/carriers/port.js';
import { buy, callWith, doneOf, easypostAt, METHOD, purchaseOf, SHIPMENT } from '../../support/easypost/calls.js';
import { describeEasypost } from '../../support/easypost/contract.js';
import { faultText, type FaultName } from '../../support/easypost/faults.js';
import { EASYPOST_KEY, startEasypost, type EasypostDouble } from '../../support/easypost/start-easypost.js';
import { easypostHarness } from '../../support/easypost/harness.js';
import { eventually } from '../../support/eventually.js';
import { carrierContract } from './contract.js';
import type { CarrierFault } from './harness.js';

let folder: string;
let double: EasypostDouble;
let adapter: ReturnType<typeof easypostAt>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transport-easypost-'));
  double = await startEasypost(join(folder, 'state'));
  adapter = easypostAt(double.url);
});
after(async () => {
  await double?.stop();
  await rm(folder, { recursive: true, force: true });
});

const FAULTS: Readonly<Record<CarrierFault, FaultName>> = {
  error_before: '500_before',
  error_after: '500_after',
  reset_after: 'reset_after',
  broken_after: 'broken',
  slow_after: 'slow',
};
const TIMEOUT_MS = 3_000;

carrierContract(
  easypostHarness({
    faults: Object.keys(FAULTS) as CarrierFault[],
    timeoutMs: TIMEOUT_MS,
    open: () =>
      Promise.resolve({
        url: double.url,
        key: EASYPOST_KEY,
        labelCount: async () => (await double.state()).purchases.length,
        failNext: (fault) => double.fail('buy', FAULTS[fault], { number: 2 * TIMEOUT_MS }),
        stop: () => Promise.resolve(),
      }),
  }),
);

describeEasypost('the double of EasyPost', () => Promise.resolve({ url: double.url, key: EASYPOST_KEY }));

const call = callWith();
const faulty = (company: string, more: Partial<PurchaseRequest> = {}): PurchaseRequest =>
  purchaseOf({ shipment: { ...SHIPMENT, to: { ...SHIPMENT.to, company } }, ...more });
const purchasesOf = async (key: string) =>
  (await double.state()).purchases.filter(({ reference }) => reference === key).length;

/** Continues an effect as a worker does, until it ends. */
async function perform(key: string, request: PurchaseRequest) {
  const { remoteId } = await eventually(async () => {
    const reserved = await adapter.purchase.reserve!(call, key, request);
    return reserved.is === 'unknown' ? undefined : doneOf(reserved);
  }, 'a shipment');
  let isFirst = true;
  return eventually(async () => {
    const seen = isFirst ? undefined : await adapter.purchase.look(call, key, request, remoteId);
    isFirst = false;
    const outcome = seen && seen.is !== 'not_done' ? seen : await adapter.purchase.act(call, key, request, remoteId);
    return outcome.is === 'unknown' ? undefined : outcome;
  }, 'the end of the purchase');
}

describe('purchases at EasyPost with faults', () => {
  const UNKNOWN: readonly [FaultName, string][] = [
    ['500_before', 'status_500'],
    ['500_after', 'status_500'],
    ['reset_before', 'connection'],
    ['reset_after', 'connection'],
    ['broken', 'unreadable'],
    ['limited', 'status_429'],
  ];
  for (const [fault, cause] of UNKNOWN)
    it(`${fault}: the result is unknown, and the label is bought once`, async () => {
      const key = randomUUID();
      const request = faulty(faultText(fault, 'buy'));
      const { outcome } = await buy(adapter, call, key, request);
      expect(outcome).to.deep.equal({ is: 'unknown', cause });
      const again = randomUUID();
      doneOf(await perform(again, request));
      expect(await purchasesOf(again)).to.equal(1);
    });

  for (const fault of ['500_before', '500_after', 'reset_after', 'broken'] as const)
    it(`${fault} at the creation: another free shipment, and one label`, async () => {
      const key = randomUUID();
      doneOf(await perform(key, faulty(faultText(fault, 'create'))));
      expect(await purchasesOf(key)).to.equal(1);
    });

  it('twice: the second request is refused, and the label of the first is found', async () => {
    const key = randomUUID();
    const request = faulty(faultText('twice', 'buy'));
    const { remoteId, outcome } = await buy(adapter, call, key, request);
    expect(outcome).to.deep.equal({ is: 'unknown', cause: 'status_422' });
    doneOf(await adapter.purchase.look(call, key, request, remoteId));
    expect(await purchasesOf(key)).to.equal(1);
  });

  it('in_progress: other purchases are refused until the first purchase has ended', async () => {
    const key = randomUUID();
    const request = faulty(faultText('in_progress', 'buy', 300));
    const { remoteId, outcome } = await buy(adapter, call, key, request);
    expect(outcome).to.deep.equal({ is: 'unknown', cause: 'status_500' });
    expect(await adapter.purchase.act(call, key, request, remoteId)).to.deep.equal({
      is: 'unknown',
      cause: 'status_422',
    });
    await eventually(
      async () => (await adapter.purchase.look(call, key, request, remoteId)).is === 'done',
      'the end of the purchase',
    );
    expect(await purchasesOf(key)).to.equal(1);
  });

  it('slow: the call ends with the signal, and the label is found', async () => {
    const key = randomUUID();
    const request = faulty(faultText('slow', 'buy', 2_000));
    const { remoteId } = doneOf(await adapter.purchase.reserve!(call, key, request));
    const over = new AbortController();
    const acted = adapter.purchase.act(callWith({ signal: over.signal }), key, request, remoteId);
    await eventually(async () => (await purchasesOf(key)) === 1, 'the purchase');
    over.abort();
    expect(await acted).to.deep.equal({ is: 'unknown', cause: 'timeout' });
    doneOf(await adapter.purchase.look(call, key, request, remoteId));
  });

  for (const [fault, code] of [
    ['declined', 'SHIPMENT.POSTAGE.FAILURE'],
    ['unpaid', 'PAYMENT_REQUIRED'],
  ] as const)
    it(`${fault}: nothing is bought, and another attempt may be`, async () => {
      const key = randomUUID();
      const request = faulty(faultText(fault, 'buy'));
      const { remoteId, outcome } = await buy(adapter, call, key, request);
      expect(outcome).to.include({ is: 'not_done', code, final: false });
      expect(await purchasesOf(key)).to.equal(0);
      doneOf(await adapter.purchase.act(call, key, request, remoteId));
      expect(await purchasesOf(key)).to.equal(1);
    });

  it('a refusal that cannot be confirmed is unknown', async () => {
    const key = randomUUID();
    const request = faulty(faultText('declined', 'buy'));
    const { remoteId } = doneOf(await adapter.purchase.reserve!(call, key, request));
    // The first read is the one before the purchase.
    await double.fail('read', 'slow');
    await double.fail('read', '500_before');
    expect(await adapter.purchase.act(call, key, request, remoteId)).to.deep.equal({
      is: 'unknown',
      cause: 'unconfirmed',
    });
  });

  it('a raised price is refused with the price, and accepted up to the highest cost', async () => {
    const { rates } = await adapter.rate(call, SHIPMENT);
    const { cost } = rates.find(({ method_code: code }) => code === METHOD)!;
    const raised = (amount: string) =>
      buy(
        adapter,
        call,
        randomUUID(),
        faulty(faultText('price', 'create', 10), { max_cost: { amount, currency: 'USD' } }),
      );
    const { outcome } = await raised(cost);
    expect(outcome).to.include({ is: 'not_done', code: 'PRICE_CHANGED', final: true });
    const price = (outcome as { readonly text: string }).text.replace(/ USD$/, '');
    expect(Number(price)).to.be.greaterThan(Number(cost));
    expect(doneOf((await raised(price)).outcome).cost).to.equal(price);
    const foreign = faulty('', { max_cost: { amount: '999', currency: 'EUR' } });
    expect((await buy(adapter, call, randomUUID(), foreign)).outcome).to.include({ code: 'PRICE_CHANGED' });
  });

  it('insurance is part of the rate, of the highest cost, and of the price that is paid', async () => {
    const shipment = { ...SHIPMENT, options: { insurance_amount: '450.50' } };
    const costOf = async (one: typeof SHIPMENT) =>
      (await adapter.rate(call, one)).rates.find(({ method_code: code }) => code === METHOD)!.cost;
    const insured = await costOf(shipment);
    expect(Number(insured) - Number(await costOf(SHIPMENT))).to.be.closeTo(4.51, 0.001);
    const max_cost = { amount: insured, currency: 'USD' };
    const { outcome } = await buy(adapter, call, randomUUID(), purchaseOf({ shipment, max_cost }));
    expect(doneOf(outcome).cost).to.equal(insured);
  });

  for (const [what, request, code] of [
    ['a size that EasyPost does not print', purchaseOf({ label_size: 'a4' }), 'NOT_SERVED'],
    [
      'two packages',
      purchaseOf({ shipment: { ...SHIPMENT, packages: [SHIPMENT.packages[0]!, SHIPMENT.packages[0]!] } }),
      'NOT_SERVED',
    ],
  ] as const)
    it(`nothing is sent for ${what}`, async () => {
      const key = randomUUID();
      expect(await adapter.purchase.reserve!(call, key, request)).to.include({ is: 'not_done', code, final: true });
      expect((await double.state()).shipments.some(({ reference }) => reference === key)).to.equal(false);
    });

  it('a method without a rate is refused with the message of the carrier', async () => {
    const shipment = { ...SHIPMENT, options: { saturday: true } };
    const { outcome } = await buy(adapter, call, randomUUID(), purchaseOf({ shipment }));
    expect(outcome).to.include({ is: 'not_done', code: 'NO_RATE' });
  });

  it('a shipment of another account is never refused: it may be bought there', async () => {
    const key = randomUUID();
    const { remoteId } = await buy(adapter, call, key);
    const other = callWith({ key: 'EZTKother' });
    expect(await adapter.purchase.look(other, key, purchaseOf(), remoteId)).to.include({ is: 'unknown' });
    expect(await adapter.purchase.act(other, key, purchaseOf(), remoteId)).to.include({ is: 'unknown' });
    const closed = callWith({ key: 'EZno-such-key' });
    expect(await adapter.purchase.look(closed, key, purchaseOf(), remoteId)).to.deep.equal({
      is: 'unknown',
      cause: 'no_access',
    });
  });

  it('the double continues with its state after a restart', async () => {
    const other = await startEasypost(join(folder, 'other'));
    const key = randomUUID();
    const { remoteId } = await buy(easypostAt(other.url), call, key);
    await other.stop();
    const again = await startEasypost(join(folder, 'other'));
    try {
      const found = await easypostAt(again.url).purchase.look(call, key, purchaseOf(), remoteId);
      expect(doneOf(found).remote_id).to.equal(remoteId);
      expect((await again.state()).purchases).to.have.length(1);
    } finally {
      await again.stop();
    }
  });
});

describe('rates of EasyPost', () => {
  it('have an error for each message of a carrier', async () => {
    const { rates, errors } = await adapter.rate(call, { ...SHIPMENT, ...abroad('AQ') });
    expect(rates).to.deep.equal([]);
    expect(errors).to.deep.equal([{ code: 'RATE_ERROR', text: 'USPS: No service there.', retryable: false }]);
  });

  it('cross borders with a customs declaration', async () => {
    const { rates } = await adapter.rate(call, { ...SHIPMENT, ...abroad('DE') });
    expect(rates.map(({ method_code: code }) => code)).to.deep.equal(['dhlexpress.expressworldwide']);
    const { errors } = await adapter.rate(call, { ...SHIPMENT, to: abroad('DE').to });
    expect(errors[0]).to.include({ code: 'SHIPMENT.CUSTOMS_INFO.REQUIRED', retryable: false });
  });

  for (const [fault, more] of [
    ['500_before', {}],
    ['limited', {}],
    ['slow', { number: 1_000 }],
  ] as const)
    it(`are not available: ${fault}`, async () => {
      await double.fail('rate', fault, more);
      const signal = fault === 'slow' ? AbortSignal.timeout(200) : undefined;
      const { rates, errors } = await adapter.rate(callWith({ ...(signal && { signal }) }), SHIPMENT);
      expect(rates).to.deep.equal([]);
      expect(errors).to.deep.equal([{ code: 'CARRIER_UNAVAILABLE', retryable: true }]);
    });
});

const abroad = (country: string) => ({
  to: { ...SHIPMENT.to, country },
  customs: {
    contents: 'gift',
    incoterm: 'DAP',
    items: [{ description: 'Cup', quantity: 1, value: '5.00', currency: 'USD', weight_kg: 0.3, origin: 'US' }],
  } as const,
});

describe('refunds of EasyPost', () => {
  const bought = async (more: string = '') => {
    const { remoteId, outcome } = await buy(adapter, call, randomUUID(), faulty(more));
    return { remote_id: remoteId, tracking_number: doneOf(outcome).packages[0]!.tracking_number };
  };
  const refundsOf = async (id: string) => (await double.state()).refunds.filter((one) => one.shipment_id === id).length;
  const KEY = randomUUID();

  for (const fault of ['500_after', 'reset_after', 'broken'] as const)
    it(`${fault}: the result is unknown, and a look finds it`, async () => {
      const request = await bought(faultText(fault, 'refund'));
      expect(await adapter.void!.act(call, KEY, request, undefined)).to.include({ is: 'unknown' });
      expect(doneOf(await adapter.void!.look(call, KEY, request, undefined)).status).to.equal('submitted');
      expect(await refundsOf(request.remote_id)).to.equal(1);
    });

  it('a rejected refund is requested again', async () => {
    const request = await bought();
    doneOf(await adapter.void!.act(call, KEY, request, undefined));
    await double.settleRefund(request.remote_id, 'rejected');
    expect(await adapter.void!.look(call, KEY, request, undefined)).to.include({ is: 'not_done' });
    expect(doneOf(await adapter.void!.act(call, KEY, request, undefined)).status).to.equal('submitted');
    await double.settleRefund(request.remote_id, 'refunded');
    expect(doneOf(await adapter.void!.look(call, KEY, request, undefined)).status).to.equal('refunded');
    expect(await refundsOf(request.remote_id)).to.equal(2);
  });

  it('a label in transit is not refunded', async () => {
    const request = await bought();
    const at = '2026-01-05T10:00:00Z';
    await double.scan({
      tracking_code: request.tracking_number,
      status: 'in_transit',
      status_detail: 'in_transit',
      at,
    });
    expect(await adapter.void!.act(call, KEY, request, undefined)).to.include({
      is: 'not_done',
      code: 'SHIPMENT.REFUND.UNAVAILABLE',
      final: true,
    });
  });

  it('a declined refund is not done, and may be requested again', async () => {
    const request = await bought(faultText('declined', 'refund'));
    expect(await adapter.void!.act(call, KEY, request, undefined)).to.include({ is: 'not_done', final: false });
    expect(doneOf(await adapter.void!.act(call, KEY, request, undefined)).status).to.equal('submitted');
  });
});
