/** Joins PDF files to one, in a reader process: the files come from carriers, and their parser is a library. */
import { PDFDocument } from '@cantoo/pdf-lib';
import { FileRefused } from '../refused.js';

export interface MergedPdfOptions {
  /** Bytes of each file. The content is the files, one after the other. */
  readonly sizes: readonly number[];
  /** Maximum number of pages of all files. */
  readonly maxPages: number;
}

/** Bytes per piece. */
const PIECE = 1_048_576;

/**
 * Yields the joined file in pieces. Equal files result in equal bytes. Throws FileRefused UNSUPPORTED_MEDIA_TYPE for
 * a file that is not a PDF, is encrypted, or has too many pages.
 */
export async function* mergePdfs(content: Buffer, { sizes, maxPages }: MergedPdfOptions): AsyncIterable<Buffer> {
  // The library reports a damaged file by errors of several types, also when it writes the result.
  const bytes = await join(content, { sizes, maxPages }).catch(() => {
    throw new FileRefused('UNSUPPORTED_MEDIA_TYPE');
  });
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE);
}

async function join(content: Buffer, { sizes, maxPages }: MergedPdfOptions): Promise<Buffer> {
  const merged = await PDFDocument.create({ updateMetadata: false });
  let at = 0;
  for (const size of sizes) {
    const file = await PDFDocument.load(content.subarray(at, at + size), { updateMetadata: false });
    at += size;
    if (merged.getPageCount() + file.getPageCount() > maxPages) throw new RangeError('The files have too many pages.');
    for (const page of await merged.copyPages(file, file.getPageIndices())) merged.addPage(page);
  }
  return Buffer.from(await merged.save());
}
