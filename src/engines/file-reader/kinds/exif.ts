/** The orientation of a picture in Exif data (TIFF 6.0, Exif 2.32): the only metadata that pictures keep. */

const ORIENTATION = 0x0112;
const EXIF_NAME = 'Exif\0\0';

/** The orientation, 1 to 8, from the first directory of TIFF data; the name `Exif` may precede the data. */
export function orientationIn(data: Buffer): number | undefined {
  const tiff = data.toString('latin1', 0, EXIF_NAME.length) === EXIF_NAME ? data.subarray(EXIF_NAME.length) : data;
  if (tiff.length < 8) return undefined;
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

/** TIFF data with nothing but the orientation. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM', 0, 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
