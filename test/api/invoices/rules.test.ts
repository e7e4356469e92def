/** Who sees and issues which invoices, wrong requests, hidden prices, and damaged files. */
import { expect } from 'chai';
import { callTool, tokenOf } from '../../support/clients/mcp.js';
import { query } from '../../support/worlds/database.js';
import { openInvoicing, type Invoicing } from '../../support/worlds/invoices.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('an invoice', () => {
  let t: TestService;
  let of: Invoicing;
  let keyOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    of = await openInvoicing(t);
    keyOf = signIns(t);
  });
  after(() => t.stop());

  const failure = async (body: object) => {
    const { status, json } = await of.issue(body);
    return [status, json.code, json.errors?.[0]?.path, json.errors?.[0]?.code];
  };

  it('has a valid period, customer and currency', async () => {
    await of.priced();
    expect(await failure({ date_from: '2026-02-02', date_to: '2026-02-01' })).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/date_to',
      'INVALID_FORM',
    ]);
    expect(await failure({ due_days: 121 })).to.deep.equal([400, 'INVALID_INPUT', '/due_days', 'TOO_BIG']);
    expect(await failure({ customer_id: 99_999 })).to.deep.equal([404, 'NOT_FOUND', '/customer_id', 'NOT_FOUND']);
    expect((await failure({ currency: 'USD' })).slice(0, 2), 'charges in EUR').to.deep.equal([409, 'NOTHING_DUE']);
    expect((await failure({ date_to: '2020-01-02' })).slice(0, 2)).to.deep.equal([409, 'NOTHING_DUE']);
    expect((await failure({ buyer: { fax: '1' } })).slice(0, 2)).to.deep.equal([400, 'INVALID_INPUT']);
    expect((await of.issue({}, 'employee')).status).to.equal(403);
    expect((await of.issue({}, 'customer')).status).to.equal(403);
  });

  it('has charges of one currency, and the given buyer', async () => {
    await of.priced([{ code: 'delivery', amount: '1250' }], 'JPY');
    const buyer = {
      company: '株式会社ラブレス',
      street: '南京东路 1 号',
      city: '東京都',
      country: 'JP',
      tax_id: 'T1234',
    };
    const { json } = await of.issue({ currency: 'JPY', buyer });
    expect(json.invoice).to.deep.include({
      gross: '1250',
      currency: 'JPY',
      paid_amount: '0',
      credited_amount: '0',
      buyer,
    });
    expect((await of.issued(0)).currency).to.equal('EUR');
  });

  it('contains bills that the customer settles outside of the service', async () => {
    const order = await of.priced();
    await of.as(
      'employee',
      `/orders/${order}/charges`,
      { lines: [{ code: 'd', amount: '4.00' }], settlement: 'offline' },
      'PUT',
    );
    expect((await of.bill(order)).payment_status).to.equal('settle_offline');
    expect((await of.issued(0)).lines.map(({ order_id }: { order_id: number }) => order_id)).to.deep.equal([order]);
  });

  it('is issued once for an Idempotency-Key', async () => {
    await of.priced();
    const body = { customer_id: of.customer, date_from: '2020-01-01', date_to: '2099-01-01' };
    const send = async (headers: Record<string, string>) =>
      t.api('/invoices', { key: await keyOf('client_admin'), body, headers });
    const before = (await of.as('auditor', '/invoices')).json.total;
    const [one, two] = [await send({ 'idempotency-key': 'a' }), await send({ 'idempotency-key': 'a' })];
    expect([one.status, two.status, two.json.invoice_id]).to.deep.equal([201, 201, one.json.invoice_id]);
    expect((await of.as('auditor', '/invoices')).json.total).to.equal(before + 1);
  });

  it('is credited by an agent only after a client admin approves', async () => {
    const { id, gross } = await of.issued();
    const query = `mutation { creditNoteIssue(invoiceId: ${id}) { invoiceId } }`;
    const headers = { 'x-mcp-require-approval': '1' };
    const options = { path: '/mcp/developer', token: await tokenOf(t, 'client_admin'), headers };
    const queued = JSON.stringify(await callTool(t, 'run_graphql_query', { query }, options));
    const [, proposal] = /proposal ([\da-f-]{36})/.exec(queued) ?? [];
    expect(proposal, queued).to.be.a('string');
    expect((await of.invoice(id)).credited_amount, 'before the approval').to.equal('0.00');
    const approved = await of.as('client_admin', `/proposals/${proposal}/approve`, {});
    expect(approved.status, approved.text).to.equal(200);
    expect((await of.invoice(id)).credited_amount).to.equal(gross);
  });

  it('is invisible to other customers and businesses', async () => {
    const { id } = await of.issued();
    const email = 'another.customer@example.com';
    const password = 'long enough password';
    await of.as('client_admin', '/users', { email, password, name: 'Other', role: 'customer' });
    const key = (await t.api('/user/login', { body: { email, password } })).json.access_token as string;
    for (const path of [`/invoices/${id}`, `/invoices/${id}/pdf`]) {
      expect((await t.api(path, { key })).status).to.equal(404);
      expect((await of.as('other_client_admin', path)).status).to.equal(404);
    }
    expect((await t.api('/invoices', { key })).json.total).to.equal(0);
    expect((await t.api(`/invoices?customer_id=${of.customer}`, { key })).status).to.equal(404);
    expect((await of.as('other_client_admin', '/invoices')).json.total).to.equal(0);
    expect((await of.credit(id, {}, 'other_client_admin')).status).to.equal(404);
    const { document } = await stored(id);
    expect(
      (await of.as('client_admin', `/files/${document.document_id}`)).status,
      'the file has no other address',
    ).to.equal(404);
  });

  const stored = async (id: number) =>
    (await query(t.databaseUrl, 'select document from invoices.invoices where id = $1', [id]))[0] as {
      document: { document_id: string };
    };

  it('shows a customer with hidden prices no amounts', async () => {
    const { id, lines } = await of.issued();
    const note = (await of.credit(id, { lines: [{ line: 1, net: '1.00' }] })).json.invoice_id as number;
    const hide = (prices_hidden: boolean) =>
      of.as(
        'client_admin',
        `/customers/${of.customer}/terms`,
        { families: [{ family: 'local_delivery', prices_hidden }] },
        'PUT',
      );
    await hide(true);
    const [detail, listed] = [await of.as('customer', `/invoices/${id}`), await of.as('customer', '/invoices')];
    for (const { text } of [detail, listed]) expect(text).to.not.match(/\d\.\d\d"|"EUR"|vat/);
    expect(detail.json.invoice).to.include({ price_hidden: true, id, kind: 'invoice' });
    const graphql = await t.api('/../graphql', {
      key: await keyOf('customer'),
      body: { query: `{ invoice(invoiceId: ${id}) { invoice { gross priceHidden lines { net } } } }` },
    });
    expect(graphql.json.data.invoice.invoice).to.deep.equal({ gross: null, priceHidden: true, lines: null });
    for (const document of [id, note])
      expect((await of.pdf(document, 'customer')).json).to.include({
        status: 403,
        code: 'PRICE_HIDDEN_SETTLE_OFFLINE',
      });
    const order = (await of.as('customer', `/orders/${lines[0].order_id}`)).json.order;
    expect(order).to.include({ price_hidden: true }).and.not.have.property('invoice_id');
    expect(await of.bill(lines[0].order_id, 'customer')).to.not.have.property('invoice_id');
    expect((await of.pdf(id, 'auditor')).status).to.equal(200);
    await hide(false);
    expect((await of.pdf(id, 'customer')).status).to.equal(200);
  });

  it('with a changed byte in its stored PDF is reported as damaged, and never returned', async () => {
    const { id } = await of.issued();
    const { document } = await stored(id);
    const flip = () =>
      query(
        t.databaseUrl,
        'update vault.file_chunks set content = set_byte(content, 1000, get_byte(content, 1000) # 1) where place = $1',
        [document.document_id],
      );
    await flip();
    const { status, json } = await of.pdf(id);
    expect([status, json.code]).to.deep.equal([500, 'FILE_DAMAGED']);
    await flip();
    expect((await of.pdf(id)).status).to.equal(200);
  });

  it('whose PDF is missing gets the same PDF again', async () => {
    const { id, sha256 } = await of.issued();
    const { document } = await stored(id);
    await query(t.databaseUrl, 'delete from vault.file_chunks where place = $1', [document.document_id]);
    await query(t.databaseUrl, 'delete from vault.files where id = $1', [document.document_id]);
    const { json, text } = await of.pdf(id);
    expect(json.invoice_pdf?.sha256, text.slice(0, 500)).to.equal(sha256);
    const rows = await query(t.databaseUrl, 'select used_at from vault.files where id = $1', [document.document_id]);
    expect(rows[0]!.used_at).to.not.equal(null);
  });

  it('needs a billing profile', async () => {
    const { json } = await of.as('other_client_admin', '/users', {
      email: 'c@example.com',
      password: 'long enough password',
      name: 'C',
      role: 'customer',
    });
    const refused = await of.as('other_client_admin', '/invoices', {
      customer_id: json.user.id,
      currency: 'EUR',
      date_from: '2026-01-01',
      date_to: '2026-02-01',
    });
    expect([refused.status, refused.json.code]).to.deep.equal([409, 'NO_BILLING_PROFILE']);
  });
});
