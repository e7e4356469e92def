/** Invoices outlive the erasure of their customer until the end of their legal term; then their buyer is erased. */
import { expect } from 'chai';
import { createExpiredInvoices } from '../../../src/areas/wiring/expired-invoices.js';
import { createDatabaseBytes } from '../../../src/engines/files/bytes.js';
import { createFiles } from '../../../src/engines/files/files.js';
import { createRetentionQueries } from '../../../src/projections/invoices/retention.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { eventually } from '../../support/eventually.js';
import { query } from '../../support/worlds/database.js';
import { erasureOf } from '../../support/worlds/erasure.js';
import { openInvoicing, type Invoicing } from '../../support/worlds/invoices.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const BUYER = { name: 'SECRET-buyer', company: 'SECRET-company' };
const TEXT = 'SECRET-line';

describe('the erasure of a customer with invoices', () => {
  let clock = Date.parse('2026-03-01T10:00:00Z');
  let t: TestService;
  let of: Invoicing;
  let orderId: number;
  let invoice: { readonly id: number; readonly sha256: string };
  before(async () => {
    t = await startTestService({ now: () => clock });
    of = await openInvoicing(t);
    orderId = await of.priced([{ code: 'delivery', name: TEXT, amount: '4.00' }]);
    invoice = await of.issued(0, { buyer: BUYER });
    await of.credit(invoice.id, { lines: [{ line: 1, net: '1.00' }] });
  });
  after(() => t.stop());

  const erase = async (subject: string) => (await of.as('client_admin', `/privacy/subjects/${subject}/erase`, {})).json;
  const keptInvoices = ({ kept }: { kept: { what: string }[] }) => kept.find(({ what }) => what === 'invoices');
  /** Like the hourly sweep of the service. */
  const sweep = () =>
    createExpiredInvoices({
      retention: createRetentionQueries(t.service.engines.pool, { years: 10, now: () => clock }),
      erasing: erasureOf(t).erasing,
    })();
  const everything = async () => {
    const { text } = await of.as('auditor', `/invoices/${invoice.id}`);
    const pdf = await of.pdf(invoice.id);
    return text + Buffer.from((pdf.json?.invoice_pdf?.pdf_base64 as string | undefined) ?? '', 'base64').toString();
  };

  it('names the invoices that it keeps, with the reason and the end of their term', async () => {
    expect(keptInvoices(await erase(`order-${orderId}`))).to.deep.include({
      rule: 'wallet R14',
      invoice_count: 1,
      kept_until: '2037-01-01',
    });
    const erased = await erase(`account-${of.customer}`);
    expect(keptInvoices(erased)).to.deep.include({ invoice_count: 2, kept_until: '2037-01-01' });
    expect(keptInvoices(erased)).to.have.property('description').that.includes('INVOICE_RETENTION_YEARS');
  });

  it('leaves invoice and PDF readable during the term', async () => {
    clock = Date.parse('2036-12-31T23:00:00Z');
    expect(await sweep()).to.equal(0);
    expect(await everything())
      .to.include(BUYER.name)
      .and.include(TEXT);
    expect((await of.pdf(invoice.id)).json.invoice_pdf.sha256).to.equal(invoice.sha256);
  });

  it('destroys buyer, texts and PDF after the term, and keeps numbers and amounts', async () => {
    clock = Date.parse('2037-01-01T01:00:00Z');
    expect(await sweep(), 'invoice and credit note').to.equal(2);
    await eventually(async () => (await sweep()) === 0, 'no document is left');
    const after = await of.invoice(invoice.id);
    expect(after).to.deep.include({ number: '2026-000001', gross: '4.00', buyer: null, lines: [] });
    expect(after.tax_summary).to.deep.equal([{ tax_code: null, percent: null, net: '4.00', tax: '0.00' }]);
    expect((await of.pdf(invoice.id)).json).to.include({ status: 404, code: 'FILE_NOT_FOUND' });
    expect(await everything()).to.not.include('SECRET');
    expect((await of.credit(invoice.id)).json.code, 'its lines are unknown').to.equal('CONFLICT');
    const { pool, keyRing } = t.service.engines;
    await createFiles({ pool, bytes: createDatabaseBytes(pool), keyRing, now: () => clock }).sweep();
    const files = await query(t.databaseUrl, "select id from vault.files where subject like 'invoice-%'");
    expect(files).to.deep.equal([]);
    expect(JSON.stringify(await storedEvents(t.service.engines.log))).to.not.include('SECRET');
    await expectSameReplay(t, ['invoices']);
  });
});
