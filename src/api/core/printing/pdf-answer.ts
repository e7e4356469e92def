/**
 * Responses with a PDF: the document itself if `format` or `Accept` requests it, else JSON for clients that cannot
 * receive bytes.
 */
import Negotiator from 'negotiator';
import { z } from 'zod';
import type { Representation } from '../operation.js';
import type { Issued } from './issue.js';

const PDF = 'application/pdf';

export const pdfInput = {
  format: z
    .enum(['base64', 'pdf'])
    .optional()
    .describe(
      '`pdf` returns the document itself. `base64` returns the document in JSON. Default: the format that `Accept` selects, or else JSON.',
    ),
};
export const pdfOutput = { media_type: z.literal(PDF), pdf_base64: z.string() };

/** The input of documents that a client can download later: `link` draws nothing. */
export const linkedPdfInput = {
  format: z
    .enum(['base64', 'pdf', 'link'])
    .optional()
    .describe(
      '`pdf` returns the document itself. `base64` returns the document in JSON. `link` returns only the URL of the document. Default: the format that `Accept` selects, or else `base64`.',
    ),
};
export const linkedPdfOutput = {
  media_type: pdfOutput.media_type,
  pdf_base64: pdfOutput.pdf_base64.optional().describe('Absent with `format=link`.'),
  url: z
    .string()
    .optional()
    .describe('Only with `format=link`: URL of the document. The download needs the same authorization.'),
};

export const asLink = (url: string) => ({ media_type: PDF, url }) as const;

/** Whether the caller requests the document itself. */
export const wantsPdf = (format: 'base64' | 'pdf' | 'link' | undefined, accept: string | undefined): boolean =>
  format === undefined
    ? accept !== undefined && new Negotiator({ headers: { accept } }).mediaType(['application/json', PDF]) === PDF
    : format === 'pdf';

/** The document itself. Caches must not store it. */
export const pdfDocument = ({ bytes, sha256 }: Issued, name: string): Representation => ({
  body: bytes,
  mediaType: PDF,
  headers: {
    'Cache-Control': 'private, no-store',
    // files-and-documents R4.
    'Content-Disposition': `attachment; filename="${name}.pdf"`,
    ETag: `"${sha256}"`,
  },
});

export const inJson = ({ bytes }: Issued) => ({ media_type: PDF, pdf_base64: bytes.toString('base64') }) as const;
