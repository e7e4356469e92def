/** A PDF response is sent as an attachment, never as an inline page (files-and-documents R4). */
import { expect } from 'chai';
import type { Issued } from '../../../src/api/core/printing/issue.js';
import { pdfDocument } from '../../../src/api/core/printing/pdf-answer.js';

describe('PDF response', () => {
  it('is an attachment with its fingerprint, and not cached', () => {
    const { headers } = pdfDocument({ bytes: Buffer.from('%PDF-'), sha256: 'abc' } as Issued, 'label-1');
    expect(headers).to.deep.equal({
      'Cache-Control': 'private, no-store',
      'Content-Disposition': 'attachment; filename="label-1.pdf"',
      ETag: '"abc"',
    });
  });
});
