/** Removes camera metadata (position, device, person) from photos. */

const APP1 = 0xe1;
const APP2 = 0xe2;
const APP15 = 0xef;
const COMMENT = 0xfe;
const START_OF_SCAN = 0xda;
const ORIENTATION = 0x0112;

/**
 * Removes the segments APP1 to APP15 and the comments from a JPEG. Keeps the colour profile, and writes the orientation
 * to a new segment. A broken header is cut after its last complete segment. The image data stays unchanged.
 */
export function withoutMetadata(jpeg: Buffer): Buffer {
  const segments: Buffer[] = [jpeg.subarray(0, 2)];
  let orientation: number | undefined;
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) break;
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const segment = jpeg.subarray(at, end);
    if (marker === APP1) orientation ??= orientationOf(segment);
    const profile = marker === APP2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE';
    const isMetadata = (marker >= APP1 && marker <= APP15) || marker === COMMENT;
    if (!isMetadata || profile) segments.push(segment);
    at = end;
  }
  if (orientation !== undefined && orientation !== 1) segments.splice(1, 0, orientationSegment(orientation));
  return Buffer.concat([...segments, imageDataOf(jpeg.subarray(at))]);
}

/** The data up to the end of the image. Cameras append further images and videos after it. */
function imageDataOf(rest: Buffer): Buffer {
  const end = rest.lastIndexOf(Buffer.from([0xff, 0xd9]));
  return end < 0 ? rest : rest.subarray(0, end + 2);
}

/** The orientation, 1 to 8, from the first directory of an Exif segment. */
function orientationOf(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 4, 10) !== 'Exif\0\0' || segment.length < 18) return undefined;
  const tiff = segment.subarray(10);
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const readShort = (at: number): number => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return undefined;
  for (
    let entry = directory + 2, remaining = readShort(directory);
    remaining > 0 && entry + 12 <= tiff.length;
    remaining--, entry += 12
  ) {
    if (readShort(entry) !== ORIENTATION) continue;
    const value = readShort(entry + 8);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM', 0, 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  const head = Buffer.from([0xff, APP1, 0, 2 + 6 + tiff.length]);
  return Buffer.concat([head, Buffer.from('Exif\0\0', 'latin1'), tiff]);
}
