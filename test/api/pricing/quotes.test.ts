/** Quotes over HTTP: whose card applies, repeated requests, expiry, and readers of a quote. */
import { expect } from 'chai';
import { simpleCard, shipment, tableOf } from '../../support/inputs/shipments.js';
import { createQuotes } from '../../../src/engines/postgres/quotes.js';
import { query } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

const MINUTE_MS = 60_000;

describe('quotes', () => {
  let t: TestService;
  let as: AsUsers;
  let now = Date.parse('2027-03-01T09:00:00Z');
  let customer: number;
  before(async () => {
    t = await startTestService({ now: () => now });
    as = asUsers(t);
    customer = t.demo.users.customer.id;
    await defaultCard(simpleCard());
  });
  after(() => t.stop());

  async function card(document: object, more: Record<string, unknown> = {}): Promise<number> {
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR', ...more };
    const id = (await as('client_admin', '/rate-cards', made)).json.rate_card.id as number;
    const { status, text } = await as('client_admin', `/rate-cards/${id}/versions`, { card: document });
    expect(status, text).to.equal(200);
    return id;
  }
  const defaultCard = async (document: object) =>
    as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: await card(document) }, 'PUT');
  const rate = async (more: Record<string, unknown> = {}, user: 'customer' | 'employee' = 'customer') => {
    const answer = await as(user, '/orders/rate', shipment(more));
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const terms = (more: object) =>
    as('client_admin', `/customers/${customer}/terms`, { families: [{ family: 'local_delivery', ...more }] }, 'PUT');

  it('show each service with its lines, dates and expiry', async () => {
    const { result, rates, refused } = await rate({ packages: [{ weight_kg: 7.2 }] });
    expect(result).to.equal(true);
    expect(refused).to.deep.equal([]);
    const [only] = rates;
    // 8 kg: 4.90 + 3 x 0.50 = 6.40; tax 1.216.
    expect(only).to.include({
      family: 'local_delivery',
      service_code: 'standard',
      service_name: 'Standard',
      shipping_price: '7.62',
      tax_amount: '1.22',
      surcharge_amount: '0.00',
      currency: 'EUR',
      delivery_date_from: '2027-03-02',
      delivery_date_to: '2027-03-03',
      valid_until: new Date(now + 60 * MINUTE_MS).toISOString(),
    });
    expect(only.rate_id).to.match(/^rt_[a-z2-7]{26}$/);
    expect(only.price_details.map(({ kind, amount }: Record<string, string>) => [kind, amount])).to.deep.equal([
      ['base', '6.40'],
      ['tax', '1.22'],
    ]);
  });

  it('are the same for the same request within a minute', async () => {
    const first = (await rate()).rates[0];
    now += 30_000;
    expect((await rate()).rates[0]).to.deep.equal(first);
    expect((await rate({ packages: [{ weight_kg: 2.5 }] })).rates[0].rate_id).not.to.equal(first.rate_id);
    expect((await rate({}, 'employee')).rates[0].rate_id, 'another caller').not.to.equal(first.rate_id);
    now += 2 * MINUTE_MS;
    expect((await rate()).rates[0].rate_id).not.to.equal(first.rate_id);
  });

  it('are the same for requests at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => rate({ packages: [{ weight_kg: 3 }] })));
    expect(new Set(all.map(({ rates }) => rates[0].rate_id)).size).to.equal(1);
  });

  it('keep their price when the card changes, until they expire', async () => {
    const before = (await rate({ packages: [{ weight_kg: 4 }] })).rates[0];
    await defaultCard(simpleCard({ table: tableOf([{ up_to_kg: 50, amount: '9.90' }]) }));
    const { json } = await as('customer', `/quotes/${before.rate_id}`);
    expect(json).to.include({ status: 'open', order_id: null });
    expect(json.rate).to.deep.equal(before);
    expect((await rate({ packages: [{ weight_kg: 4 }] })).rates[0].shipping_price).to.equal('11.78');
    now += 61 * MINUTE_MS;
    expect((await as('customer', `/quotes/${before.rate_id}`)).json.status).to.equal('expired');
    await defaultCard(simpleCard());
  });

  it('use the card and the discount of the customer', async () => {
    const own = await card(simpleCard({ taxes: [] }));
    expect((await terms({ rate_card_id: own, markup_percent: '-10' })).status).to.equal(200);
    const [mine] = (await rate()).rates;
    expect(mine.shipping_price).to.equal('4.41');
    expect(mine.price_details.at(-1)).to.include({ kind: 'markup', name: 'Discount', amount: '-0.49' });
    expect((await rate({}, 'employee')).rates[0].shipping_price, 'without a customer').to.equal('5.83');
    expect((await rate({ customer_id: customer }, 'employee')).rates[0].shipping_price).to.equal('4.41');
    await terms({});
  });

  it('are for the customer who asked, and for the office', async () => {
    const { rate_id } = (await rate()).rates[0];
    expect((await as('employee', `/quotes/${rate_id}`)).status).to.equal(200);
    for (const user of ['other_client_admin'] as const)
      expect((await as(user, `/quotes/${rate_id}`)).json.code).to.equal('RATE_NOT_FOUND');
    const staff = (await rate({}, 'employee')).rates[0];
    expect((await as('customer', `/quotes/${staff.rate_id}`)).json.code).to.equal('RATE_NOT_FOUND');
    const foreign = await as('customer', '/orders/rate', shipment({ customer_id: customer + 1 }));
    expect(foreign.json.errors[0].code).to.equal('UNKNOWN_CUSTOMER');
  });

  it('give a reason for each service without a price', async () => {
    const reasons = async (more: Record<string, unknown>) =>
      (await rate(more)).refused.map(({ code }: { code: string }) => code);
    expect(await reasons({ delivery: { country: 'FR', postal_code: '75001' } })).to.deep.equal(['NOT_SERVED']);
    expect(await reasons({ currency: 'USD' })).to.deep.equal(['NO_CARD']);
    await defaultCard(
      simpleCard({
        table: undefined,
        distance: { road_factor: '1.3', bands: [{ up_to_km: 100, base: '5.00', per_km: '0.50' }] },
      }),
    );
    expect(await reasons({}), 'no position of the stops is known').to.deep.equal(['ADDRESS_INCOMPLETE']);
    const near = (latitude: number) => ({
      country: 'DE',
      postal_code: '10115',
      position: { latitude, longitude: 13.4 },
    });
    const [byDistance] = (await rate({ pickup: near(52.5), delivery: near(52.6) })).rates;
    // 11.12 km as the crow flies, 14.455 km by road: 5.00 + 14.455 x 0.50 = 12.23, with tax 14.55.
    expect(byDistance.shipping_price).to.equal('14.55');
    await defaultCard(
      simpleCard({ weight: { basis: 'greater', divisor: 5000, side_rounding: 'none', step_kg: 1, min_kg: 1 } }),
    );
    const missing = await as('customer', '/orders/rate', shipment());
    expect(missing.status).to.equal(422);
    expect(missing.json.code).to.equal('DIMENSIONS_NEEDED');
    expect(missing.json.errors[0].path).to.equal('/packages/0');
    await defaultCard(simpleCard());
  });

  it('price a shipment from or to a warehouse, unless both stops are given', async () => {
    const made = await as('client_admin', '/wms/warehouses', {
      code: 'PRICED',
      name: 'Depot',
      address: { street: 'Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
      timezone: 'Europe/Berlin',
    });
    const warehouse_id = made.json.warehouse.id as number;
    const { delivery } = shipment() as { delivery: object };
    const [only] = (await rate({ type: 'D', pickup: undefined, warehouse_id, delivery })).rates;
    expect(only.shipping_price).to.equal('5.83');
    const unknown = await as('customer', '/orders/rate', {
      ...shipment({ type: 'D', warehouse_id: 999 }),
      pickup: undefined,
    });
    expect(unknown.json.code).to.equal('WAREHOUSE_NOT_FOUND');
  });

  it('are deleted a week after they expire, or when the customer is erased', async () => {
    const { rate_id } = (await rate({ packages: [{ weight_kg: 4.5 }] })).rates[0];
    const kept = async () =>
      (await query(t.databaseUrl, 'select 1 from access.quotes where rate_id = $1', [rate_id])).length;
    await query(t.databaseUrl, `update access.quotes set valid_until = now() - interval '8 days' where rate_id = $1`, [
      rate_id,
    ]);
    await createQuotes(t.service.engines.pool).sweep();
    expect(await kept()).to.equal(0);
  });
});
