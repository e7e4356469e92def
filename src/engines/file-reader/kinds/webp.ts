/** Removes metadata (position, device, person) from WebP pictures (RFC 9649). */
import { orientationIn, orientationTiff } from './exif.js';
import { FileRefused } from '../refused.js';

const HEADER = 12;
/** Type and size of a chunk, in bytes. */
const FRAME = 8;
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags in the first byte of VP8X. */
const EXIF_FLAG = 0b1000;
const XMP_FLAG = 0b100;

interface Chunk {
  readonly type: string;
  readonly content: Buffer;
}

/**
 * Keeps the chunks of the picture and the orientation, and corrects the flags of VP8X. All other chunks and the bytes
 * after the RIFF container are removed. A broken picture is cut after its last complete chunk. Throws FileRefused
 * UNSUPPORTED_MEDIA_TYPE without image data.
 */
export function webpWithoutMetadata(webp: Buffer): Buffer {
  const container = webp.subarray(HEADER, FRAME + webp.readUInt32LE(4));
  const all = [...chunksIn(container)];
  const exif = all.find(({ type }) => type === 'EXIF')?.content;
  const orientation = exif && orientationIn(exif);
  const isTurned = orientation !== undefined && orientation !== 1;
  const kept = all
    .filter(({ type }) => KEPT.has(type))
    .map((chunk) => (chunk.type === 'ANMF' ? frameWithoutMetadata(chunk) : chunk))
    .map((chunk) => (chunk.type === 'VP8X' ? withFlags(chunk, isTurned) : chunk));
  if (!kept.some(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === 'ANMF'))
    throw new FileRefused('UNSUPPORTED_MEDIA_TYPE');
  // Only the extended form, which begins with VP8X, has metadata.
  if (isTurned && kept[0]!.type === 'VP8X') kept.push({ type: 'EXIF', content: orientationTiff(orientation) });
  const content = Buffer.concat(kept.map(bytesOf));
  const header = Buffer.from(webp.subarray(0, HEADER));
  header.writeUInt32LE(HEADER - FRAME + content.length, 4);
  return Buffer.concat([header, content]);
}

function* chunksIn(bytes: Buffer): Iterable<Chunk> {
  for (let at = 0; at + FRAME <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + FRAME + size;
    if (end > bytes.length) return;
    yield { type: bytes.toString('latin1', at, at + 4), content: bytes.subarray(at + FRAME, end) };
    at = end + (size % 2);
  }
}

/** Position, size, duration and flags of an animation frame, in bytes. Chunks follow. */
const FRAME_HEAD = 16;

/** A frame may contain unknown chunks, in which data could be hidden. */
function frameWithoutMetadata({ type, content }: Chunk): Chunk {
  const kept = [...chunksIn(content.subarray(FRAME_HEAD))].filter((chunk) => KEPT.has(chunk.type));
  return { type, content: Buffer.concat([content.subarray(0, FRAME_HEAD), ...kept.map(bytesOf)]) };
}

function withFlags({ type, content }: Chunk, hasExif: boolean): Chunk {
  const corrected = Buffer.from(content);
  if (corrected.length > 0) corrected[0] = (corrected[0]! & ~(EXIF_FLAG | XMP_FLAG)) | (hasExif ? EXIF_FLAG : 0);
  return { type, content: corrected };
}

/** Chunks of an odd size are padded with a zero. */
function bytesOf({ type, content }: Chunk): Buffer {
  const head = Buffer.alloc(FRAME);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
