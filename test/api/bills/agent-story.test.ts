/** Agents get prices, place orders and pay. The office's agent proposes payments and refunds, which a person approves. */
import { expect } from 'chai';
import { shipment, simpleCard, stopIn } from '../../support/inputs/shipments.js';
import { callTool, jsonIn, tokenOf } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

describe('an agent', () => {
  let t: TestService;
  let as: AsUsers;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
    const { id } = (await as('client_admin', '/rate-cards', made)).json.rate_card;
    await as('client_admin', `/rate-cards/${id}/versions`, { card: simpleCard() });
    await as('client_admin', '/pricing/defaults/local_delivery', { rate_card_id: id }, 'PUT');
    const credit = { amount: '20.00', currency: 'EUR', source: 'bank' };
    await as('employee', `/customers/${t.demo.users.customer.id}/wallet/credits`, credit);
  });
  after(() => t.stop());

  const REQUIRED = { 'x-mcp-require-approval': '1' };
  type User = 'customer' | 'client_admin';
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const tool = async (user: User, name: string, args: object): Promise<any> =>
    jsonIn(await callTool(t, name, args, { token: await tokenOf(t, user) }));
  /** Over the developer server, which has an operation for everything without a tool. */
  const graphql = async (user: User, query: string, headers: Record<string, string> = {}) =>
    JSON.stringify(
      await callTool(
        t,
        'run_graphql_query',
        { query },
        { path: '/mcp/developer', token: await tokenOf(t, user), headers },
      ),
    );
  const billOf = async (id: number) => (await as('client_admin', `/orders/${id}/bill`)).json.bill;
  const ORDER = { ...shipment(), pickup: stopIn('10115'), delivery: stopIn('80331') };

  it('of the office orders at a quoted price, and records and refunds a payment after approvals', async () => {
    const customer_id = t.demo.users.customer.id;
    const { rates } = await tool('client_admin', 'quote_delivery', shipment({ customer_id }));
    expect(rates[0]).to.include({ shipping_price: '5.83', currency: 'EUR' });
    const order = { ...ORDER, customer_id, rate_id: rates[0].rate_id };
    const { order_id } = await tool('client_admin', 'create_order', order);
    const again = await tool('client_admin', 'create_order', order);
    expect(again.error, 'a repeated call orders once').to.include({ code: 'RATE_USED', order_id });

    const approved = async (mutation: string) => {
      const queued = await graphql('client_admin', `mutation { ${mutation} }`, REQUIRED);
      const [, proposal] = /proposal ([\da-f-]{36})/.exec(queued) ?? [];
      expect(proposal, queued).to.be.a('string');
      const before = await billOf(order_id);
      const { status, text } = await as('client_admin', `/proposals/${proposal}/approve`, {});
      expect(status, text).to.equal(200);
      return [before, await billOf(order_id)];
    };
    const [unpaid, paid] = await approved(
      `billPaymentRecord(orderId: ${order_id}, amount: "5.83", method: "cash") { paymentId }`,
    );
    expect(unpaid.payment_status, 'before the approval').to.equal('unpaid');
    expect(paid).to.include({ payment_status: 'paid', paid_amount: '5.83' });
    const [, refunded] = await approved(
      `billRefund(orderId: ${order_id}, paymentId: "${paid.payments[0].id}", reason: "late") { refundId }`,
    );
    expect(refunded).to.include({ payment_status: 'refunded', paid_amount: '0.00' });
    expect(refunded.refunds[0]).to.include({ to: 'wallet', status: 'made', amount: '5.83' });
  });

  it('of a customer orders and pays with the wallet', async () => {
    const { rates } = await tool('customer', 'quote_delivery', shipment());
    const { order_id } = await tool('customer', 'create_order', { ...ORDER, rate_id: rates[0].rate_id });
    const { balance } = await tool('customer', 'get_account_credits', {});
    const pay = `mutation { orderPay(orderId: ${order_id}, expectedAmount: "5.83") { paymentId } }`;
    const refused = await graphql('customer', pay, REQUIRED);
    expect(refused, 'no reviewer may pay with the wallet of a customer').to.include('NOT_FOR_ANOTHER');
    expect((await billOf(order_id)).payment_status).to.equal('unpaid');
    expect(await graphql('customer', pay)).to.include('paymentId');
    expect(await billOf(order_id)).to.include({ payment_status: 'paid', paid_amount: '5.83' });
    const after = (await tool('customer', 'get_account_credits', {})).balance;
    expect(Number(balance) - Number(after)).to.be.closeTo(5.83, 0.001);
  });
});
