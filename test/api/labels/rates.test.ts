/** Rates of carriers over HTTP, with accounts of the adapter `sheet`. */
import { expect } from 'chai';
import { simpleCard, stopIn } from '../../support/inputs/shipments.js';
import { callTool } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

const BERLIN = { country: 'DE', postal_code: '10115' };
const MUNICH = { country: 'DE', postal_code: '80331' };
const parcel = (more: object = {}) => ({ ship_from: BERLIN, ship_to: MUNICH, packages: [{ weight_kg: 2 }], ...more });
const LABEL_CARD = {
  services: [{ code: 'label', names: { en: 'Label' } }],
  surcharges: [
    { code: 'handling', names: { en: 'Handling' }, amount: { flat: '0.90' }, fuelable: false, taxable: true },
  ],
  taxes: [{ code: 'vat', names: { en: 'VAT' }, percent: '10', inclusive: false }],
  quote_valid_minutes: 30,
};

interface Rate {
  readonly rate_id: string;
  readonly shipping_price?: string | null;
  readonly carrier_account_id: number;
  readonly method_id: number;
  readonly [member: string]: unknown;
}

describe('rates of carriers', () => {
  let t: TestService;
  let as: AsUsers;
  let now = Date.parse('2027-03-01T09:00:00Z');
  let labelCard: number;
  let cheap: number;
  let dear: number;
  let prefix = 4_050_000;

  const cardOf = async (family: string, document: object, currency = 'EUR'): Promise<number> => {
    const { json } = await as('client_admin', '/rate-cards', { family, name: family, currency });
    const published = await as('client_admin', `/rate-cards/${json.rate_card.id}/versions`, { card: document });
    expect(published.status, published.text).to.equal(200);
    return json.rate_card.id as number;
  };
  const accountOf = async (rate_card_id: number, carrier_name: string): Promise<number> => {
    const settings = { rate_card_id, carrier_name, company_prefix: String((prefix += 1)) };
    const body = { adapter: 'sheet', name: carrier_name, settings, return_address: stopIn('10115') };
    const made = await as('client_admin', '/carrier-accounts', body);
    expect(made.status, made.text).to.equal(201);
    const { json } = await as('client_admin', '/carrier-accounts?per_page=200');
    const accounts = json.carrier_accounts as readonly { readonly id: number; readonly name: string }[];
    return accounts.find(({ name }) => name === carrier_name)!.id;
  };
  const transport = (amount: string, more: object = {}) =>
    simpleCard({
      taxes: [],
      table: [{ service: 'standard', lane: 'national', breaks: [{ up_to_kg: 30, amount }] }],
      ...more,
    });
  const setTerms = async (more: object) => {
    const families = [{ family: 'label_service', ...more }];
    const path = `/customers/${t.demo.users.customer.id}/terms`;
    const set = await as('client_admin', path, { families }, 'PUT');
    expect(set.status, set.text).to.equal(200);
  };
  const setDefault = (rate_card_id: number | null) =>
    as('client_admin', '/pricing/defaults/label_service', { rate_card_id }, 'PUT');
  const ratesOf = async (user: 'employee' | 'customer', body: object, path = '/labelservice/rate') => {
    const answer = await as(user, path, body);
    expect(answer.status, answer.text).to.equal(200);
    return { ...answer, rates: answer.json.rates as readonly Rate[] };
  };
  const mine = () => ({ carrier_account_ids: [cheap, dear] });

  before(async () => {
    t = await startTestService({ now: () => now });
    as = asUsers(t);
    for (const { id } of (await as('client_admin', '/carrier-accounts')).json.carrier_accounts)
      await as('client_admin', `/carrier-accounts/${id}/disable`, {});
    labelCard = await cardOf('label_service', LABEL_CARD);
    await setDefault(labelCard);
    dear = await accountOf(await cardOf('shipping_service', transport('9.00')), 'Dear vans');
    cheap = await accountOf(await cardOf('shipping_service', transport('4.00')), 'Cheap vans');
  });
  after(() => t.stop());

  it('add the rate card to the cost, and staff see both', async () => {
    const { rates, json } = await ratesOf('employee', parcel(mine()));
    expect(json.errors).to.deep.equal([]);
    expect(rates.map((one) => [one['carrier'], one['cost'], one.shipping_price])).to.deep.equal([
      ['Cheap vans', '4.00', '5.39'],
      ['Dear vans', '9.00', '10.89'],
    ]);
    const [first] = rates;
    expect(first).to.include({ method_code: 'standard', currency: 'EUR', surcharge_amount: '0.90', delivery_days: 2 });
    expect((first!['price_details'] as { amount: string }[]).map(({ amount }) => amount)).to.deep.equal([
      '4.00',
      '0.90',
      '0.49',
    ]);
    expect(first!['valid_until']).to.equal(new Date(now + 30 * 60_000).toISOString());
  });

  it('show customers the price without the cost and the lines that reveal it', async () => {
    const { rates, text } = await ratesOf('customer', parcel(mine()));
    expect(rates.map((one) => one.shipping_price)).to.deep.equal(['5.39', '10.89']);
    expect(rates[0]!['price_details']).to.deep.equal([
      { code: 'base', kind: 'base', name: 'Base price', amount: '4.90', basis: {} },
      { code: 'vat', kind: 'tax', name: 'VAT', amount: '0.49', basis: { percent: '10' } },
    ]);
    expect(text).not.to.match(/"cost"|4\.00|0\.90|surcharge_amount/);
    const quote = await as('customer', `/quotes/${rates[0]!.rate_id}`);
    expect(quote.json.rate).to.include({ shipping_price: '5.39', service_name: 'Standard', family: 'label_service' });
    expect(quote.text).not.to.match(/4\.00|0\.90/);
    const staff = await as('employee', `/quotes/${rates[0]!.rate_id}`);
    expect(staff.json.rate.price_details[0].amount).to.equal('4.00');
  });

  it('have the same ids for the same request within a minute, and different ones for different callers', async () => {
    const ids = async (user: 'employee' | 'customer', more: object = {}) =>
      (await ratesOf(user, parcel({ ...mine(), ...more }))).rates.map(({ rate_id }) => rate_id);
    const first = await ids('customer');
    expect(await ids('customer')).to.deep.equal(first);
    expect(await ids('employee', { customer_id: t.demo.users.customer.id })).not.to.include.members(first);
    expect(await ids('customer', { packages: [{ weight_kg: 3 }] })).not.to.include.members(first);
    now += 61_000;
    expect(await ids('customer')).not.to.include.members(first);
  });

  it('use the card of the customer, then that of the method, then the default card', async () => {
    const flat = (amount: string) => ({ services: [{ code: 'label' }], minimum: amount });
    const ofMethod = await cardOf('label_service', flat('20.00'));
    const ofCustomer = await cardOf('label_service', flat('30.00'));
    const method = (await ratesOf('employee', parcel({ carrier_account_ids: [cheap] }))).rates[0]!.method_id;
    const path = `/carrier-accounts/${cheap}`;
    const changed = await as('client_admin', path, { methods: [{ id: method, markup_card: ofMethod }] }, 'PATCH');
    expect(changed.status, changed.text).to.equal(200);
    const prices = async () =>
      (await ratesOf('customer', parcel(mine()))).rates.map(({ shipping_price }) => shipping_price);
    expect(await prices()).to.deep.equal(['10.89', '20.00']);
    await setTerms({ rate_card_id: ofCustomer, markup_percent: '10' });
    expect(await prices()).to.deep.equal(['33.00', '33.00']);
    await setTerms({});
    await as('client_admin', path, { methods: [{ id: method, markup_card: null }] }, 'PATCH');
  });

  it('compare all accounts, cheapest first; equal prices by days and method', async () => {
    const fast = await accountOf(
      await cardOf('shipping_service', transport('9.00', { services: [{ code: 'standard', days_max: 1 }] })),
      'Fast vans',
    );
    const { rates } = await ratesOf('customer', parcel(), '/labelservice/compare');
    expect(rates.map((one) => one['carrier'])).to.deep.equal(['Cheap vans', 'Fast vans', 'Dear vans']);
    const refused = await as('customer', '/labelservice/compare', parcel(mine()));
    expect(refused.json.errors[0].code, 'no filter by account').to.equal('UNKNOWN_FIELD');
    await as('client_admin', `/carrier-accounts/${fast}/disable`, {});
    const disabled = await as('employee', '/labelservice/rate', parcel({ carrier_account_ids: [fast] }));
    expect(disabled.json.code).to.equal('CARRIER_ACCOUNT_NOT_FOUND');
    expect((await as('employee', '/labelservice/rate', parcel({ method_ids: [7] }))).json.code).to.equal(
      'CARRIER_METHOD_NOT_FOUND',
    );
  });

  it('report each account without a rate next to the rates of the others', async () => {
    const dollars = await accountOf(await cardOf('shipping_service', transport('3.00'), 'USD'), 'Dollar vans');
    const volume = { weight: { basis: 'volumetric', divisor: 5000, step_kg: 1, min_kg: 1 } };
    const bulky = await accountOf(await cardOf('shipping_service', transport('3.00', volume)), 'Bulky vans');
    const { rates, json } = await ratesOf('employee', parcel(), '/labelservice/compare');
    expect(rates.map((one) => one.carrier_account_id)).to.deep.equal([cheap, dear]);
    expect(json.errors).to.deep.equal([
      {
        carrier_account_id: bulky,
        code: 'DIMENSIONS_NEEDED',
        message: 'The price depends on the sides of the packages. Send length_cm, width_cm and height_cm.',
        retryable: false,
      },
      {
        carrier_account_id: dollars,
        code: 'CURRENCY_MISMATCH',
        message:
          'The carrier, the rate card and the declared values have different currencies. Amounts are not converted.',
        retryable: false,
      },
    ]);
    const none = await ratesOf('employee', parcel({ carrier_account_ids: [dollars] }));
    expect(none.json).to.deep.include({ result: false, rates: [] });
    for (const id of [dollars, bulky]) await as('client_admin', `/carrier-accounts/${id}/disable`, {});
  });

  it('have a cost and no price for staff without a rate card, and are absent for customers', async () => {
    await setDefault(null);
    const { rates } = await ratesOf('employee', parcel(mine()));
    expect(rates[0]).to.include({ shipping_price: null, tax_amount: null, cost: '4.00', currency: 'EUR' });
    expect(rates[0]!['price_details']).to.deep.equal([]);
    const quote = await as('employee', `/quotes/${rates[0]!.rate_id}`);
    expect(quote.status, quote.text).to.equal(200);
    const { json, text } = await ratesOf('customer', parcel(mine()));
    expect(json.result).to.equal(false);
    expect(json.errors.map(({ code }: { code: string }) => code)).to.deep.equal(['NO_CARD', 'NO_CARD']);
    expect(text).not.to.include('4.00');
    const restored = await setDefault(labelCard);
    expect(restored.status).to.equal(200);
  });

  it('are limited to the services that the terms of the customer allow', async () => {
    await setTerms({ service_codes: ['express'] });
    const { json } = await ratesOf('customer', parcel(mine()));
    expect(json.rates).to.deep.equal([]);
    expect(json.errors[0].code).to.equal('SERVICE_RESTRICTED');
    await setTerms({ service_codes: ['standard'] });
    expect((await ratesOf('customer', parcel(mine()))).rates).to.have.length(2);
    await setTerms({});
  });

  it('are for the next day on which the service ships, unless the request names a later day', async () => {
    const saturdays = { services: [{ code: 'standard', weekdays: [6], cutoff: '08:00' }] };
    const id = await accountOf(await cardOf('shipping_service', transport('2.00', saturdays)), 'Saturday vans');
    const rated = async (ship_date?: string) =>
      (await ratesOf('employee', parcel({ carrier_account_ids: [id], ...(ship_date && { ship_date }) }))).json.result;
    expect([await rated(), await rated('2027-03-01'), await rated('2027-03-06')]).to.deep.equal([true, true, true]);
    expect(await rated('2027-03-05'), 'a Friday').to.equal(false);
    await as('client_admin', `/carrier-accounts/${id}/disable`, {});
  });

  it('need options that the carrier offers', async () => {
    const options = { signature: 'adult', insurance_amount: '100.00', cod_amount: '20.00', saturday_delivery: true };
    for (const [member, value] of Object.entries(options)) {
      const { json } = await ratesOf('employee', parcel({ ...mine(), [member]: value }));
      expect(json.result, member).to.equal(false);
      expect(json.errors[0].code, member).to.equal('NOT_SERVED');
    }
    expect((await ratesOf('employee', parcel({ ...mine(), signature: 'none' }))).json.result).to.equal(true);
  });

  it('check the shipment', async () => {
    const codeOf = async (more: object) => {
      const { status, json } = await as('employee', '/labelservice/rate', parcel(more));
      return [status, json.code, ...(json.errors ?? []).map(({ path }: { path: string }) => path)];
    };
    const french = { ship_to: { country: 'FR', postal_code: '75001' } };
    const swiss = { ship_to: { country: 'CH', postal_code: '8001' } };
    expect(await codeOf(swiss)).to.deep.equal([422, 'CUSTOMS_NEEDED', '/customs']);
    const item = { description: 'Book', piece_count: 1, unit_value: '9.50', unit_weight_kg: 1, origin_country: 'DE' };
    const customs = { contents_type: 'gift', currency: 'EUR', items: [item] };
    expect((await codeOf({ ...swiss, customs }))[0]).to.equal(200);
    expect((await codeOf(french))[0]).to.equal(200);
    expect(await codeOf({ packages: [{ weight_kg: 1, length_cm: 3 }] })).to.deep.equal([
      422,
      'DIMENSIONS_NEEDED',
      '/packages/0',
    ]);
    const value = { declared_value: '1.005', currency: 'EUR' };
    expect((await codeOf({ packages: [{ weight_kg: 1, ...value }] }))[1]).to.equal('TOO_PRECISE');
    for (const [more, ...paths] of [
      [{ ship_date: '2027-02-28' }, '/ship_date'],
      [{ ship_date: '2027-04-01' }, '/ship_date'],
      [{ ship_to: {} }, '/ship_to/country'],
      [{ ship_to: { address_id: 1, country: 'DE' } }, '/ship_to/country'],
      [{ ship_to: { address_id: 2_000_000 } }, '/ship_to/address_id'],
      [{ warehouse_id: 1 }, '/warehouse_id'],
      [{ packages: [] }, '/packages'],
      [{ packages: [{ weight_kg: 0 }] }, '/packages/0/weight_kg'],
      [{ packages: [{ weight_kg: 1, declared_value: '5' }] }, '/packages/0/currency'],
      [{ packages: Array.from({ length: 21 }, () => ({ weight_kg: 1 })) }, '/packages'],
      [{ customer_id: 2_000_000 }, '/customer_id'],
    ] as const)
      expect(await codeOf(more), JSON.stringify(more)).to.deep.equal([400, 'INVALID_INPUT', ...paths]);
    expect((await codeOf({ ship_date: '2027-03-31' }))[0]).to.equal(200);
  });

  it('start at the default warehouse, and use entries of the address book of the caller', async () => {
    const { ship_from: _from, ...rest } = parcel(mine());
    expect((await ratesOf('employee', rest)).json.result).to.equal(true);
    const entry = await as('customer', '/address-book', { kind: 'recipient', address: stopIn('80331') });
    const id = entry.json.address_book_entry?.id as number;
    expect(id, entry.text).to.be.a('number');
    expect((await ratesOf('customer', { ...rest, ship_to: { address_id: id } })).json.result).to.equal(true);
    const foreign = await as('employee', '/labelservice/rate', { ...rest, ship_to: { address_id: id } });
    expect(foreign.json.errors[0].code).to.equal('ADDRESS_NOT_FOUND');
  });

  it('are hidden from customers whose prices are hidden, in an order that reveals nothing', async () => {
    const open = await ratesOf('customer', parcel(), '/labelservice/compare');
    await setTerms({ prices_hidden: true });
    for (const path of ['/labelservice/compare', '/labelservice/rate']) {
      const { rates, text } = await ratesOf('customer', parcel(), path);
      expect(new Set(rates.map(({ rate_id }) => rate_id))).to.deep.equal(
        new Set(open.rates.map(({ rate_id }) => rate_id)),
      );
      expect(
        rates.map(({ method_id }) => method_id),
        'by name, then by method',
      ).to.deep.equal(open.rates.map(({ method_id }) => method_id).sort((a, b) => a - b));
      expect(rates.every((one) => one['price_hidden'] === true)).to.equal(true);
      expect(text).not.to.match(/shipping_price|currency|price_details|tax_amount|5\.39|10\.89/);
    }
    const tool = await callTool(t, 'compare_all_carriers', parcel(), { token: await tokenOf('customer') });
    expect(JSON.stringify(tool))
      .to.include('price_hidden')
      .and.not.match(/5\.39|10\.89/);
    await setTerms({});
  });

  const tokenOf = async (user: 'customer') => {
    const { email, password } = t.demo.users[user];
    return (await t.api('/user/login', { body: { email, password } })).json.access_token as string;
  };

  it('do not exist without an account that can be used', async () => {
    for (const id of [cheap, dear]) await as('client_admin', `/carrier-accounts/${id}/disable`, {});
    const { json } = await ratesOf('customer', parcel());
    expect(json).to.deep.equal({
      result: false,
      rates: [],
      errors: [
        {
          carrier_account_id: null,
          code: 'NO_CARRIER_ACCOUNT',
          message: 'The business has no carrier account that can be used for this request.',
          retryable: false,
        },
      ],
    });
  });
});
