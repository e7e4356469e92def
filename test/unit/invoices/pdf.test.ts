/** The PDF of an invoice: equal content gives equal bytes, on one page or on many, in the scripts of all languages. */
import { expect } from 'chai';
import { printedInvoice, type Printable } from '../../../src/api/areas/invoices/content.js';
import { INVOICE_TEMPLATE } from '../../../src/api/areas/invoices/template.js';
import { totalsOf } from '../../../src/commands/invoices/lines.js';
import type { InvoiceLine } from '../../../src/events/invoices/events.js';
import { atDepth } from '../../support/depth.js';
import { createMemoryLog } from '../../support/fakes/memory-log.js';
import { createTestIssue, keysInMemory } from '../../support/worlds/document-issue.js';

const line = (number: number, text = 'Base price, Fuel'): InvoiceLine => ({
  line: number,
  order_id: 1_000 + number,
  bill_version: 1,
  date: '2026-03-01',
  family: 'local_delivery',
  text,
  net: '9.30',
  taxes: [{ tax_code: 'vat', percent: '19', amount: '1.77' }],
  tax: '1.77',
  gross: '11.07',
});
const invoiceOf = (lines: readonly InvoiceLine[], more: Partial<Printable> = {}): Printable => ({
  kind: 'invoice',
  business: 1,
  year: 2026,
  series_number: 17,
  customer_id: 6,
  currency: 'EUR',
  ...totalsOf(lines, 'EUR'),
  seller: {
    legal_name: 'Demo Logistics GmbH',
    address: { street: 'Westhafenstraße 1', city: 'Berlin', country: 'DE' },
    tax_ids: ['DE123456789'],
    bank_details: { account_holder: 'Demo Logistics GmbH', iban: 'DE89370400440532013000' },
  },
  buyer: { name: 'Ada Lovelace', street: '12 Analytical Road', city: 'London', country: 'GB' },
  issued_at: '2026-03-02T10:00:00.000Z',
  issued_on: '2026-03-02',
  date_from: '2026-03-01',
  date_to: '2026-03-31',
  due_date: '2026-03-16',
  paid: '1.00',
  lines,
  ...more,
});
const ABOUT = { business: 1, subjects: ['invoice-1-2026-17'], at: '2026-03-02T10:00:00.000Z' };

describe('the PDF of an invoice', () => {
  const keyRing = keysInMemory();
  const draw = (of: Printable) =>
    createTestIssue(createMemoryLog(), { keyRing }).draw(INVOICE_TEMPLATE, printedInvoice(of)!, ABOUT);

  it('has the same bytes whatever the order of the members of its event', async () => {
    const of = invoiceOf([line(1)]);
    const other = Object.fromEntries(Object.entries(of).reverse()) as unknown as Printable;
    const [one, two] = [await draw(of), await draw(other)];
    expect(two.content.equals(one.content)).to.equal(true);
    expect(one.fingerprint).to.include({ kind: 'invoice', pages: 1, bytes: one.content.length });
  });

  it('contains its data as an attached JSON file', async () => {
    const of = invoiceOf([line(1), line(2)]);
    const text = (await draw(of)).content.toString('utf8');
    expect(text)
      .to.include('/EmbeddedFile')
      .and.to.include(JSON.stringify(printedInvoice(of)));
    expect(text).to.include('(invoice-2026-000017.json)').and.to.include('/AFRelationship');
  });

  it('prints names and addresses in the scripts of all languages', async () => {
    for (const buyer of [
      { name: '株式会社ラブレス', city: '東京都', country: 'JP' },
      { name: '上海物流有限公司', street: '南京东路 1 号', country: 'CN' },
      { name: '臺北物流', city: '臺北市', country: 'TW' },
      { name: 'José Núñez Œuvre Straße', city: 'Łódź', country: 'PL' },
    ])
      expect((await draw(invoiceOf([line(1, buyer.name)], { buyer }))).fingerprint.pages).to.equal(1);
  });

  it('refuses characters without a font', async () => {
    const of = invoiceOf([line(1)], { buyer: { name: 'ۓ' } });
    const error = await draw(of).then(
      () => undefined,
      (reason: { code: string }) => reason.code,
    );
    expect(error).to.equal('NO_FONT');
  });

  it('differs for each member that it shows', async () => {
    const hashes = [
      invoiceOf([line(1)]),
      invoiceOf([line(1)], { series_number: 18 }),
      invoiceOf([line(1)], { paid: '2.00' }),
      invoiceOf([line(1)], { due_date: '2026-03-17' }),
      invoiceOf([line(1)], { buyer: {} }),
      invoiceOf([line(1)], { kind: 'credit_note', of_year: 2026, of_series_number: 3, reason: 'Late', paid: null }),
      invoiceOf([line(1), line(2)]),
    ].map(async (of) => (await draw(of)).fingerprint.sha256);
    expect(new Set(await Promise.all(hashes)).size).to.equal(7);
  });

  it('has as many pages as its lines need, and the totals on the last one', async () => {
    const count = atDepth(10_000, 400);
    const lines = Array.from({ length: count }, (_, index) =>
      line(index + 1, index % 7 === 0 ? 'A long text of the office about the delivery of a parcel' : undefined),
    );
    const { content, fingerprint } = await draw(invoiceOf(lines));
    expect(fingerprint.pages).to.be.greaterThan(count / 60);
    expect(content.toString('latin1').match(/\/Type \/Page\b/g)).to.have.length(fingerprint.pages);
  });

  it('no longer exists when its lines are erased', () => {
    const { lines: _lines, ...erased } = invoiceOf([line(1)]);
    expect(printedInvoice(erased)).to.equal(undefined);
  });
});
