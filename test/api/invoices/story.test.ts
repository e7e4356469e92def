/** Invoices and credit notes over real HTTP: issue, read, download, correct, and invoice again. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { documentStream } from '../../../src/events/documents/events.js';
import { ALWAYS, openInvoicing, type Invoicing } from '../../support/worlds/invoices.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('invoices', () => {
  // Near midnight on 31 December in Berlin, the timezone of the demo business.
  let clock = Date.parse('2026-12-30T10:00:00Z');
  let t: TestService;
  let of: Invoicing;
  let keyOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService({ now: () => clock });
    of = await openInvoicing(t);
    keyOf = signIns(t);
  });
  after(() => t.stop());

  const issuedDocument = async (hash: string) => {
    for await (const { type, data } of t.service.engines.log.read(documentStream(hash))) return { type, data };
    return undefined;
  };

  it('contain the charges of the period that were not invoiced, and change the bills', async () => {
    const [first, second] = [await of.priced(), await of.priced([{ code: 'express', name: 'Eilig', amount: '7.5' }])];
    const free = await of.priced([{ code: 'free', amount: '0.00' }]);
    expect(await of.bill(first)).to.include({ is_invoiced: false, invoice_id: null });
    const { status, json, text } = await of.issue({ due_days: 10 });
    expect(status, text).to.equal(201);
    const { invoice } = json;
    expect(invoice).to.deep.include({
      number: '2026-000001',
      series_number: 1,
      kind: 'invoice',
      customer_id: of.customer,
      families: ['local_delivery'],
      issue_date: '2026-12-30',
      due_date: '2027-01-09',
      ...ALWAYS,
      line_count: 2,
      currency: 'EUR',
      net: '17.50',
      tax: '1.90',
      gross: '19.40',
      paid_amount: '0.00',
      due_amount: '19.40',
      credited_amount: '0.00',
      corrected_invoice_id: null,
      reason: null,
    });
    expect(invoice.lines).to.deep.equal([
      {
        line: 1,
        order_id: first,
        line_date: '2026-12-30',
        text: 'Delivery',
        net: '10.00',
        tax_code: 'vat',
        tax: '1.90',
        gross: '11.90',
      },
      {
        line: 2,
        order_id: second,
        line_date: '2026-12-30',
        text: 'Eilig',
        net: '7.50',
        tax_code: null,
        tax: '0.00',
        gross: '7.50',
      },
    ]);
    expect(invoice.tax_summary).to.deep.equal([
      { tax_code: 'vat', percent: null, net: '10.00', tax: '1.90' },
      { tax_code: null, percent: null, net: '7.50', tax: '0.00' },
    ]);
    expect(invoice.seller).to.deep.include({ legal_name: 'Demo Logistics GmbH', tax_ids: [] });
    expect(invoice.buyer.email).to.equal(t.demo.users.customer.email);
    for (const id of [first, second]) {
      expect(await of.bill(id)).to.include({ is_invoiced: true, invoice_id: invoice.id });
      expect((await of.as('customer', `/orders/${id}`)).json.order.invoice_id).to.equal(invoice.id);
    }
    expect(await of.bill(free)).to.include({ is_invoiced: false, invoice_id: null });
    const listed = async (filter: string) =>
      (await of.as('auditor', `/bills?is_invoiced=${filter}`)).json.bills.map(
        ({ order_id }: { order_id: number }) => order_id,
      );
    expect(await listed('true')).to.deep.equal([second, first]);
    expect(await listed('false')).to.deep.equal([free]);
    const again = await of.issue();
    expect([again.status, again.json.code, again.json.message]).to.deep.equal([
      409,
      'NOTHING_DUE',
      'The period has no charges of the customer that can be invoiced.',
    ]);
  });

  it('state the amount that is already paid', async () => {
    const order = await of.priced();
    await of.as('employee', `/orders/${order}/payments`, { amount: '5.00', method: 'cash' });
    const invoice = await of.issued(0);
    expect(invoice).to.include({ gross: '11.90', paid_amount: '5.00', due_amount: '6.90' });
  });

  it('are read by the office and by their customer, with the PDF that was created at the issue', async () => {
    const { id, sha256: hash } = await of.issued();
    const documents = await Promise.all(
      (['client_admin', 'employee', 'auditor', 'customer'] as const).map(async (user) => {
        expect((await of.invoice(id, user)).number, user).to.match(/^2026-/);
        const { json } = await of.pdf(id, user);
        return Buffer.from(json.invoice_pdf.pdf_base64 as string, 'base64');
      }),
    );
    expect(documents.map(sha256)).to.deep.equal([hash, hash, hash, hash]);
    const response = await fetch(`${t.url}/api/v1/invoices/${id}/pdf`, {
      headers: { authorization: `Bearer ${await keyOf('customer')}`, accept: 'application/pdf' },
    });
    expect(response.headers.get('content-disposition')).to.equal('attachment; filename="invoice-2026-000003.pdf"');
    expect(sha256(Buffer.from(await response.arrayBuffer()))).to.equal(hash);
    const document = await issuedDocument(hash);
    expect(document?.data).to.include({ kind: 'invoice', sha256: hash, business: 1 });
  });

  it('are corrected by credit notes of the same series, and their orders can then be invoiced again', async () => {
    const invoice = await of.issued(2);
    const [one, two] = invoice.lines as { order_id: number }[];
    const part = await of.credit(invoice.id, { lines: [{ line: 1, net: '4.00' }], reason: 'Too late' });
    expect(part.status, part.text).to.equal(201);
    expect(part.json.invoice).to.deep.include({
      kind: 'credit_note',
      corrected_invoice_id: invoice.id,
      series_number: invoice.series_number + 1,
      net: '4.00',
      tax: '0.76',
      gross: '4.76',
      reason: 'Too late',
      due_date: null,
      paid_amount: null,
    });
    expect((await of.invoice(invoice.id)).credited_amount).to.equal('4.76');
    expect(await of.bill(one!.order_id)).to.include({ invoice_id: invoice.id });
    const above = await of.credit(invoice.id, { lines: [{ line: 1, net: '6.01' }] });
    expect([above.status, above.json.code]).to.deep.equal([409, 'CONFLICT']);
    const rest = await of.credit(invoice.id);
    expect(rest.json.invoice).to.include({ gross: '19.04', line_count: 2 });
    expect((await of.credit(invoice.id)).json.code, 'nothing is left').to.equal('CONFLICT');
    expect((await of.credit(rest.json.invoice_id)).json.code, 'a credit note').to.equal('CONFLICT');
    expect((await of.invoice(invoice.id)).credited_amount).to.equal(invoice.gross);
    await of.as('employee', `/orders/${one!.order_id}/charges`, { lines: [{ code: 'less', amount: '6.00' }] }, 'PUT');
    const corrected = await of.issued(0);
    expect(
      corrected.lines.map(({ order_id, gross }: { order_id: number; gross: string }) => [order_id, gross]),
    ).to.deep.equal([
      [one!.order_id, '6.00'],
      [two!.order_id, '11.90'],
    ]);
    const notes = await of.as('customer', `/invoices?kind=credit_note&corrected_invoice_id=${invoice.id}`);
    expect(notes.json.invoices.map(({ gross }: { gross: string }) => gross)).to.deep.equal(['19.04', '4.76']);
    expect(notes.json.invoices[0]).to.not.have.any.keys('lines', 'buyer', 'reason');
  });

  it('stay the same when a bill changes, and name the orders of its charges', async () => {
    const { id, lines, gross } = await of.issued();
    await of.as(
      'employee',
      `/orders/${lines[0].order_id}/charges`,
      { lines: [{ code: 'more', amount: '99.00' }] },
      'PUT',
    );
    await of.as('client_admin', `/orders/${lines[0].order_id}/cancel`, {});
    expect(await of.invoice(id)).to.include({ gross });
    expect((await of.issue()).json.code, 'the new price needs a credit note first').to.equal('NOTHING_DUE');
  });

  it('begin with 1 again in the next year of the business', async () => {
    clock = Date.parse('2026-12-31T22:59:00Z');
    expect((await of.issued()).number).to.match(/^2026-/);
    clock = Date.parse('2026-12-31T23:01:00Z');
    const first = await of.issued();
    expect(first).to.include({ number: '2027-000001', issue_date: '2027-01-01' });
    clock = Date.parse('2026-12-31T22:59:30Z');
    expect(await of.issued(), 'the clock of another process is late').to.include({
      number: '2027-000002',
      issue_date: '2027-01-01',
    });
    clock = Date.parse('2027-02-01T10:00:00Z');
  });

  it('are numbered without gaps, and are equal after a replay', async () => {
    const { json } = await of.as('auditor', '/invoices?per_page=200');
    const numbers = (year: string) =>
      json.invoices
        .filter(({ number }: { number: string }) => number.startsWith(year))
        .map(({ series_number: n }: { series_number: number }) => n)
        .reverse();
    expect(numbers('2026')).to.deep.equal(Array.from({ length: numbers('2026').length }, (_, index) => index + 1));
    expect(numbers('2027')).to.deep.equal([1, 2]);
    await expectSameReplay(t, ['invoices']);
  });
});
