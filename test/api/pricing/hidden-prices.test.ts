/**
 * Hidden prices: no digit of a price reaches the customer over any interface, and the change applies to the next
 * request, stored responses included.
 */
import { expect } from 'chai';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { shipment, simpleCard, stopIn, tableOf } from '../../support/inputs/shipments.js';
import { ACCESS } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { callTool } from '../../support/clients/mcp.js';
import { overGraphQL, overRest } from '../../support/clients/rest-and-graphql.js';

/** No other value of the demo contains these digits. */
const SENTINEL = '7391.83';
const TRACES = /7391|7\.391|391\.83/;

describe('hidden prices', () => {
  let world: World;
  let token: string;
  const operations = describeOperations();
  const schema = createSchema(operations, []);
  before(async () => {
    world = await openWorld();
    const made = { family: 'local_delivery', name: 'Secret', currency: 'EUR' };
    const card = await world.good('/rate-cards', 'client_admin', { body: made });
    const id = card.json.rate_card.id as number;
    const document = simpleCard({ taxes: [], table: tableOf([{ up_to_kg: 99_999, amount: SENTINEL }]) });
    await world.good(`/rate-cards/${id}/versions`, 'client_admin', { body: { card: document } });
    const body = { rate_card_id: id };
    await world.good('/pricing/defaults/local_delivery', 'client_admin', { method: 'PUT', body });
    const item = { names: { en: 'Secret tape' }, price: SENTINEL, cost: '391.83', currency: 'EUR' };
    await world.good('/catalogue/supply/secret_tape', 'client_admin', { method: 'PUT', body: item });
    await sellLabels(document);
    token = (await world.keyOf('customer'))!;
  });
  after(() => world?.stop());

  /** A carrier account whose labels cost the sentinel, and a rate card that adds nothing. */
  async function sellLabels(document: object): Promise<void> {
    const made = { name: 'Secret labels', currency: 'EUR' };
    const create = async (family: string, card: object): Promise<number> => {
      const { json } = await world.good('/rate-cards', 'client_admin', { body: { ...made, family } });
      await world.good(`/rate-cards/${json.rate_card.id}/versions`, 'client_admin', { body: { card } });
      return json.rate_card.id as number;
    };
    const rate_card_id = await create('label_service', { services: [{ code: 'label' }] });
    const body = { rate_card_id };
    await world.good('/pricing/defaults/label_service', 'client_admin', { method: 'PUT', body });
    const cost = await create('shipping_service', document);
    const settings = { rate_card_id: cost, carrier_name: 'Secret vans', company_prefix: '4050001' };
    const account = { adapter: 'sheet', name: 'Secret vans', settings, return_address: stopIn('10115') };
    await world.good('/carrier-accounts', 'client_admin', { body: account });
  }

  const hide = async (isHidden: boolean) => {
    const families = ['local_delivery', 'label_service'].map((family) => ({ family, prices_hidden: isHidden }));
    const path = `/customers/${world.demo.users.customer.id}/terms`;
    await world.good(path, 'client_admin', { method: 'PUT', body: { families } });
  };
  const rate = (headers: Record<string, string> = {}) =>
    world.test.api('/orders/rate', { key: token, body: shipment(), headers });

  it('are absent from the next response on, which keeps ids and names', async () => {
    const open = await rate();
    expect(open.json.rates[0].shipping_price).to.equal(SENTINEL);
    await hide(true);
    const hidden = await rate();
    expect(hidden.text).not.to.match(TRACES);
    expect(hidden.json.rates[0]).to.deep.equal({
      rate_id: open.json.rates[0].rate_id,
      family: 'local_delivery',
      service_code: 'standard',
      service_name: 'Standard',
      delivery_date_from: open.json.rates[0].delivery_date_from,
      delivery_date_to: open.json.rates[0].delivery_date_to,
      valid_until: open.json.rates[0].valid_until,
      price_hidden: true,
    });
    const quote = await world.test.api(`/quotes/${open.json.rates[0].rate_id}`, { key: token });
    expect(quote.text).not.to.match(TRACES);
    expect(quote.json.rate.price_hidden).to.equal(true);
    const office = await world.good('/orders/rate', 'employee', { body: shipment() });
    expect(office.json.rates[0].shipping_price, 'the office sees them').to.equal(SENTINEL);
  });

  it('are absent over GraphQL and MCP, too', async () => {
    await hide(true);
    const operation = operations.find(({ name }) => name === 'ordersRate')!;
    const graphql = await overGraphQL(world.test.url, schema, operation, shipment(), token);
    expect(graphql.text).to.include('standard');
    expect(graphql.text).not.to.match(TRACES);
    const answer = JSON.stringify(await callTool(world.test, 'quote_delivery', shipment(), { token }));
    expect(answer).to.include('price_hidden');
    expect(answer).not.to.match(TRACES);
  });

  it('are absent from rates of carriers over every interface', async () => {
    const input = { ship_from: stopIn('10115'), ship_to: stopIn('80331'), packages: [{ weight_kg: 2 }] };
    for (const isHidden of [false, true]) {
      await hide(isHidden);
      for (const name of ['labelserviceRate', 'labelserviceCompareAllCarriers']) {
        const operation = operations.find((one) => one.name === name)!;
        const tool = name === 'labelserviceRate' ? 'get_shipping_rate' : 'compare_all_carriers';
        const texts = [
          (await overRest(world.test.url, operation, input, token)).text,
          (await overGraphQL(world.test.url, schema, operation, input, token)).text,
          JSON.stringify(await callTool(world.test, tool, input, { token })),
        ];
        for (const text of texts) {
          expect(text).to.include('Secret vans');
          expect(TRACES.test(text), text).to.equal(!isHidden);
        }
      }
    }
  });

  it('are absent from the catalogue on forms of the family', async () => {
    await hide(false);
    const item = () => world.test.api('/catalogue/supply/secret_tape', { key: token });
    expect((await item()).json.catalog_item).to.include({ price: SENTINEL });
    await hide(true);
    for (const path of ['/catalogue', '/catalogue?kind=supply', '/catalogue/supply/secret_tape']) {
      const { text } = await world.test.api(path, { key: token });
      expect(text).to.include('secret_tape').and.include('price_hidden');
      expect(text).not.to.match(TRACES);
    }
  });

  it('refuse every payment before any other check', async () => {
    await hide(true);
    const payments = operations.filter(({ pays }) => pays !== undefined);
    expect(payments.map(({ name }) => name)).to.include('orderPay');
    for (const operation of payments)
      for (const input of [{}, { order_id: 2_000_000_000 }, { order_id: 1, expected_amount: 'much' }]) {
        const { status, text } = await overRest(world.test.url, operation, { order_id: 1, ...input }, token);
        expect(status, text).to.equal(403);
        expect(text).to.include('PRICE_HIDDEN_SETTLE_OFFLINE');
      }
  });

  it('stay hidden in the bill of an order, which the customer pays outside of the service', async () => {
    await hide(true);
    const { rate_id } = (await rate()).json.rates[0];
    const body = { ...shipment(), pickup: stopIn('10115'), delivery: stopIn('80331'), rate_id };
    const placed = await world.test.api('/orders', { key: token, body });
    expect(placed.status, placed.text).to.equal(201);
    expect(placed.text).not.to.match(TRACES);
    const { order_id } = placed.json;
    const payment = { amount: '391.83', method: 'cash' };
    await world.good(`/orders/${order_id}/payments`, 'employee', { body: payment });
    const { json, text } = await world.test.api(`/orders/${order_id}/bill`, { key: token });
    expect(text).not.to.match(TRACES);
    expect(json.bill).to.deep.equal({
      order_id,
      family: 'local_delivery',
      customer_id: world.demo.users.customer.id,
      is_invoiced: false,
      payment_status: 'settle_offline',
      settlement: 'offline',
      rate_id,
      version: json.bill.version,
      price_hidden: true,
    });
    await hide(false);
    const pay = await world.test.api(`/orders/${order_id}/pay`, { key: token, body: {} });
    expect(pay.json.code, 'the order stays offline').to.equal('PRICE_HIDDEN_SETTLE_OFFLINE');
    const open = (await world.test.api(`/orders/${order_id}/bill`, { key: token })).json.bill;
    expect(open).to.include({ total_price: SENTINEL, paid_amount: '391.83', remaining_amount: '7000.00' });
  });

  for (const format of ['rest', 'graphql'] as const)
    it(`leave no trace in any operation of a customer: ${format}`, async () => {
      await hide(true);
      for (const operation of operations) {
        const row = ACCESS[operation.name];
        if (!row?.roles.includes('customer') || row.endsSession || (format === 'graphql' && row.restOnly)) continue;
        const input = await row.own(world, 'customer');
        const { text, body } = await (format === 'rest'
          ? overRest(world.test.url, operation, input, token)
          : overGraphQL(world.test.url, schema, operation, input, token));
        expect(text, operation.name).not.to.match(TRACES);
        expect(JSON.stringify(body ?? null), operation.name).not.to.match(TRACES);
      }
    });
});
