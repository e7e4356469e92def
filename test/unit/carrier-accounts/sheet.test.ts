/** Purchases of the adapter `sheet` whose rate card changes, whose range ends, or whose label cannot be printed. */
import { expect } from 'chai';
import { createSheet } from '../../../src/engines/outside/carriers/sheet/adapter.js';
import type { CarrierCall, PurchaseRequest } from '../../../src/engines/outside/carriers/port.js';
import { NotPrintable, type CarrierServices } from '../../../src/engines/outside/carriers/services.js';
import { CARRIER_SHIPMENT } from '../../support/inputs/carrier-shipment.js';

const CALL: CarrierCall = {
  business: 7,
  accountId: 3,
  settings: { rate_card_id: 1, carrier_name: 'Vans' },
  credentials: {},
  signal: new AbortController().signal,
};
const REQUEST: PurchaseRequest = {
  shipment: CARRIER_SHIPMENT,
  method_code: 'standard',
  label_format: 'zpl',
  label_size: '4x6',
  max_cost: { amount: '5.40', currency: 'EUR' },
};

describe('the adapter sheet', () => {
  let amount: string | undefined;
  let isFull: boolean;
  let isPrintable: boolean;
  let drawn: Map<string, string>;
  beforeEach(() => {
    [amount, isFull, isPrintable] = ['5.40', false, true];
    drawn = new Map();
  });

  const services = {
    price: () =>
      Promise.resolve({
        prices: amount === undefined ? [] : [{ service_code: 'standard', name: 'Standard', amount, currency: 'EUR' }],
        errors: [],
      }),
    drawNumber(_account: number, key: string) {
      if (!isFull && !drawn.has(key)) drawn.set(key, `number ${drawn.size + 1}`);
      return Promise.resolve(drawn.get(key));
    },
    drawnNumber: (_account: number, key: string) => Promise.resolve(drawn.get(key)),
    renderLabel: () => (isPrintable ? Promise.resolve(Buffer.from('^XA')) : Promise.reject(new NotPrintable())),
  } as unknown as CarrierServices;
  const { purchase } = createSheet(services);
  const act = (request = REQUEST) => purchase.act(CALL, 'key', request, undefined);
  const look = (request: PurchaseRequest | undefined = REQUEST) => purchase.look(CALL, 'key', request, undefined);

  it('keeps a label that was bought, at most at the agreed cost, if the card becomes more expensive or is retired', async () => {
    const first = await act();
    expect(first).to.include({ is: 'done' });
    for (const now of ['9.90', undefined]) {
      amount = now;
      for (const again of [await act(), await look()]) {
        if (again.is !== 'done') throw new Error(`The label is lost: ${JSON.stringify(again)}`);
        expect(again.result).to.include({ cost: '5.40', currency: 'EUR', remote_id: 'key' });
        expect(again.result.packages[0]!.tracking_number).to.equal('number 1');
      }
    }
    expect(drawn.size).to.equal(1);
  });

  it('draws no number for a shipment without a price, or above the agreed cost', async () => {
    amount = '5.41';
    expect(await act()).to.deep.equal({ is: 'not_done', code: 'PRICE_CHANGED', final: true });
    amount = '5.40';
    expect(await act({ ...REQUEST, max_cost: { amount: '9.99', currency: 'USD' } })).to.include({
      code: 'PRICE_CHANGED',
    });
    amount = undefined;
    expect(await act()).to.deep.equal({ is: 'not_done', code: 'NOT_SERVED', final: true });
    expect(drawn.size).to.equal(0);
  });

  it('refuses a purchase at the end of the range', async () => {
    isFull = true;
    expect(await act()).to.deep.equal({ is: 'not_done', code: 'NUMBERS_EXHAUSTED', final: true });
    expect(await look()).to.include({ is: 'not_done', final: false });
  });

  it('refuses a label that can never be printed, also when it looks', async () => {
    isPrintable = false;
    for (const outcome of [await act(), await look()])
      expect(outcome).to.deep.equal({ is: 'not_done', code: 'NOT_PRINTABLE', final: true });
  });

  it('does not guess the result of a purchase whose request was erased', async () => {
    await act();
    expect(await purchase.look(CALL, 'key', undefined, undefined)).to.deep.equal({
      is: 'unknown',
      cause: 'request_erased',
    });
  });
});
