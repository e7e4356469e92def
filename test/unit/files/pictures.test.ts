/** Metadata is removed from pictures, and the pictures themselves are unchanged (N14). */
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { readPicture } from '../../../src/engines/file-reader/kinds/picture.js';
import {
  jpegSegment,
  png,
  PNG_PIXELS,
  PNG_SIGNATURE,
  pngChunk,
  tiff,
  VP8L,
  webp,
  webpChunk,
} from '../../support/inputs/pictures.js';

const clean = (content: Buffer, mediaType: string): Buffer => Buffer.concat([...readPicture(content, { mediaType })]);
const SECRETS = ['GPS', 'Ada', 'Hamburg', 'film', 'hidden'];
const expectNoSecrets = (content: Buffer): void => {
  for (const secret of SECRETS) expect(content.toString('latin1')).to.not.include(secret);
};

/** Chunks of a PNG; each length and check sum is verified. */
function pngChunksOf(content: Buffer): { type: string; data: Buffer }[] {
  expect(content.subarray(0, 8).equals(PNG_SIGNATURE)).to.equal(true);
  const chunks = [];
  for (let at = 8; at < content.length;) {
    const data = content.subarray(at + 8, at + 8 + content.readUInt32BE(at));
    const type = content.toString('latin1', at + 4, at + 8);
    const whole = content.subarray(at, at + 12 + data.length);
    expect(whole.equals(pngChunk(type, data)), `check sum of ${type}`).to.equal(true);
    chunks.push({ type, data });
    at += whole.length;
  }
  return chunks;
}
const typesOf = (content: Buffer): string[] => pngChunksOf(content).map(({ type }) => type);
const pixelsOf = (content: Buffer): Buffer =>
  inflateSync(Buffer.concat(pngChunksOf(content).flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))));

/** Chunks of a WebP; the sizes of the container and of the chunks are verified. */
function webpChunksOf(content: Buffer): { type: string; data: Buffer }[] {
  expect(content.readUInt32LE(4)).to.equal(content.length - 8);
  const chunks = [];
  let at = 12;
  while (at < content.length) {
    const size = content.readUInt32LE(at + 4);
    chunks.push({ type: content.toString('latin1', at, at + 4), data: content.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  expect(at).to.equal(content.length);
  return chunks;
}

describe('N14: metadata of pictures', () => {
  it('N14: a PNG loses eXIf, tEXt, zTXt, iTXt, tIME and the bytes behind IEND, and keeps its pixels', () => {
    const secret = png({
      before: [pngChunk('tEXt', 'Author\0Ada'), pngChunk('eXIf', tiff(1)), pngChunk('pHYs', Buffer.alloc(9))],
      after: [
        pngChunk('zTXt', 'Comment\0\0Ada'),
        pngChunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0Hamburg'),
        pngChunk('tIME', Buffer.from([7, 234, 1, 1, 1, 1, 1])),
      ],
      behind: 'a film of Ada',
    });
    const cleaned = clean(secret, 'image/png');
    expectNoSecrets(cleaned);
    expect(typesOf(cleaned)).to.deep.equal(['IHDR', 'pHYs', 'IDAT', 'IEND']);
    expect(pixelsOf(cleaned).equals(PNG_PIXELS)).to.equal(true);
  });

  it('N14: private chunks, names of colour profiles and palettes are removed from a PNG', () => {
    const profile = Buffer.concat([Buffer.from('Ada of Hamburg\0\0'), Buffer.from([1, 2, 3])]);
    const cleaned = clean(
      png({ before: [pngChunk('iCCP', profile), pngChunk('sPLT', 'Ada\0'), pngChunk('prVt', 'hidden')] }),
      'image/png',
    );
    expectNoSecrets(cleaned);
    expect(typesOf(cleaned)).to.deep.equal(['IHDR', 'iCCP', 'IDAT', 'IEND']);
    expect(pngChunksOf(cleaned)[1]!.data.subarray(-4)).to.deep.equal(Buffer.from([0, 1, 2, 3]));
  });

  it('N14: the orientation of a PNG stays', () => {
    const cleaned = clean(png({ after: [pngChunk('eXIf', tiff(6))] }), 'image/png');
    expectNoSecrets(cleaned);
    const exif = pngChunksOf(cleaned).find(({ type }) => type === 'eXIf')!.data;
    expect(exif.readUInt16BE(18)).to.equal(6);
    expect(pixelsOf(cleaned).equals(PNG_PIXELS)).to.equal(true);
  });

  it('N14: a broken PNG is cut, and text that pretends to be a PNG is refused', () => {
    const whole = png();
    const cut = Buffer.concat([whole.subarray(0, whole.length - 12), Buffer.from('\x7f\xff\xff\xfftEXtAda', 'latin1')]);
    expect(typesOf(clean(cut, 'image/png'))).to.deep.equal(['IHDR', 'IDAT']);
    const text = Buffer.concat([PNG_SIGNATURE, Buffer.from('hidden text of Ada')]);
    expect(() => clean(text, 'image/png')).to.throw('UNSUPPORTED_MEDIA_TYPE');
  });

  it('N14: a WebP loses EXIF, XMP and the bytes behind the RIFF, and its flags say so', () => {
    const secret = webp(
      0b1100,
      [webpChunk('VP8L', VP8L), webpChunk('EXIF', tiff(1)), webpChunk('XMP ', '<x>Ada</x>')],
      'a film of Ada',
    );
    const cleaned = clean(secret, 'image/webp');
    expectNoSecrets(cleaned);
    const chunks = webpChunksOf(cleaned);
    expect(chunks.map(({ type }) => type)).to.deep.equal(['VP8X', 'VP8L']);
    expect(chunks[0]!.data[0]).to.equal(0);
    expect(chunks[1]!.data.equals(VP8L)).to.equal(true);
  });

  it('N14: the orientation and the colour profile of a WebP stay', () => {
    const secret = webp(0b101100, [
      webpChunk('ICCP', 'colours'),
      webpChunk('VP8L', VP8L),
      webpChunk('EXIF', Buffer.concat([Buffer.from('Exif\0\0'), tiff(8)])),
      webpChunk('XMP ', 'Hamburg'),
    ]);
    const cleaned = clean(secret, 'image/webp');
    expectNoSecrets(cleaned);
    const chunks = webpChunksOf(cleaned);
    expect(chunks.map(({ type }) => type)).to.deep.equal(['VP8X', 'ICCP', 'VP8L', 'EXIF']);
    expect(chunks[0]!.data[0]).to.equal(0b101000);
    expect(chunks[3]!.data.readUInt16BE(18)).to.equal(8);
  });

  it('N14: unknown chunks of a WebP are removed, also inside of the frames of an animation', () => {
    const frame = Buffer.concat([Buffer.alloc(16), webpChunk('VP8L', VP8L), webpChunk('note', 'hidden')]);
    const cleaned = clean(
      webp(0b10, [webpChunk('ANIM', Buffer.alloc(6)), webpChunk('ANMF', frame), webpChunk('zzzz', 'Ada')]),
      'image/webp',
    );
    expectNoSecrets(cleaned);
    const chunks = webpChunksOf(cleaned);
    expect(chunks.map(({ type }) => type)).to.deep.equal(['VP8X', 'ANIM', 'ANMF']);
    expect(chunks[2]!.data.subarray(16).equals(webpChunk('VP8L', VP8L))).to.equal(true);
    expect(() => clean(webp(0, [webpChunk('EXIF', tiff(1))]), 'image/webp')).to.throw('UNSUPPORTED_MEDIA_TYPE');
  });

  const START = Buffer.from([0xff, 0xd8]);
  const END = Buffer.from([0xff, 0xd9]);
  const TABLES = jpegSegment(0xdb, Buffer.alloc(64, 7));
  const scanOf = (...data: number[]): Buffer =>
    Buffer.concat([jpegSegment(0xda, Buffer.alloc(8)), Buffer.from([1, ...data, 3])]);

  it('N14: stray bytes between the segments of a JPEG are skipped, as decoders do', () => {
    for (const stray of [[0], [0x41, 0x64, 0x61], [0xff], [0xff, 0x00], [0xff, 0x3c, 0x00, 0x10]]) {
      const bytes = Buffer.from(stray);
      const picture = Buffer.concat([START, bytes, TABLES, bytes, jpegSegment(0xfe, 'Ada'), bytes, scanOf(), END]);
      const cleaned = clean(picture, 'image/jpeg');
      expectNoSecrets(cleaned);
      expect(cleaned.equals(Buffer.concat([START, TABLES, scanOf(), END])), stray.join()).to.equal(true);
    }
  });

  it('N14: a damaged scan of a JPEG is kept to its end', () => {
    for (const code of [0x02, 0x3c, 0xbf]) {
      const picture = Buffer.concat([START, TABLES, scanOf(0xff, code, 5, 0xff, 0, 6), END]);
      expect(clean(picture, 'image/jpeg').equals(picture), String(code)).to.equal(true);
    }
  });

  it('N14: a JPEG without a scan is refused', () => {
    for (const content of [[], [END], [TABLES, END], [Buffer.from('hidden text')]])
      expect(() => clean(Buffer.concat([START, ...content]), 'image/jpeg')).to.throw('UNSUPPORTED_MEDIA_TYPE');
  });

  it('N14: the colour transform of a JPEG stays, without further content', () => {
    const standard = Buffer.from('Adobe\0\x64\0\0\0\0\x02', 'latin1');
    const long = jpegSegment(0xee, Buffer.concat([standard, Buffer.from('Ada')]));
    const cleaned = clean(Buffer.concat([START, long, jpegSegment(0xee, 'hidden'), scanOf(), END]), 'image/jpeg');
    expect(cleaned.equals(Buffer.concat([START, jpegSegment(0xee, standard), scanOf(), END]))).to.equal(true);
  });

  it('N14: a JPEG loses the bytes behind its end, also a second picture, comments between scans and thumbnails', () => {
    const scan = Buffer.concat([jpegSegment(0xda, Buffer.alloc(8)), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])]);
    const start = Buffer.from([0xff, 0xd8]);
    const end = Buffer.from([0xff, 0xd9]);
    const tables = jpegSegment(0xdb, Buffer.alloc(64, 7));
    const thumbnail = Buffer.concat([
      Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01', 'latin1'),
      Buffer.from('Ada'),
    ]);
    const second = Buffer.concat([start, jpegSegment(0xe1, 'Exif of Ada'), scan, end]);
    const secret = Buffer.concat([
      start,
      jpegSegment(0xe0, thumbnail),
      jpegSegment(0xe0, 'JFXX\0hidden'),
      tables,
      scan,
      jpegSegment(0xfe, 'Hamburg'),
      scan,
      end,
      second,
      Buffer.from('a film'),
    ]);
    const cleaned = clean(secret, 'image/jpeg');
    expectNoSecrets(cleaned);
    const header = jpegSegment(0xe0, Buffer.concat([thumbnail.subarray(0, 12), Buffer.from([0, 0])]));
    expect(cleaned.equals(Buffer.concat([start, header, tables, scan, scan, end]))).to.equal(true);
  });
});
