/** Removes metadata from a picture. The picture stays unchanged. */
import { FileRefused } from '../refused.js';
import { jpegWithoutMetadata } from './jpeg.js';
import { pngWithoutMetadata } from './png.js';
import { webpWithoutMetadata } from './webp.js';

const CLEANERS: Readonly<Record<string, (content: Buffer) => Buffer>> = {
  'image/jpeg': jpegWithoutMetadata,
  'image/png': pngWithoutMetadata,
  'image/webp': webpWithoutMetadata,
};

/** Bytes per piece. */
const PIECE = 1_048_576;

/** Yields the cleaned picture in pieces. Throws FileRefused UNSUPPORTED_MEDIA_TYPE for a file that is not a picture. */
export function* readPicture(content: Buffer, { mediaType }: { readonly mediaType: string }): Iterable<Buffer> {
  const clean = CLEANERS[mediaType];
  if (!clean) throw new FileRefused('UNSUPPORTED_MEDIA_TYPE');
  const cleaned = clean(content);
  for (let at = 0; at < cleaned.length; at += PIECE) yield cleaned.subarray(at, at + PIECE);
}
