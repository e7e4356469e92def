/** Label orders: repeated attempts, refunds by staff, approvals, and requests at the same time. */
import { expect } from 'chai';
import { labelStream } from '../../../src/events/labels/events.js';
import { callTool, tokenOf } from '../../support/clients/mcp.js';
import { openLabelWorld, RECIPIENT, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses of the API */
describe('attempts, refunds and approvals of label orders', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
  });
  after(() => w?.stop());
  const outside = (n = 1, more: object = {}) => ({ ...shipmentOf(n, more), method_id: w.outside.method });
  const cancel = (body: object) => w.as('customer', '/label-orders/cancel', body);
  const prepay = async () => {
    await w.setTerms({ payment_terms: 'wallet_on_create', rate_card_id: w.cards.USD });
    await w.credit('300.00', 'USD');
  };

  it('a refund by staff is not taken again by the purchase of the missing labels', async () => {
    await prepay();
    await w.easypost.fail('buy', 'declined');
    const { json } = await w.as('customer', '/label-orders', outside(2));
    const id = json.order_id as number;
    const { bill } = (await w.as('employee', `/orders/${id}/bill`)).json;
    const refund = {
      payment_id: bill.payments[0].payment_id ?? bill.payments[0].id,
      amount: '5.00',
      to: 'wallet',
      reason: 'Late',
    };
    const refunded = await w.as('client_admin', `/orders/${id}/refunds`, refund);
    expect(refunded.status, refunded.text).to.equal(201);
    const before = await w.balance('USD');
    const again = await w.as('customer', `/label-orders/${id}/purchase`, {});
    expect(again.json.label_order?.status, again.text).to.equal('LABEL_PURCHASED');
    expect(await w.balance('USD')).to.equal(before);
  });

  it('cash and wallet are returned once', async () => {
    await prepay();
    const start = Number(await w.balance('USD'));
    await w.easypost.fail('buy', 'declined', { times: 2 });
    const { json } = await w.as('customer', '/label-orders', outside(1));
    const id = json.order_id as number;
    await w.as('employee', `/orders/${id}/payments`, { amount: '2.00', method: 'cash' });
    await w.as('customer', `/label-orders/${id}/purchase`, {});
    const third = await w.as('customer', `/label-orders/${id}/purchase`, {});
    expect(third.json.label_order?.status, third.text).to.equal('LABEL_PURCHASED');
    await cancel({ order_id: id });
    const shipment = (await w.easypost.state()).purchases.at(-1)!.shipment_id;
    await w.easypost.settleRefund(shipment, 'refunded');
    expect((await cancel({ order_id: id })).json.label_order?.status).to.equal('VOIDED');
    expect(Number(await w.balance('USD'))).to.equal(start + 2);
  });

  it('the attempts of an order are limited', async () => {
    await w.setTerms({ rate_card_id: w.cards.EUR });
    const bad = {
      ...shipmentOf(1, { ship_to: { ...RECIPIENT, name: '\u{13000}\u{13001}' } }),
      method_id: w.sheet.method,
    };
    const { json } = await w.as('customer', '/label-orders', bad);
    const id = json.order_id as number;
    let last: any;
    for (let n = 0; n < 210; n++) {
      last = await w.as('customer', `/label-orders/${id}/purchase`, {});
      if (last.status !== 200) break;
    }
    let events = 0;
    for await (const _event of w.t.service.engines.log.read(labelStream(id))) events++;
    expect([last.status, last.json.code]).to.deep.equal([409, 'TOO_MANY_ATTEMPTS']);
    expect(events).to.be.below(100);
  });

  it('the reviewer of a void sees its order, also by the number of a package', async () => {
    const token = await tokenOf(w.t, 'client_admin');
    const { json } = await w.as('employee', '/label-orders', {
      ...shipmentOf(),
      method_id: w.sheet.method,
      order_ref: 'REF-77',
    });
    const [tracking_number] = json.label_order.tracking_numbers as string[];
    const headers = { 'x-mcp-require-approval': '1' };
    const queued = (await callTool(w.t, 'cancel_shipping_label', { tracking_number }, { token, headers }))
      .structuredContent as any;
    const { proposal } = (await w.t.api(`/proposals/${queued.proposal_id}`, { key: token })).json as any;
    expect(JSON.stringify(proposal)).to.include('REF-77');
  });

  it('one key at the same time gives one order', async () => {
    await prepay();
    const bought = (await w.easypost.state()).purchases.length;
    const headers = { 'idempotency-key': 'break-once' };
    const all = await Promise.all(
      Array.from({ length: 5 }, () => w.as('customer', '/label-orders', outside(), 'POST', headers)),
    );
    const other = await w.as('customer', '/label-orders', outside(2), 'POST', headers);
    expect(all.filter(({ status }) => status === 201).length, JSON.stringify(all.map(({ status }) => status))).to.equal(
      1,
    );
    expect([other.status, other.json.code]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await w.easypost.state()).purchases.length).to.equal(bought + 1);
  });

  it('charges that staff set on an order in a void do not stay after it', async () => {
    await prepay();
    await w.as('client_admin', `/carrier-accounts/${w.outside.id}`, { refund_on: 'submitted' }, 'PATCH');
    const { json } = await w.as('customer', '/label-orders', outside());
    const id = json.order_id as number;
    const shipment = (await w.easypost.state()).purchases.at(-1)!.shipment_id;
    expect((await cancel({ order_id: id })).json.label_order?.payment_status).to.equal('refunded');
    await w.easypost.settleRefund(shipment, 'rejected');
    const rejected = await cancel({ order_id: id });
    expect(rejected.json.label_order?.shipping_price, 'the label exists').not.to.equal('0.00');
  });
});
