/**
 * Labels as PDF: 4 by 6 inches, the tracking number as Code 128 drawn in vectors, so that any printer keeps its edges.
 */
import bwipjs from 'bwip-js/node';
import PDFDocument from 'pdfkit';
import type { Stop } from '../../../events/orders/events.js';
import type { Order } from '../../../projections/orders/queries.js';

/** Points: 72 an inch. */
const WIDTH = 288;
const HEIGHT = 432;
const MARGIN = 18;
const INSIDE = WIDTH - 2 * MARGIN;

/** One page for each package. The standard fonts know Latin letters alone: what they cannot show is printed as `?`. */
export async function labelPdf(order: Order): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: MARGIN,
    autoFirstPage: false,
    info: { Title: `Order ${order.id}` },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  order.packages.forEach(({ tracking_number, weight }, index) => {
    pdf.addPage();
    pdf.font('Helvetica-Bold').fontSize(22).text(order.type, MARGIN, MARGIN, { continued: false });
    pdf
      .font('Helvetica')
      .fontSize(9)
      .text(
        latin([`Order ${order.id}`, order.order_ref, order.schedule_date].filter(Boolean).join('  ')),
        MARGIN + 60,
        MARGIN + 2,
        { width: INSIDE - 60, align: 'right', height: 24, ellipsis: true },
      );
    pdf.text(
      [`${index + 1} / ${order.packages.length}`, weight === undefined ? undefined : `${weight} kg`]
        .filter(Boolean)
        .join('  '),
      MARGIN + 60,
      MARGIN + 14,
      { width: INSIDE - 60, align: 'right' },
    );
    line(pdf, 52);
    block(pdf, 'FROM', order.pickup, 60, 8, 70);
    line(pdf, 138);
    block(pdf, 'TO', order.delivery, 146, 12, 124);
    line(pdf, 278);
    if (order.delivery_instruction !== undefined)
      pdf
        .font('Helvetica')
        .fontSize(8)
        .text(latin(order.delivery_instruction), MARGIN, 284, { width: INSIDE, height: 30, ellipsis: true });
    barcode(pdf, tracking_number, MARGIN, 322, INSIDE, 66);
    pdf.font('Courier-Bold').fontSize(13).text(tracking_number, MARGIN, 394, { width: INSIDE, align: 'center' });
  });
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

const line = (pdf: PDFKit.PDFDocument, y: number): void =>
  void pdf
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .lineWidth(0.75)
    .stroke();

function block(
  pdf: PDFKit.PDFDocument,
  title: string,
  stop: Stop | undefined,
  y: number,
  size: number,
  height: number,
): void {
  pdf.font('Helvetica-Bold').fontSize(7).text(title, MARGIN, y);
  const lines = [
    stop?.name,
    stop?.company,
    stop?.street,
    stop?.street_2,
    [stop?.postal_code, stop?.city, stop?.region].filter(Boolean).join(' '),
    stop?.country,
    stop?.phone,
  ].filter(Boolean);
  pdf
    .font('Helvetica')
    .fontSize(size)
    .text(latin(lines.join('\n')), MARGIN + 30, y, { width: INSIDE - 30, height, ellipsis: true });
}

/** Bars and gaps in turn, in modules; a quiet zone of ten on either side. */
function barcode(pdf: PDFKit.PDFDocument, text: string, x: number, y: number, width: number, height: number): void {
  const [{ sbs }] = bwipjs.raw('code128', text, {}) as unknown as [{ sbs: readonly number[] }];
  const module = width / (sbs.reduce((sum, bar) => sum + bar, 0) + 20);
  let at = x + 10 * module;
  sbs.forEach((bar, index) => {
    if (index % 2 === 0) pdf.rect(at, y, bar * module, height);
    at += bar * module;
  });
  pdf.fill('black');
}

const latin = (text: string): string => text.normalize('NFC').replace(/[^\u0020-\u007e\u00a0-\u00ff\n]/gu, '?');
