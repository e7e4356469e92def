/** Parts of business letters on A4: figures, labels, rules, addresses and page numbers. */
import type { Draw, Printed } from './text.js';

/** In points: 72 per inch. */
export const A4 = [595.28, 841.89] as const;
export const MARGIN = 42;
export const RIGHT = A4[0] - MARGIN;
export const WIDTH = A4[0] - 2 * MARGIN;
export const BOTTOM = A4[1] - MARGIN;

const SIZE = 8;

interface FigureOptions {
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right';
}

/** Prints a Latin text in one line, smaller if it does not fit. `x` is the left edge. */
export function figure(
  pdf: PDFKit.PDFDocument,
  text: string,
  [x, y, width]: readonly [x: number, y: number, width: number],
  { size = SIZE, bold = false, align = 'left' }: FigureOptions = {},
): void {
  pdf.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  const needed = pdf.widthOfString(text);
  if (needed > width) pdf.fontSize((size * width) / needed);
  const used = Math.min(needed, width);
  pdf.text(text, align === 'right' ? x + width - used : x, y, { lineBreak: false });
}

export const rule = (pdf: PDFKit.PDFDocument, y: number, from = MARGIN, to = RIGHT): void =>
  void pdf.moveTo(from, y).lineTo(to, y).lineWidth(0.5).stroke();

interface PairBox {
  readonly x: number;
  readonly y: number;
  readonly labelWidth: number;
  readonly width: number;
  /** Absent: one line. */
  readonly height?: number;
}

/** A label and a text at its right. */
export function pair(
  pdf: PDFKit.PDFDocument,
  draw: Draw,
  [label, printed]: readonly [label: string, printed: Printed],
  { x, y, labelWidth, width, height = 12 }: PairBox,
): void {
  figure(pdf, label, [x, y + 1, labelWidth]);
  draw(printed, { x: x + labelWidth, y, width: width - labelWidth, height, size: 9 });
}

/** The number of the page is printed at its bottom, next to the number of the document. */
export const pageNumber = (pdf: PDFKit.PDFDocument, title: string, page: number, pages: number): void =>
  figure(pdf, `${title} · Page ${page} of ${pages}`, [MARGIN + 120, BOTTOM - 2, WIDTH - 120], {
    size: 7,
    align: 'right',
  });

interface Addressed {
  readonly street?: string | undefined;
  readonly street_2?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly city?: string | undefined;
  readonly region?: string | undefined;
  readonly country?: string | undefined;
}

/** The lines of an address, without those that are absent. */
export function addressOf(names: readonly (string | undefined)[], address: Addressed): Printed {
  const { street, street_2, postal_code, city, region, country } = address;
  const lines = [...names, street, street_2, [postal_code, city, region].filter(Boolean).join(' '), country];
  return { text: lines.filter(Boolean).join('\n'), country };
}
