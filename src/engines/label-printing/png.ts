/**
 * Writes a label as PNG with 203 dpi, in shades of grey. The library's own encoder blocks the event loop for 30 to
 * 90 ms per label; zlib compresses on a thread.
 */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { DOTS_PER_MM } from './frames.js';
import { rasterOf } from './raster.js';
import { dots, outlinesOf, shapesOf, svgOf } from './svg.js';
import type { Typeset } from './typeset.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const WHITE = 255;
const compress = promisify(deflate);

export async function writePng(label: Typeset): Promise<Uint8Array> {
  const [width, height] = [dots(label.page.width), dots(label.page.height)];
  const content = shapesOf(label) + outlinesOf(label.lines);
  const { grey, height: printed } = await rasterOf(svgOf(width, dots(label.printedHeight), content));
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height, WHITE);
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = 0;
    if (y < printed) rows.set(grey.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  return Buffer.concat([
    SIGNATURE,
    // Eight bits per pixel, greyscale, not interlaced.
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])])),
    // The resolution in pixels per metre, so that programs print the label in its true size.
    chunk('pHYs', Buffer.concat([uint32(DOTS_PER_MM * 1_000), uint32(DOTS_PER_MM * 1_000), Buffer.from([1])])),
    chunk('IDAT', await compress(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), checked, uint32(crc32(checked))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
