/** A carrier that fails, is slow, or lacks something does not affect the others. */
import { expect } from 'chai';
import { createAskCarriers } from '../../../src/api/areas/labels/ask-carriers.js';
import { unmetNeeds } from '../../../src/api/areas/labels/unmet-needs.js';
import { account, carriers, method, rates, SHIPMENT, type FakeCarrier } from './carriers.js';

const GOOD: FakeCarrier = { rate: rates('4.00') };
const everything = () => true;

async function asked(bad: FakeCarrier, { shipment = SHIPMENT, open = [] as readonly string[], timeoutMs = 200 } = {}) {
  const fake = carriers({ carrier1: bad, carrier2: GOOD }, { open });
  const ask = createAskCarriers({ access: fake.access, timeoutMs });
  const { offers, errors } = await ask([account(1), account(2)], shipment, everything);
  return { offers: offers.map(({ account: { id }, rate }) => [id, rate.cost]), errors, ...fake };
}

describe('asking several carriers for rates', () => {
  const unavailable = [{ accountId: 1, code: 'CARRIER_UNAVAILABLE', retryable: true }];

  it('returns the rates of the others if one fails, does not respond, or reports that it is unavailable', async () => {
    const failures: readonly FakeCarrier[] = [
      { rate: () => Promise.reject(new Error('secret text')) },
      { rate: () => new Promise(() => {}) },
      { rate: async () => ({ rates: [], errors: [{ code: 'CARRIER_UNAVAILABLE', retryable: true }] }) },
    ];
    for (const failure of failures) {
      const { offers, errors, known } = await asked(failure);
      expect(offers).to.deep.equal([[2, '4.00']]);
      expect(errors).to.deep.equal(unavailable);
      expect(known.find(({ adapter }) => adapter === 'carrier1')?.isKnown, 'counts for the circuit').to.equal(false);
    }
  });

  it('aborts the call of a carrier whose time is over', async () => {
    let isAborted = false;
    const slow: FakeCarrier = {
      rate: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('aborted'));
          }),
        ),
    };
    await asked(slow);
    expect(isAborted).to.equal(true);
  });

  it('asks all of them at the same time', async () => {
    let waiting = 0;
    let all: () => void = () => {};
    const together = new Promise<void>((resolve) => (all = resolve));
    const rate = async () => {
      waiting += 1;
      if (waiting === 30) all();
      await together;
      return { rates: [{ method_code: 'ground', cost: '1', currency: 'EUR' }], errors: [] };
    };
    const ids = Array.from({ length: 30 }, (_, index) => index + 1);
    const fake = carriers(Object.fromEntries(ids.map((id) => [`carrier${id}`, { rate }])));
    const ask = createAskCarriers({ access: fake.access, timeoutMs: 10_000 });
    const { offers } = await ask(
      ids.map((id) => account(id)),
      SHIPMENT,
      everything,
    );
    expect(offers).to.have.length(30);
  });

  it('does not call a carrier whose circuit is open, or that lacks what the shipment needs', async () => {
    const open = await asked(GOOD, { open: ['carrier1'] });
    expect(open.errors).to.deep.equal(unavailable);
    expect(open.calls).to.deep.equal(['carrier2']);
    const shipment = { ...SHIPMENT, options: { saturday: true } };
    const fake = carriers({ carrier1: GOOD });
    const ask = createAskCarriers({ access: fake.access, timeoutMs: 200 });
    const { errors } = await ask([account(1)], shipment, everything);
    expect(errors).to.deep.equal([{ accountId: 1, code: 'NOT_SERVED', retryable: false }]);
    expect(fake.calls).to.deep.equal([]);
  });

  it('reports accounts without adapter or credentials', async () => {
    const fake = carriers({ carrier2: GOOD });
    const access = { ...fake.access, callFor: async () => undefined };
    const ask = createAskCarriers({ access, timeoutMs: 200 });
    const { errors } = await ask([account(1), account(2)], SHIPMENT, everything);
    expect(errors.map(({ accountId, code }) => [accountId, code])).to.deep.equal([
      [1, 'CARRIER_UNAVAILABLE'],
      [2, 'CREDENTIALS_MISSING'],
    ]);
  });

  it('ignores methods that are unknown, disabled, withdrawn or not wanted, and costs that are no amounts', async () => {
    const codes = ['ground', 'off', 'gone', 'other', 'strange'];
    const costs = ['4', '-4', '4.00001', 'NaN', '1e3', ''];
    const rate = async () => ({
      rates: [
        ...codes.map((method_code) => ({ method_code, cost: '4', currency: 'EUR' })),
        ...costs.map((cost) => ({ method_code: 'ground', cost, currency: 'EUR' })),
        { method_code: 'ground', cost: '4', currency: 'eur' },
      ],
      errors: [],
    });
    const methods = [
      method(1),
      method(1, { code: 'off', enabled: false }),
      method(1, { code: 'gone', withdrawn: true }),
      method(1, { code: 'other', method_id: 9 }),
    ];
    const ask = createAskCarriers({ access: carriers({ carrier1: { rate } }).access, timeoutMs: 200 });
    const { offers } = await ask([account(1, { methods })], SHIPMENT, ({ method_id }) => method_id !== 9);
    expect(offers.map((one) => [one.method.code, one.rate.cost])).to.deep.equal([
      ['ground', '4'],
      ['ground', '4'],
    ]);
  });

  it('knows what a shipment needs', () => {
    const all = ['signature', 'insurance', 'saturday', 'cod', 'residential'] as const;
    const none = { rates: true, customs: false, options: [] } as never;
    const options = {
      signature: 'any',
      insurance_amount: '1',
      saturday: true,
      cod_amount: '1',
      residential: true,
    } as const;
    const customs = { contents: 'gift', incoterm: 'DAP', items: [] } as const;
    expect(unmetNeeds(none, { ...SHIPMENT, options, customs })).to.deep.equal(['customs', ...all]);
    const some = { rates: true, customs: true, options: all, countries: ['FR'] } as never;
    expect(unmetNeeds(some, { ...SHIPMENT, options, customs })).to.deep.equal(['DE']);
    expect(unmetNeeds({ rates: false, customs: true, options: all } as never, SHIPMENT)).to.deep.equal(['rates']);
    const without = { signature: 'none', residential: false, saturday: false } as const;
    expect(unmetNeeds(none, { ...SHIPMENT, options: without })).to.deep.equal([]);
  });
});
