/**
 * Writes a label as PDF: bars and rules as vectors, texts in embedded fonts. Equal labels result in equal bytes.
 * Therefore it uses no clock, no random numbers and no compression.
 */
import { hash } from 'node:crypto';
import type { Typeset } from './typeset.js';

/** Identifies a PDF whose fingerprint is recorded. */
export interface LabelStamp {
  /** Document number, printed in small type at the top of the page. */
  readonly number: string;
  /** 16 bytes. They make the hash of the file impossible to guess from the data of the label. */
  readonly fileId: Uint8Array;
}

export interface PdfOptions {
  readonly title: string;
  /** `YYYY-MM-DD`: the creation date in the file. */
  readonly date: string;
  readonly stamp?: LabelStamp | undefined;
}

const POINTS_PER_MM = 72 / 25.4;
const NUMBER_SIZE = 6;
const pt = (mm: number): number => Math.round(mm * POINTS_PER_MM * 1_000) / 1_000;

export async function writePdf(
  { page, lines, rules, barcode }: Typeset,
  { title, date, stamp }: PdfOptions,
): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: [pt(page.width), pt(page.height)],
    margin: 0,
    compress: false,
    info: { Title: title, CreationDate: new Date(`${date}T00:00:00Z`), ...(stamp && { Subject: stamp.number }) },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  // Replaces the id of the library, which has no option for it.
  const fileId = stamp
    ? Buffer.from(stamp.fileId)
    : hash('sha256', JSON.stringify([title, date]), 'buffer').subarray(0, 16);
  Object.assign(pdf, { _id: fileId });

  for (const { x, y, width, height } of rules) pdf.rect(pt(x), pt(y), pt(width), pt(height));
  let at = barcode.x;
  barcode.widths.forEach((modules, index) => {
    const width = modules * barcode.module;
    if (index % 2 === 0) pdf.rect(pt(at), pt(barcode.y), pt(width), pt(barcode.height));
    at += width;
  });
  pdf.fill('black');

  for (const { runs } of lines) for (const { font } of runs) pdf.registerFont(font.name, font.font as never);
  for (const { x, y, size, runs } of lines) {
    let left = pt(x);
    for (const { font, text } of runs) {
      pdf.font(font.name, pt(size)).text(text, left, pt(y), { lineBreak: false, baseline: 'alphabetic' });
      left += pdf.widthOfString(text);
    }
  }
  if (stamp) pdf.font('Helvetica', NUMBER_SIZE).text(stamp.number, pt(lines[0]!.x), pt(1.5), { lineBreak: false });
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
