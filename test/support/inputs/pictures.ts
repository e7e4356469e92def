/** Small pictures with metadata, in the forms that phones and editors write. */
import { crc32, deflateSync } from 'node:zlib';

/** TIFF data with an orientation and the name of a place. */
export function tiff(orientation: number): Buffer {
  const data = Buffer.alloc(26);
  data.write('II', 0, 'latin1');
  data.writeUInt16LE(42, 2);
  data.writeUInt32LE(8, 4);
  data.writeUInt16LE(1, 8);
  data.writeUInt16LE(0x0112, 10);
  data.writeUInt16LE(3, 12);
  data.writeUInt32LE(1, 14);
  data.writeUInt16LE(orientation, 18);
  return Buffer.concat([data, Buffer.from('GPS 53.5511N')]);
}

export function pngChunk(type: string, content: Buffer | string = ''): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(content as string)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length - 4, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const WIDTH = 2;
const HEIGHT = 2;
/** Two rows of two RGB pixels, each row with its filter type. */
export const PNG_PIXELS = Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255, 9, 9, 9]);

/** A PNG of 2 x 2 pixels. `before` and `after`: chunks before and after its pixels; `behind`: bytes after IEND. */
export function png({ before = [], after = [], behind = '' }: PngParts = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', deflateSync(PNG_PIXELS)),
    ...after,
    pngChunk('IEND'),
    Buffer.from(behind),
  ]);
}
export interface PngParts {
  readonly before?: readonly Buffer[];
  readonly after?: readonly Buffer[];
  readonly behind?: string;
}

export function webpChunk(type: string, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string);
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
}

/** One lossless pixel. */
export const VP8L = Buffer.from('LwAAABAHEBERiIj+BwA=', 'base64').subarray(0, 13);

/** A WebP in the extended form. `flags`: the first byte of VP8X. */
export function webp(flags: number, chunks: readonly Buffer[], behind = ''): Buffer {
  const extended = webpChunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const content = Buffer.concat([extended, ...chunks]);
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  header.writeUInt32LE(4 + content.length, 4);
  return Buffer.concat([header, content, Buffer.from(behind)]);
}

export const jpegSegment = (marker: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes]);
};
