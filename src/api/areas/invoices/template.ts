/** The PDF of an invoice or a credit note: A4, with its data as an attached JSON file. */
import { setImmediate as breathe } from 'node:timers/promises';
import { isPositive, sum } from '../../../events/core/money.js';
import type { InvoiceLine } from '../../../events/invoices/events.js';
import {
  A4,
  addressOf,
  BOTTOM,
  figure,
  MARGIN,
  pageNumber,
  pair,
  RIGHT,
  rule,
  WIDTH,
} from '../../core/printing/sheet.js';
import type { Template } from '../../core/printing/template.js';
import type { Draw, Printed } from '../../core/printing/text.js';
import type { PrintedInvoice } from './content.js';

const TITLES = { invoice: 'Invoice', credit_note: 'Credit note' } as const;
/** Space above the first line on the first page, and on the others. */
const FIRST_TOP = 262;
const NEXT_TOP = 70;
const LINES_END = BOTTOM - 22;
const ROW = 13;
/** Height of a row whose text needs a second line. */
const TALL_ROW = 23;
/** Number of narrow characters in a row; others count twice. */
const ROW_CHARACTERS = 38;
const SUMMARY_ROW = 13;
const MAX_TAXES = 30;

/** Columns from left to right. The text fills the rest. */
const COLUMNS = [
  ['No.', 26, 'left'],
  ['Order', 46, 'left'],
  ['Date', 50, 'left'],
  ['Description', WIDTH - 346, 'left'],
  ['Net', 62, 'right'],
  ['Tax rate', 42, 'right'],
  ['Tax', 56, 'right'],
  ['Gross', 64, 'right'],
] as const;
const GAP = 4;

interface Page {
  readonly lines: readonly InvoiceLine[];
  readonly top: number;
  /** Where the last line ends. */
  readonly end: number;
}

export const INVOICE_TEMPLATE: Template<PrintedInvoice> = {
  kind: 'invoice',
  name: 'invoice',
  version: 1,
  size: A4,
  margin: MARGIN,
  title: ({ kind, number }) => `${TITLES[kind]} ${number}`,
  texts: (invoice) => [
    sellerOf(invoice),
    buyerOf(invoice),
    ...factsOf(invoice).map(([, printed]) => printed),
    ...paymentOf(invoice).map(([, printed]) => printed),
    ...invoice.lines.map((line) => textOf(line, invoice)),
  ],
  async draw(pdf, draw, invoice) {
    const pages = pagesOf(invoice);
    for (const [index, page] of pages.entries()) {
      pdf.addPage();
      if (index === 0) drawHead(pdf, draw, invoice);
      drawLines(pdf, draw, page, invoice);
      if (index === pages.length - 1) drawTotals(pdf, draw, page.end + 10, invoice);
      pageNumber(pdf, INVOICE_TEMPLATE.title(invoice), index + 1, pages.length);
      // Lets other requests run between the pages of a long invoice.
      await breathe();
    }
    const issued = new Date(invoice.issued_at);
    pdf.file(Buffer.from(JSON.stringify(invoice)), {
      name: `${invoice.kind}-${invoice.number}.json`,
      type: 'application/json',
      creationDate: issued,
      modifiedDate: issued,
    });
  },
};

/** Distributes the lines so that the totals fit on the last page. */
function pagesOf(invoice: PrintedInvoice): Page[] {
  const totals = totalsHeight(invoice);
  const pages: Page[] = [];
  let [from, top] = [0, FIRST_TOP];
  let y = top;
  invoice.lines.forEach((line, index) => {
    const height = heightOf(line);
    if (y + height > LINES_END) {
      pages.push({ lines: invoice.lines.slice(from, index), top, end: y });
      [from, top] = [index, NEXT_TOP];
      y = top;
    }
    y += height;
  });
  pages.push({ lines: invoice.lines.slice(from), top, end: y });
  if (y + totals > LINES_END) pages.push({ lines: [], top: NEXT_TOP, end: NEXT_TOP });
  return pages;
}

/** Characters of East Asian scripts are about twice as wide as Latin ones. */
const heightOf = ({ text }: InvoiceLine): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0) > ROW_CHARACTERS ? TALL_ROW : ROW;

function drawHead(pdf: PDFKit.PDFDocument, draw: Draw, invoice: PrintedInvoice): void {
  figure(pdf, TITLES[invoice.kind], [MARGIN, MARGIN, 250], { size: 20, bold: true });
  draw(sellerOf(invoice), { x: RIGHT - 220, y: MARGIN, width: 220, height: 84, size: 9, align: 'right' });
  figure(pdf, 'BILL TO', [MARGIN, 140, 200], { size: 7, bold: true });
  draw(buyerOf(invoice), { x: MARGIN, y: 152, width: 250, height: 88, size: 10 });
  factsOf(invoice).forEach((fact, index, { length }) => {
    const y = 140 + index * 14;
    // The last one, which may be a reason, gets the rest of the space.
    const height = index === length - 1 ? FIRST_TOP - 22 - y : 12;
    pair(pdf, draw, fact, { x: RIGHT - 220, y, labelWidth: 60, width: 220, height });
  });
}

function drawLines(pdf: PDFKit.PDFDocument, draw: Draw, { lines, top }: Page, invoice: PrintedInvoice): void {
  if (lines.length === 0) return;
  row(
    pdf,
    top - 16,
    COLUMNS.map(([title]) => title),
    true,
  );
  rule(pdf, top - 4);
  let y = top;
  for (const line of lines) {
    const rates = line.taxes.map(({ percent, tax_code }) => (percent === undefined ? tax_code : `${percent} %`));
    const { line: number, order_id, date, net, tax, gross } = line;
    row(pdf, y + 2, [String(number), String(order_id), date, '', net, rates.join(' + '), tax, gross]);
    const [x, width] = columnAt(3);
    const height = heightOf(line);
    draw(textOf(line, invoice), { x, y: y + 0.5, width, height: height - 2, size: 8 });
    y += height;
  }
  rule(pdf, y + 2);
}

/** The left edge and the width of a column. */
function columnAt(index: number): readonly [x: number, width: number] {
  const before = COLUMNS.slice(0, index).reduce((sum, [, width]) => sum + width, 0);
  return [MARGIN + before, COLUMNS[index]![1] - GAP];
}

function row(pdf: PDFKit.PDFDocument, y: number, texts: readonly string[], bold = false): void {
  texts.forEach((text, index) => {
    const [x, width] = columnAt(index);
    const align = COLUMNS[index]![2];
    if (text !== '') figure(pdf, text, [align === 'right' ? x + GAP : x, y, width], { align, bold });
  });
}

/** Taxes by code, sums, and the amount due. */
function drawTotals(pdf: PDFKit.PDFDocument, draw: Draw, top: number, invoice: PrintedInvoice): void {
  figure(pdf, 'TAXES', [MARGIN, top, 100], { size: 7, bold: true });
  taxesOf(invoice).forEach(([label, base, tax], index) => {
    const y = top + 12 + index * SUMMARY_ROW;
    figure(pdf, label, [MARGIN, y, 110]);
    figure(pdf, base, [MARGIN + 112, y, 74], { align: 'right' });
    figure(pdf, tax, [MARGIN + 190, y, 60], { align: 'right' });
  });
  sumsOf(invoice).forEach(([label, amount], index, { length }) => {
    const y = top + index * 15;
    const bold = index === length - 1;
    figure(pdf, label, [RIGHT - 220, y, 110], { size: 9, bold });
    figure(pdf, `${amount} ${invoice.currency}`, [RIGHT - 108, y, 108], { size: 9, bold, align: 'right' });
  });
  const below = top + sumsHeight(invoice) + 12;
  paymentOf(invoice).forEach((one, index) =>
    pair(pdf, draw, one, { x: MARGIN, y: below + index * 14, labelWidth: 90, width: WIDTH }),
  );
}

const sumsHeight = (invoice: PrintedInvoice): number =>
  Math.max(12 + taxesOf(invoice).length * SUMMARY_ROW, sumsOf(invoice).length * 15);
const totalsHeight = (invoice: PrintedInvoice): number => 34 + sumsHeight(invoice) + paymentOf(invoice).length * 14;

/** One row for each tax. Those that do not fit on the page are added up; the attached data has all of them. */
function taxesOf({ tax_summary, currency }: PrintedInvoice): (readonly [label: string, base: string, tax: string])[] {
  const rows = tax_summary.map(({ tax_code = 'No tax', percent, net, tax }): readonly [string, string, string] => [
    percent === undefined ? tax_code : `${tax_code} ${percent} %`,
    `on ${net}`,
    tax,
  ]);
  if (rows.length <= MAX_TAXES) return rows;
  const others = tax_summary.slice(MAX_TAXES).map(({ tax }) => ({ amount: tax, currency }));
  return [...rows.slice(0, MAX_TAXES), ['Other taxes', '', sum({ amount: '0', currency }, ...others).amount]];
}

function sumsOf({ kind, net, tax, gross, paid, due }: PrintedInvoice): readonly (readonly [string, string])[] {
  const sums = [
    ['Net', net],
    ['Tax', tax],
  ] as const;
  if (kind === 'credit_note') return [...sums, ['Credited', gross]];
  return [
    ...sums,
    ['Total', gross],
    ...(paid === null || due === null
      ? []
      : ([
          ['Paid', paid],
          ['Amount due', due],
        ] as const)),
  ];
}

function sellerOf({ seller: { legal_name, address, tax_ids } }: PrintedInvoice): Printed {
  const { text, country } = addressOf([legal_name], address);
  return { text: [text, ...tax_ids].join('\n'), country };
}

/** A customer without a name is named by its number. */
function buyerOf({ buyer, customer_id }: PrintedInvoice): Printed {
  const { name, company, email, tax_id } = buyer;
  const { text, country } = addressOf([company, name ?? (company ? undefined : `Customer ${customer_id}`)], buyer);
  return { text: [text, tax_id, email].filter(Boolean).join('\n'), country };
}

const textOf = ({ text }: InvoiceLine, { buyer, seller }: PrintedInvoice): Printed => ({
  text,
  country: seller.address.country ?? buyer.country,
});

type Fact = readonly [label: string, printed: Printed];
const given = (facts: readonly (readonly [string, string | null])[]): Fact[] =>
  facts.flatMap(([label, text]) => (text === null ? [] : [[label, { text }] as const]));

/** What identifies the document, next to the buyer. */
const factsOf = (invoice: PrintedInvoice): Fact[] =>
  given([
    ['Number', invoice.number],
    ['Date', invoice.issued_on],
    ['Customer', String(invoice.customer_id)],
    ['Period', invoice.date_from === null ? null : `${invoice.date_from} – ${invoice.date_to}`],
    ['Due', invoice.due_date],
    ['Corrects', invoice.corrects === null ? null : `Invoice ${invoice.corrects}`],
    ['Reason', invoice.reason],
  ]);

/** How to pay. Nothing if everything is paid, and for credit notes. */
function paymentOf({ due, number, seller: { bank_details: bank } }: PrintedInvoice): Fact[] {
  if (due === null || !isPositive(due) || !bank) return [];
  return given([
    ['Account holder', bank.account_holder],
    ['IBAN', bank.iban ?? null],
    ['BIC', bank.bic ?? null],
    ['Account', bank.account_number ?? null],
    ['Bank code', bank.bank_code ?? null],
    ['Bank', bank.bank_name ?? null],
    ['Payment reference', number],
  ]);
}
