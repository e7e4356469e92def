/** Lines of invoices and credit notes: their sums equal those of the bills, to the cent. */
import { expect } from 'chai';
import fc from 'fast-check';
import { creditOf } from '../../../src/commands/invoices/crediting.js';
import { invoiceLines, totalsOf } from '../../../src/commands/invoices/lines.js';
import type { DomainError } from '../../../src/commands/core/domain-error.js';
import type { Charge } from '../../../src/events/bill/events.js';
import { compare, decimal, rounded } from '../../../src/events/core/money.js';
import type { InvoiceLine } from '../../../src/events/invoices/events.js';
import { runs } from '../../support/depth.js';

const charge = (code: string, amount: string, more: Partial<Charge> = {}): Charge => ({
  code,
  kind: 'charge',
  amount,
  taxable: false,
  ...more,
});
const base = (amount: string, taxable = true) => charge('base', amount, { kind: 'base', taxable });
const tax = (code: string, amount: string, percent?: string, is_included?: true): Charge =>
  charge(code, amount, {
    kind: 'tax',
    tax_code: code,
    ...(percent !== undefined && { basis: { percent } }),
    ...(is_included && { is_included }),
  });
const linesOf = (charges: readonly Charge[], currency = 'EUR'): InvoiceLine[] =>
  invoiceLines(
    [{ order_id: 5, bill_version: 2, date: '2026-03-01', family: 'local_delivery', charges }],
    currency,
    (_order, { code }) => code,
  );
const amounts = ({ net, tax, gross, text }: InvoiceLine) => [text, net, tax, gross];
const total = (charges: readonly Charge[]): string =>
  charges.reduce((sum, { amount, is_included }) => (is_included ? sum : sum.plus(amount)), decimal('0')).toFixed(2);

describe('lines of an invoice', () => {
  it('separate charges with a tax from those without', () => {
    const charges = [base('10.00'), charge('toll', '3.00'), tax('vat', '1.90', '19')];
    const lines = linesOf(charges);
    expect(lines.map(amounts)).to.deep.equal([
      ['base', '10.00', '1.90', '11.90'],
      ['toll', '3.00', '0.00', '3.00'],
    ]);
    expect(lines.map(({ line, order_id, bill_version }) => [line, order_id, bill_version])).to.deep.equal([
      [1, 5, 2],
      [2, 5, 2],
    ]);
    expect(totalsOf(lines, 'EUR')).to.deep.equal({
      net: '13.00',
      tax: '1.90',
      gross: '14.90',
      tax_summary: [
        { tax_code: 'vat', percent: '19', net: '10.00', tax: '1.90' },
        { net: '3.00', tax: '0.00' },
      ],
    });
  });

  it('apply a tax of the office to all its charges', () => {
    const lines = linesOf([charge('delivery', '10.00'), charge('discount', '-1.00'), tax('vat', '1.71')]);
    expect(lines.map(amounts)).to.deep.equal([['delivery, discount', '9.00', '1.71', '10.71']]);
    expect(lines[0]!.taxes).to.deep.equal([{ tax_code: 'vat', amount: '1.71' }]);
  });

  it('subtract a tax that the charges include, and list several taxes', () => {
    expect(linesOf([base('11.90'), tax('vat', '1.90', '19', true)]).map(amounts)).to.deep.equal([
      ['base', '10.00', '1.90', '11.90'],
    ]);
    const [line] = linesOf([base('100.00'), tax('gst', '5.00', '5'), tax('pst', '7.00', '7')]);
    expect(amounts(line!)).to.deep.equal(['base', '100.00', '12.00', '112.00']);
    expect(totalsOf([line!], 'EUR').tax_summary.map(({ tax_code, net }) => [tax_code, net])).to.deep.equal([
      ['gst', '100.00'],
      ['pst', '100.00'],
    ]);
  });

  it('omit groups that cost nothing, and shorten long texts', () => {
    expect(linesOf([base('0.00'), charge('toll', '3.00')]).map(({ text }) => text)).to.deep.equal(['toll']);
    const long = Array.from({ length: 40 }, (_, n) => charge(`charge-${n}`, '1.00'));
    expect(linesOf(long)[0]!.text).to.match(/…$/).and.to.have.length(120);
  });

  it('have the digits of the currency', () => {
    expect(linesOf([charge('a', '1250')], 'JPY').map(amounts)).to.deep.equal([['a', '1250', '0', '1250']]);
  });

  const cents = fc.integer({ min: -5_000, max: 50_000 }).map((value) => (value / 100).toFixed(2));
  const anyCharge = fc
    .record({ amount: cents, kind: fc.constantFrom('taxable', 'untaxed', 'tax', 'included') })
    .map(({ amount, kind }): Charge => {
      if (kind === 'tax') return tax('vat', amount, '19');
      if (kind === 'included') return tax('gst', amount, '5', true);
      return charge('delivery', amount, { taxable: kind === 'taxable' });
    });
  const charges = fc.array(anyCharge, { minLength: 1, maxLength: 6 });

  it('have the sum of the bill, whatever its charges', () => {
    fc.assert(
      fc.property(charges, (all) => {
        expect(totalsOf(linesOf(all), 'EUR').gross).to.equal(rounded(total(all), 'EUR'));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('credit notes', () => {
  const INVOICE = linesOf([base('10.00'), charge('toll', '3.00'), tax('vat', '1.90', '19')]);
  const credit = (credited: readonly InvoiceLine[], requested?: { line: number; net?: string }[], lines = INVOICE) =>
    creditOf({ currency: 'EUR', lines, credited, requested });
  const refusal = (...args: Parameters<typeof credit>) => {
    try {
      credit(...args);
    } catch (error) {
      return (error as DomainError).code;
    }
    return undefined;
  };

  it('credit the whole invoice, and release its orders', () => {
    expect(credit([])).to.deep.equal({ lines: INVOICE, released: [5] });
  });

  it('credit a part of a line with the same part of its tax, and then the rest', () => {
    const first = credit([], [{ line: 1, net: '3.33' }]);
    expect(first.lines.map(amounts)).to.deep.equal([['base', '3.33', '0.63', '3.96']]);
    expect(first.released).to.deep.equal([]);
    const second = credit(first.lines);
    expect(second.lines.map(amounts)).to.deep.equal([
      ['base', '6.67', '1.27', '7.94'],
      ['toll', '3.00', '0.00', '3.00'],
    ]);
    expect(second.released).to.deep.equal([5]);
  });

  it('never exceed the invoice', () => {
    expect(refusal([], [{ line: 1, net: '10.01' }])).to.equal('CONFLICT');
    expect(refusal([], [{ line: 1, net: '-1.00' }])).to.equal('CONFLICT');
    expect(refusal([], [{ line: 1, net: '0.00' }])).to.equal('CONFLICT');
    expect(refusal([], [{ line: 9 }])).to.equal('CONFLICT');
    expect(refusal(INVOICE)).to.equal('CONFLICT');
    const { lines } = credit([], [{ line: 1, net: '4.00' }]);
    expect(refusal(lines, [{ line: 1, net: '6.01' }])).to.equal('CONFLICT');
    expect(refusal(lines, [{ line: 1, net: '6.00' }])).to.equal(undefined);
  });

  it('credit a discount with its sign', () => {
    const lines = linesOf([charge('discount', '-2.00')]);
    expect(refusal([], [{ line: 1, net: '1.00' }], lines)).to.equal('CONFLICT');
    expect(credit([], [{ line: 1, net: '-1.50' }], lines).lines.map(amounts)).to.deep.equal([
      ['discount', '-1.50', '0.00', '-1.50'],
    ]);
  });

  it('in any parts have the sums of the invoice', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 6 });
    fc.assert(
      fc.property(parts, (sizes) => {
        let credited: InvoiceLine[] = [];
        for (const size of sizes) {
          const net = (size / 100).toFixed(2);
          const left = totalsOf(credited, 'EUR').net;
          if (compare(decimal(left).plus(net).toFixed(2), '9.99') > 0) break;
          credited = [...credited, ...credit(credited, [{ line: 1, net }]).lines];
        }
        const all = totalsOf([...credited, ...credit(credited).lines], 'EUR');
        const { net, tax: taxes, gross } = totalsOf(INVOICE, 'EUR');
        expect([all.net, all.tax, all.gross]).to.deep.equal([net, taxes, gross]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
