/**
 * Hidden prices: no digit of a price reaches the customer over any interface, and the change applies to the next
 * request, stored responses included.
 */
import { expect } from 'chai';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { simpleCard, shipment, tableOf } from '../../support/inputs/shipments.js';
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
    token = (await world.keyOf('customer'))!;
  });
  after(() => world?.stop());

  const hide = async (isHidden: boolean) => {
    const families = [{ family: 'local_delivery', prices_hidden: isHidden }];
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
