/** Removes metadata (position, device, person) from JPEG pictures (ITU-T T.81, annex B). */
import { FileRefused } from '../refused.js';
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

/** Codes from 02 to BF are reserved, 00 is a stuffed byte, and FF fills. */
const isMarker = (code: number): boolean => (code >= 0xc0 && code < 0xff) || code === 0x01;

/**
 * Removes the segments APP1 to APP15, small pictures and the comments, also between scans, stray bytes between segments,
 * and the bytes after the end of the image. Keeps the colour profile and the colour transform (Adobe), and writes the
 * orientation to a new segment. A broken picture is cut after its last complete segment. The image data stays
 * unchanged. Throws FileRefused UNSUPPORTED_MEDIA_TYPE without a scan.
 */
export function jpegWithoutMetadata(jpeg: Buffer): Buffer {
  const kept: Buffer[] = [jpeg.subarray(0, 2)];
  let orientation: number | undefined;
  let hasScan = false;
  for (let at = markerFrom(jpeg, 2); at + 2 <= jpeg.length; at = markerFrom(jpeg, at)) {
    const marker = jpeg[at + 1]!;
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
    else if (marker === APP14) kept.push(...colourTransform(segment));
    else if (!isMetadata(marker, segment)) kept.push(segment);
    at = marker === START_OF_SCAN ? scanEnd(jpeg, end) : end;
    if (marker === START_OF_SCAN) {
      hasScan = true;
      kept.push(jpeg.subarray(end, at));
    }
  }
  if (!hasScan) throw new FileRefused('UNSUPPORTED_MEDIA_TYPE');
  if (orientation !== undefined && orientation !== 1) kept.splice(1, 0, orientationSegment(orientation));
  return Buffer.concat(kept);
}

function isMetadata(marker: number, segment: Buffer): boolean {
  if (marker === APP2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE') return false;
  return (marker >= APP1 && marker <= APP15) || marker === COMMENT;
}

/** Length of the segment that names the colour transform. Additional content is removed. */
const ADOBE_LENGTH = 16;

/** The standard part of a segment that names the colour transform; nothing for other segments APP14. */
function colourTransform(segment: Buffer): readonly Buffer[] {
  if (segment.toString('latin1', 4, 9) !== 'Adobe' || segment.length < ADOBE_LENGTH) return [];
  const standard = Buffer.from(segment.subarray(0, ADOBE_LENGTH));
  standard.writeUInt16BE(ADOBE_LENGTH - 2, 2);
  return [standard];
}

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

/** Position of the next marker; the length of the picture if there is none. Decoders skip the bytes before it. */
function markerFrom(jpeg: Buffer, from: number, isWanted = isMarker): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at + 1))
    if (isWanted(jpeg[at + 1]!)) return at;
  return jpeg.length;
}

/** The end of the compressed data that starts at `from`. Restarts, stuffed and damaged bytes belong to the data. */
const scanEnd = (jpeg: Buffer, from: number): number =>
  markerFrom(jpeg, from, (code) => isMarker(code) && !isBare(code));

function orientationSegment(orientation: number): Buffer {
  const tiff = orientationTiff(orientation);
  const head = Buffer.from([0xff, APP1, 0, 2 + 6 + tiff.length]);
  return Buffer.concat([head, Buffer.from('Exif\0\0', 'latin1'), tiff]);
}
