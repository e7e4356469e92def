/**
 * Labels as PDF, 4 by 6 inches. The tracking number is drawn as Code 128 in vectors, so that it is sharp on any
 * printer.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import bwipjs from 'bwip-js/node';
import { orderSubject } from '../../../events/orders/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Issue, Issued } from '../../core/printing/issue.js';
import type { Template } from '../../core/printing/template.js';
import type { Draw, Printed } from '../../core/printing/text.js';
import type { LabelAddress, LabelAddresses } from './label-addresses.js';

/** In points: 72 per inch. */
const WIDTH = 288;
const HEIGHT = 432;
const MARGIN = 18;
const CONTENT_WIDTH = WIDTH - 2 * MARGIN;

/** The content of the labels of an order. */
interface Label extends Readonly<Record<'heading' | 'from' | 'to' | 'instruction', Printed>> {
  readonly type: string;
  readonly packages: readonly { readonly tracking_number: string; readonly weight?: number | undefined }[];
}

interface Labels {
  readonly title: string;
  readonly labels: readonly Label[];
}

const LABELS: Template<Labels> = {
  kind: 'label',
  name: 'labels',
  version: 1,
  size: [WIDTH, HEIGHT],
  margin: MARGIN,
  title: ({ title }) => title,
  texts: ({ labels }) => [
    ...labels.flatMap(({ heading, from, to, instruction }) => [heading, from, to, instruction]),
    // The characters that counts and weights consist of.
    { text: '0123456789/.kg · ' },
  ],
  async draw(pdf, draw, { labels }) {
    for (const label of labels) {
      for (let page = 0; page < label.packages.length; page++) drawPage(pdf, draw, label, page);
      // Lets other requests run between the orders of a long route.
      await breathe();
    }
  },
};

/** Draws one page per package, order by order. Requires at least one order, all of one business. Throws NO_FONT. */
export const issueLabels = (
  issue: Issue,
  orders: readonly Order[],
  addressesOf: (order: Order) => LabelAddresses,
  title: string,
  context: Parameters<Issue>[3],
): Promise<Issued> =>
  issue(
    LABELS,
    { title, labels: orders.map((order) => labelOf(order, addressesOf(order))) },
    {
      business: orders[0]!.business,
      subjects: orders.map(({ id }) => orderSubject(id)),
      at: orders
        .map(({ created_at }) => created_at)
        .sort()
        .at(-1)!,
    },
    context,
  );

function labelOf(order: Order, { from, to }: LabelAddresses): Label {
  return {
    type: order.type,
    packages: order.packages.map(({ tracking_number, weight }) => ({ tracking_number, weight })),
    heading: { text: [`Order ${order.id}`, order.order_ref, order.schedule_date].filter(Boolean).join(' · ') },
    from: addressOf(from),
    to: addressOf(to),
    instruction: { text: order.delivery_instruction ?? '', country: (order.delivery ?? order.pickup)?.country },
  };
}

function drawPage(
  pdf: PDFKit.PDFDocument,
  draw: Draw,
  { type, packages, heading, from, to, instruction }: Label,
  page: number,
): void {
  const { tracking_number, weight } = packages[page]!;
  const right = { x: MARGIN + 60, width: CONTENT_WIDTH - 60, size: 9, align: 'right' } as const;
  pdf.addPage();
  pdf.font('Helvetica-Bold').fontSize(22).text(type, MARGIN, MARGIN, { lineBreak: false });
  draw(heading, { ...right, y: MARGIN, height: 12 });
  const count = [`${page + 1} / ${packages.length}`, weight === undefined ? undefined : `${weight} kg`];
  draw({ text: count.filter(Boolean).join(' · ') }, { ...right, y: MARGIN + 14, height: 12 });
  line(pdf, 52);
  block(pdf, draw, 'FROM', from, 60, 8, 74);
  line(pdf, 138);
  block(pdf, draw, 'TO', to, 146, 12, 128);
  line(pdf, 278);
  draw(instruction, { x: MARGIN, y: 284, width: CONTENT_WIDTH, height: 32, size: 8 });
  barcode(pdf, tracking_number, MARGIN, 322, CONTENT_WIDTH, 66);
  pdf.font('Courier-Bold').fontSize(13).text(tracking_number, MARGIN, 394, { width: CONTENT_WIDTH, align: 'center' });
}

const line = (pdf: PDFKit.PDFDocument, y: number): void =>
  void pdf
    .moveTo(MARGIN, y)
    .lineTo(WIDTH - MARGIN, y)
    .lineWidth(0.75)
    .stroke();

function block(
  pdf: PDFKit.PDFDocument,
  draw: Draw,
  title: string,
  address: Printed,
  y: number,
  size: number,
  height: number,
): void {
  pdf.font('Helvetica-Bold').fontSize(7).text(title, MARGIN, y, { lineBreak: false });
  draw(address, { x: MARGIN + 30, y, width: CONTENT_WIDTH - 30, height, size });
}

function addressOf(stop: LabelAddress): Printed {
  const lines = [
    stop.name,
    stop.company,
    stop.street,
    stop.street_2,
    [stop.postal_code, stop.city, stop.region].filter(Boolean).join(' '),
    stop.country,
    stop.phone,
  ];
  return { text: lines.filter(Boolean).join('\n'), country: stop.country };
}

/** `sbs` has the widths of alternating bars and gaps, in modules. A quiet zone of ten modules is on either side. */
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
