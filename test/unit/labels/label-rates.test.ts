/** Quotes of carriers that label orders use: each leads to one order, of the same shipment. */
import { expect } from 'chai';
import { compileCard } from '../../../src/commands/pricing/compile.js';
import { cardSchema } from '../../../src/events/pricing/card.js';
import type { ApiError } from '../../../src/api/core/errors.js';
import { createAskCarriers } from '../../../src/api/areas/labels/ask-carriers.js';
import { createLabelPrices } from '../../../src/api/areas/labels/label-prices.js';
import { createLabelRates, type LabelOrderByMethod } from '../../../src/api/areas/labels/label-rates.js';
import type { RatedAccount } from '../../../src/api/areas/labels/rated-account.js';
import { createQuoteReservations } from '../../../src/api/areas/pricing/quote-reservations.js';
import { createStoreQuotes } from '../../../src/api/areas/pricing/store-quotes.js';
import type { Quotes, StoredQuote } from '../../../src/engines/postgres/quotes.js';
import { NO_PRICING_TERMS, type PricingTerms } from '../../../src/projections/customer-terms/read-model.js';
import { account, carriers, method, rates, SHIPMENT } from './carriers.js';

const CUSTOMER = 7;
const TIME = Date.parse('2027-03-01T09:00:00Z');
const CARD = {
  services: [{ code: 'label', options: ['signature'] }, { code: 'air' }],
  surcharges: [
    { code: 'handling', amount: { flat: '1' }, fuelable: false, taxable: true },
    {
      code: 'signed',
      when: [{ field: 'option', op: '=', value: 'signature' }],
      amount: { flat: '2' },
      fuelable: false,
      taxable: false,
    },
  ],
  taxes: [{ code: 'vat', percent: '10', inclusive: false }],
  quote_valid_minutes: 30,
};

/** Quotes in memory. */
function quotesIn(rows: Map<string, StoredQuote>) {
  return {
    find: async (id: string, business: number) => {
      const found = rows.get(id);
      return found?.business === business ? found : undefined;
    },
    recent: async (ids: readonly string[]) => ids.flatMap((id) => rows.get(id) ?? []),
    add: async (made: readonly StoredQuote[]) =>
      made.forEach((one) => rows.set(one.rate_id, JSON.parse(JSON.stringify(one), revive) as StoredQuote)),
    ofOrder: async (orderId: number) => [...rows.values()].find(({ used_by }) => used_by === orderId),
    claim: async (id: string, { orderId, instead }: { orderId: number; instead?: number }) => {
      const { used_by } = rows.get(id)!;
      if (used_by !== null && used_by !== orderId && used_by !== instead) return { order_id: used_by, isOld: true };
      rows.set(id, { ...rows.get(id)!, used_by: orderId });
      return undefined;
    },
    release: async (id: string) => void rows.set(id, { ...rows.get(id)!, used_by: null }),
  } as unknown as Quotes;
}
const revive = (name: string, value: unknown) =>
  name === 'created_at' || name === 'valid_until' ? new Date(value as string) : value;

interface World {
  readonly accounts?: readonly RatedAccount[];
  readonly card?: object | null;
  readonly terms?: Partial<PricingTerms>;
}

describe('a label order at a rate', () => {
  const existing = new Set<number>();
  function worldOf({ accounts = [account(1)], card = CARD, terms = {} }: World = {}) {
    let enabled = accounts;
    const quotes = quotesIn(new Map());
    const own = { ...NO_PRICING_TERMS, ...terms };
    const found = card && {
      row: { id: 3, family: 'label_service', currency: 'EUR' },
      version: { version: 2, digest: 'd' },
      compiled: compileCard(cardSchema.parse(card), { family: 'label_service', currency: 'EUR' }),
    };
    const fake = carriers({ carrier1: { rate: rates('4.00'), capabilities: { options: ['signature'] } } });
    const made = createLabelRates({
      accounts: { enabled: async () => enabled },
      ask: createAskCarriers({ access: fake.access, timeoutMs: 500 }),
      prices: createLabelPrices({
        cards: { applying: async () => (found ?? undefined) as never },
        terms: { ofFamily: async () => own },
      }),
      store: createStoreQuotes({ quotes, key: Buffer.alloc(32) }),
      quotes,
      reservations: createQuoteReservations({ quotes, orderExists: async (id) => existing.has(id) }),
      settlementOf: async () => (own.hidden ? 'offline' : 'online'),
    });
    return { rates: made, quotes, fake, disable: () => void (enabled = []) };
  }
  const caller = { business: 1, timezone: 'UTC', userId: CUSTOMER, isCustomer: true, time: TIME };
  const orderOf = (orderId: number, rateId: string, more: object = {}) => ({
    rateId,
    orderId,
    shipment: SHIPMENT,
    business: 1,
    customerId: CUSTOMER as number | undefined,
    isCustomer: true,
    isDryRun: false,
    time: TIME,
    ...more,
  });
  const byMethod = (orderId: number, more: Partial<LabelOrderByMethod> = {}): LabelOrderByMethod => ({
    ...caller,
    customerId: CUSTOMER,
    orderId,
    methodId: 1_001,
    shipment: SHIPMENT,
    isDryRun: false,
    ...more,
  });
  const quoted = async (world: ReturnType<typeof worldOf>, more: object = {}) => {
    const found = await world.rates.rate(SHIPMENT, { ...caller, customerId: CUSTOMER, ...more });
    return found.rates[0]!.rate_id;
  };
  const codeOf = (done: Promise<unknown>) =>
    done.then(
      () => undefined,
      (error: ApiError) => error.code,
    );

  it('has the price of the quote, without the lines that reveal the cost', async () => {
    const world = worldOf();
    const agreed = await world.rates.agree(orderOf(50, await quoted(world)));
    expect(agreed).to.deep.include({
      accountId: 1,
      methodId: 1_001,
      methodCode: 'ground',
      cost: '4.00',
      currency: 'EUR',
    });
    const { charges, settlement } = agreed.agreed!;
    expect(settlement).to.equal('online');
    expect(charges.total).to.equal('5.50');
    expect(charges.lines.map(({ code, amount }) => [code, amount])).to.deep.equal([
      ['base', '5.00'],
      ['vat', '0.50'],
    ]);
    expect(charges.source).to.deep.include({ rate_card_id: 3, card_version: 2 });
    expect(charges.source!.inputs.cost, 'so that the price can be calculated again').to.equal('4.00');
  });

  it('is the only one at its quote, also when the request is repeated', async () => {
    const world = worldOf();
    const rateId = await quoted(world);
    await world.rates.agree(orderOf(50, rateId));
    existing.add(50);
    expect((await world.rates.agree(orderOf(50, rateId, { time: TIME + 9e9 }))).rateId).to.equal(rateId);
    expect(await codeOf(world.rates.agree(orderOf(51, rateId)))).to.equal('RATE_USED');
    expect(await codeOf(world.rates.agree(orderOf(51, rateId, { isDryRun: true })))).to.equal('RATE_USED');
    existing.delete(50);
    expect(await codeOf(world.rates.agree(orderOf(51, rateId))), 'that order was never created').to.equal(undefined);
    await world.rates.release(rateId, 51);
    expect((await world.quotes.find(rateId, 1))!.used_by).to.equal(null);
  });

  it('has the shipment of the quote; names and streets may differ', async () => {
    const world = worldOf();
    const rateId = await quoted(world);
    const { to, packages } = SHIPMENT;
    const changes: readonly (readonly [string, object])[] = [
      ['ship_to', { to: { ...to, postal_code: '80333' } }],
      ['ship_from', { from: { ...SHIPMENT.from, country: 'AT' } }],
      ['packages', { packages: [...packages, { package_id: '2', weight_kg: 1 }] }],
      ['packages', { packages: [{ ...packages[0], weight_kg: 2.001 }] }],
      ['packages', { packages: [{ ...packages[0], declared_value: '5.00', currency: 'EUR' }] }],
      ['ship_date', { ship_date: '2027-03-02' }],
      ['signature', { options: { signature: 'any' } }],
      ['insurance_amount', { options: { insurance_amount: '5' } }],
      ['cod_amount', { options: { cod_amount: '5' } }],
      ['is_residential', { options: { residential: true } }],
      ['saturday_delivery', { options: { saturday: true } }],
      ['customs', { customs: { contents: 'gift', incoterm: 'DAP', items: [] } }],
    ];
    for (const [field, change] of changes) {
      const order = orderOf(60, rateId, { shipment: { ...SHIPMENT, ...change } });
      const error = await world.rates.agree(order).catch((caught: ApiError) => caught);
      expect(error, field).to.include({ code: 'QUOTE_MISMATCH' });
      expect((error as ApiError).params).to.deep.equal({ fields: field });
    }
    const same = {
      ...SHIPMENT,
      to: { ...to, name: 'Carl', street: 'Ring 3', region: 'BY', postal_code: '80 331' },
      packages: [{ ...packages[0], description: 'Books' }],
      options: { signature: 'none', residential: false },
    };
    expect(await codeOf(world.rates.agree(orderOf(60, rateId, { shipment: same })))).to.equal(undefined);
  });

  it('is for the customer and the business of the quote, in time, with a method that is still enabled', async () => {
    const world = worldOf();
    const rateId = await quoted(world);
    const agree = (more: object) => codeOf(world.rates.agree(orderOf(70, rateId, more)));
    expect(await agree({ business: 2 })).to.equal('RATE_NOT_FOUND');
    expect(await agree({ customerId: 8 })).to.equal('RATE_NOT_FOUND');
    expect(await agree({ customerId: 8, isCustomer: false })).to.equal('QUOTE_MISMATCH');
    expect(await agree({ time: TIME + 30 * 60_000 })).to.equal('QUOTE_EXPIRED');
    world.disable();
    expect(await agree({})).to.equal('NO_RATE');
  });

  it('has no price for staff without a rate card, and customers cannot use such a rate', async () => {
    const world = worldOf({ card: null });
    const staff = { isCustomer: false, userId: 2 };
    expect((await world.rates.rate(SHIPMENT, { ...caller, customerId: CUSTOMER })).rates).to.deep.equal([]);
    const rateId = await quoted(world, staff);
    expect(await codeOf(world.rates.agree(orderOf(80, rateId)))).to.equal('RATE_NOT_FOUND');
    const agreed = await world.rates.agree(orderOf(80, rateId, { isCustomer: false }));
    expect(agreed).to.deep.include({ agreed: undefined, cost: '4.00' });
  });

  it('charges an option that the card lists, and leaves others to the carrier', async () => {
    const world = worldOf();
    const signed = { ...SHIPMENT, options: { signature: 'any' } } as const;
    const { rates: found } = await world.rates.rate(signed, { ...caller, customerId: CUSTOMER });
    expect(found[0]!.total, '4 + 1 + 2 without tax').to.equal('7.50');
    const agreed = await world.rates.agree(orderOf(90, found[0]!.rate_id, { shipment: signed }));
    expect(agreed.agreed!.charges.lines.map(({ code, amount }) => [code, amount])).to.deep.equal([
      ['base', '5.00'],
      ['base_untaxed', '2.00'],
      ['vat', '0.50'],
    ]);
    const adult = { ...SHIPMENT, options: { signature: 'adult' } } as const;
    expect((await world.rates.rate(adult, { ...caller, customerId: CUSTOMER })).rates[0]!.total).to.equal('5.50');
  });

  it('takes the service of the card with the code of the method', async () => {
    const card = { ...CARD, services: [{ code: 'label' }, { code: 'ground', max_weight_kg: 1 }] };
    const { rates: found, errors } = await worldOf({ card }).rates.rate(SHIPMENT, { ...caller, customerId: CUSTOMER });
    expect(found).to.deep.equal([]);
    expect(errors).to.deep.equal([{ accountId: 1, code: 'TOO_HEAVY', retryable: false }]);
  });

  it('with a chosen method reserves one rate, also when the request is repeated', async () => {
    const world = worldOf();
    const first = await world.rates.agreeMethod(byMethod(100));
    expect(first.agreed!.charges.total).to.equal('5.50');
    expect((await world.rates.agreeMethod(byMethod(100))).rateId).to.equal(first.rateId);
    expect(world.fake.calls, 'the carrier is asked once').to.have.length(1);
    expect((await world.rates.agreeMethod(byMethod(101))).rateId).not.to.equal(first.rateId);
    await world.rates.agreeMethod(byMethod(102, { isDryRun: true }));
    expect(await world.quotes.ofOrder(102, 1)).to.equal(undefined);
  });

  it('with a chosen method is refused above the maximum price, and for a method without a rate', async () => {
    const world = worldOf();
    const agree = (more: Partial<LabelOrderByMethod>, one = world) =>
      codeOf(one.rates.agreeMethod(byMethod(110, more)));
    expect(await agree({ maxPrice: '5.49' })).to.equal('NO_RATE');
    expect(await agree({ methodId: 1_002 })).to.equal('NO_RATE');
    expect(await agree({ labelFormat: 'zpl' })).to.equal('NO_RATE');
    const off = worldOf({ accounts: [account(1, { methods: [method(1, { enabled: false })] })] });
    expect(await agree({}, off)).to.equal('NO_RATE');
    expect(await world.quotes.ofOrder(110, 1), 'nothing is reserved').to.equal(undefined);
    expect(await agree({ maxPrice: '5.5' })).to.equal(undefined);
    const unpriced = worldOf({ card: null });
    const staff = { isCustomer: false, customerId: undefined };
    expect(await agree({ ...staff, maxPrice: '3.99' }, unpriced)).to.equal('NO_RATE');
    expect(await agree({ ...staff, maxPrice: '4' }, unpriced)).to.equal(undefined);
  });

  it('accepts no maximum price of a customer whose prices are hidden, before any carrier is asked', async () => {
    const world = worldOf({ terms: { hidden: true } });
    expect(await codeOf(world.rates.agreeMethod(byMethod(120, { maxPrice: '1' })))).to.equal('PRICE_HIDDEN');
    expect(world.fake.calls).to.deep.equal([]);
    expect((await world.rates.agreeMethod(byMethod(120))).agreed!.settlement).to.equal('offline');
    expect(await codeOf(world.rates.agreeMethod(byMethod(121, { maxPrice: '9', isCustomer: false })))).to.equal(
      undefined,
    );
  });
});
