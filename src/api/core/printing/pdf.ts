/**
 * Creates all PDFs. Equal content results in equal bytes on every machine and in every process. Therefore it uses no
 * clock, no random numbers and no compression: compressed bytes differ between versions and processors.
 */
import type { Template } from './template.js';
import { prepareText } from './text.js';

export interface Stamp {
  /** Document number, printed in small type on each page. */
  readonly number: string;
  /** 16 bytes. */
  readonly fileId: Buffer;
  /** Time of the data that the document shows, RFC 3339. */
  readonly at: string;
}

const NUMBER_SIZE = 6;

/** Throws NO_FONT. */
export async function makePdf<Content>(
  { size: [width, height], margin, title, texts, draw }: Template<Content>,
  content: Content,
  { number, fileId, at }: Stamp,
): Promise<{ readonly bytes: Buffer; readonly pages: number }> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: [width, height],
    margin,
    autoFirstPage: false,
    compress: false,
    info: { Title: title(content), Subject: number, CreationDate: new Date(at) },
  });
  // Replaces the id of the library, which depends only on the title and the time. The library has no option for it.
  Object.assign(pdf, { _id: fileId });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  let pages = 0;
  pdf.on('pageAdded', () => {
    pages++;
    pdf
      .font('Helvetica')
      .fontSize(NUMBER_SIZE)
      .text(number, margin, height - margin, { lineBreak: false });
  });
  await draw(pdf, await prepareText(pdf, texts(content)), content);
  pdf.end();
  await ended;
  return { bytes: Buffer.concat(chunks), pages };
}
