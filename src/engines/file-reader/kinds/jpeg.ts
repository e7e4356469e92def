/** Removes metadata (position, device, person) from JPEG pictures (ITU-T T.81, annex B). */
import { orientationIn, orientationTiff } from './exif.js';

const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Markers without content: the restarts RST0 to RST7, and TEM. */
const isBare = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

/**
 * Removes the segments APP1 to APP15, small pictures and the comments, also between scans, and the bytes after the
 * end of the image. Keeps the colour profile and the colour transform (Adobe), and writes the orientation to a new segment. A broken
 * picture is cut after its last complete segment. The image data stays unchanged.
 */
export function jpegWithoutMetadata(jpeg: Buffer): Buffer {
  const kept: Buffer[] = [jpeg.subarray(0, 2)];
  let orientation: number | undefined;
  let at = 2;
  while (at + 2 <= jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END_OF_IMAGE || isBare(marker)) {
      kept.push(jpeg.subarray(at, (at += 2)));
      if (marker === END_OF_IMAGE) break;
      continue;
    }
    if (at + 4 > jpeg.length) break;
    const end = at + 2 + Math.max(2, jpeg.readUInt16BE(at + 2));
    const segment = jpeg.subarray(at, end);
    if (marker === APP1 && segment.toString('latin1', 4, 10) === 'Exif\0\0')
      orientation ??= orientationIn(segment.subarray(4));
    if (marker === APP0) kept.push(...withoutThumbnail(segment));
    else if (!isMetadata(marker, segment)) kept.push(segment);
    at = marker === START_OF_SCAN ? scanEnd(jpeg, end) : end;
    if (marker === START_OF_SCAN) kept.push(jpeg.subarray(end, at));
  }
  if (orientation !== undefined && orientation !== 1) kept.splice(1, 0, orientationSegment(orientation));
  return Buffer.concat(kept);
}

function isMetadata(marker: number, segment: Buffer): boolean {
  if (marker === APP2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE') return false;
  if (marker === APP14 && segment.toString('latin1', 4, 9) === 'Adobe' && segment.length <= ADOBE_LENGTH) return false;
  return (marker >= APP1 && marker <= APP15) || marker === COMMENT;
}

/** Length of the segment that names the colour transform. A longer one has further content. */
const ADOBE_LENGTH = 16;

/** Length of a JFIF segment without a small picture; its last two bytes are the size of that picture. */
const JFIF_LENGTH = 18;

/** The JFIF segment without its small picture; nothing for other segments APP0, which contain only such a picture. */
function withoutThumbnail(segment: Buffer): readonly Buffer[] {
  if (segment.toString('latin1', 4, 9) !== 'JFIF\0') return [];
  if (segment.length <= JFIF_LENGTH) return [segment];
  const short = Buffer.from(segment.subarray(0, JFIF_LENGTH));
  short.writeUInt16BE(JFIF_LENGTH - 2, 2);
  short.writeUInt16BE(0, JFIF_LENGTH - 2);
  return [short];
}

/** The end of the compressed data that starts at `from`: the next marker that is neither a restart nor a stuffed byte. */
function scanEnd(jpeg: Buffer, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1]!;
    if (next !== 0 && next !== 0xff && !isBare(next)) return at;
  }
  return jpeg.length;
}

function orientationSegment(orientation: number): Buffer {
  const tiff = orientationTiff(orientation);
  const head = Buffer.from([0xff, APP1, 0, 2 + 6 + tiff.length]);
  return Buffer.concat([head, Buffer.from('Exif\0\0', 'latin1'), tiff]);
}
