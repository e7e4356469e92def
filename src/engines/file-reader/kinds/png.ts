/** Removes metadata (position, device, person, texts, times) from PNG pictures (PNG specification, third edition). */
import { crc32 } from 'node:zlib';
import { orientationIn, orientationTiff } from './exif.js';
import { FileRefused } from '../refused.js';

const SIGNATURE = 8;
/** Length, type and check sum of a chunk, in bytes. */
const FRAME = 12;
/** Chunks that decoders need or that change how the picture looks. `acTL`, `fcTL` and `fdAT` are of animations. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
);

/**
 * Keeps the chunks of the picture and the orientation. All other chunks and the bytes after IEND are removed. A broken
 * picture is cut after its last complete chunk. Throws FileRefused UNSUPPORTED_MEDIA_TYPE without a header.
 */
export function pngWithoutMetadata(png: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let orientation: number | undefined;
  for (let at = SIGNATURE; at + FRAME <= png.length;) {
    const end = at + FRAME + png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    if ((chunks.length === 0) !== (type === 'IHDR')) break;
    if (end > png.length) {
      // Decoders show the part of a picture that arrived.
      if (type === 'IDAT') chunks.push(png.subarray(at));
      break;
    }
    if (type === 'eXIf') orientation ??= orientationIn(png.subarray(at + 8, end - 4));
    if (KEPT.has(type)) chunks.push(withoutName(type, png.subarray(at, end)));
    if (type === 'IEND') break;
    at = end;
  }
  if (chunks.length === 0) throw new FileRefused('UNSUPPORTED_MEDIA_TYPE');
  if (orientation !== undefined && orientation !== 1)
    chunks.splice(1, 0, chunkOf('eXIf', orientationTiff(orientation)));
  return Buffer.concat([png.subarray(0, SIGNATURE), ...chunks]);
}

/** The name of a colour profile is free text, so it is replaced. */
function withoutName(type: string, chunk: Buffer): Buffer {
  if (type !== 'iCCP') return chunk;
  const content = chunk.subarray(8, -4);
  const nameEnd = content.indexOf(0);
  return chunkOf('iCCP', Buffer.concat([Buffer.from('ICC profile', 'latin1'), content.subarray(Math.max(0, nameEnd))]));
}

function chunkOf(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(FRAME + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
