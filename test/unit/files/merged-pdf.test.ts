/** PDF files are joined in a reader process, within limits. */
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import PDFDocument from 'pdfkit';
import { createMergeLabels, type LabelContent } from '../../../src/api/areas/labels/merged-labels.js';
import { createFileReaders, type FileReaders } from '../../../src/engines/file-reader/readers.js';
import { FileRefused } from '../../../src/engines/file-reader/refused.js';
import { picturesOf } from '../../support/validators/pdf-pictures.js';

/** `password`: the file is encrypted. */
function pdfOf(texts: readonly string[], password?: string): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [288, 432],
    ...(password !== undefined && { userPassword: password }),
  });
  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  const done = new Promise<Buffer>((resolve) => document.on('end', () => resolve(Buffer.concat(pieces))));
  for (const text of texts) document.addPage().fontSize(12).text(text);
  document.end();
  return done;
}

/** A file whose only compressed stream of objects has this many bytes. */
function bombOf(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, 0x20), { level: 1 });
  const head = `%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF')]);
}

describe('joined PDF files', () => {
  let readers: FileReaders;
  const ended: string[] = [];
  before(() => {
    readers = createFileReaders({
      processes: 1,
      memoryMb: 64,
      seconds: 6,
      maxWaiting: 5,
      onEnded: (_kind, _business, { code }) => ended.push(code),
    });
  });
  after(() => readers.close());

  async function join(files: readonly Buffer[], maxPages = 50): Promise<Buffer> {
    const options = { sizes: files.map(({ length }) => length), maxPages };
    const pieces: Uint8Array[] = [];
    for await (const piece of readers.read('merged_pdf', Buffer.concat(files), options, { business: 1 }))
      pieces.push(piece);
    return Buffer.concat(pieces);
  }
  const refusalOf = (files: readonly Buffer[], maxPages?: number) =>
    join(files, maxPages).then(
      () => 'none',
      (error: unknown) => (error instanceof FileRefused ? error.code : String(error)),
    );

  it('have all pages in the order of the files, and equal bytes for equal files', async () => {
    const files = await Promise.all([pdfOf(['Alpha 1', 'Alpha 2']), pdfOf(['Beta'])]);
    const joined = await join(files);
    const pages = await picturesOf(joined);
    expect(pages.map(({ text }) => text)).to.deep.equal(['Alpha1', 'Alpha2', 'Beta']);
    expect((await join(files)).equals(joined)).to.equal(true);
    expect((await picturesOf(await join([...files].reverse()))).map(({ text }) => text)).to.deep.equal([
      'Beta',
      'Alpha1',
      'Alpha2',
    ]);
  });

  it('are refused with a file that is no PDF, is encrypted, or has too many pages', async () => {
    const file = await pdfOf(['One', 'Two']);
    expect(await refusalOf([file, Buffer.from('%PDF-1.4 and nothing else')])).to.equal('UNSUPPORTED_MEDIA_TYPE');
    expect(await refusalOf([file, await pdfOf(['Secret'], 'secret')])).to.equal('UNSUPPORTED_MEDIA_TYPE');
    expect(await refusalOf([file, file], 3)).to.equal('UNSUPPORTED_MEDIA_TYPE');
    expect(await refusalOf([file, file], 4)).to.equal('none');
  });

  it('a file that needs too much memory ends only its process', async () => {
    const bomb = bombOf(600_000_000);
    expect(bomb.length).to.be.lessThan(5 * 1_048_576);
    expect(await refusalOf([bomb, bomb])).to.match(/^FILE_READ_(MEMORY|TIME|FAILED)$/);
    expect(ended).to.have.length(1);
    expect(await refusalOf([await pdfOf(['After'])])).to.equal('none');
  });

  describe('labels', () => {
    const label = (n: number, content: Buffer, media_type = 'application/pdf'): LabelContent => ({
      package_ids: [String(n)],
      tracking_numbers: [`NUMBER-${n}`],
      media_type,
      content,
    });

    it('are one file, with the packages and numbers of all', async () => {
      const merge = createMergeLabels(readers);
      const labels = [label(1, await pdfOf(['One'])), label(2, await pdfOf(['Two']))];
      const [joined, ...others] = await merge(labels, 7);
      expect(others).to.deep.equal([]);
      expect(joined).to.deep.include({ package_ids: ['1', '2'], tracking_numbers: ['NUMBER-1', 'NUMBER-2'] });
      expect(await picturesOf(joined!.content)).to.have.length(2);
    });

    it('stay separate if one is no PDF or cannot be joined', async () => {
      const merge = createMergeLabels(readers);
      const pdf = label(1, await pdfOf(['One']));
      for (const other of [
        label(2, Buffer.from('^XA^XZ'), 'application/vnd.zebra.zpl'),
        label(2, Buffer.from('%PDF-broken')),
      ])
        expect(await merge([pdf, other], 7)).to.deep.equal([pdf, other]);
      expect(await merge([pdf], 7)).to.deep.equal([pdf]);
    });
  });
});
