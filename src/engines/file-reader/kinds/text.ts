/** Decodes the text of a file without guessing its encoding. Errors give the place of the invalid byte. */
import { FileRefused } from '../refused.js';

/**
 * Decodes UTF-8, with or without a byte order mark, or UTF-16 with one. Throws FileRefused: WRONG_BYTE with the line and
 * column (from 1) of the first invalid byte, or INVALID_ENCODING.
 */
export function decodeText(content: Buffer): string {
  const [first, second] = content;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    if (encoding !== 'utf-8') throw new FileRefused('INVALID_ENCODING');
    throw invalidByteError(content);
  }
}

const LINE_FEED = 0x0a;

function invalidByteError(content: Buffer): FileRefused {
  for (let line = 1, from = 0; from < content.length; line++) {
    const end = content.indexOf(LINE_FEED, from);
    const text = content.subarray(from, end < 0 ? content.length : end);
    const column = invalidColumnIn(text);
    if (column !== undefined) return new FileRefused('WRONG_BYTE', { line, column });
    if (end < 0) break;
    from = end + 1;
  }
  return new FileRefused('INVALID_ENCODING');
}

/** The column of the first byte that is not valid UTF-8. */
function invalidColumnIn(text: Buffer): number | undefined {
  const decoded = text.toString('utf8');
  if (Buffer.from(decoded, 'utf8').equals(text)) return undefined;
  let [at, column] = [0, 1];
  for (const character of decoded) {
    const length = Buffer.byteLength(character);
    if (!text.subarray(at, at + length).equals(Buffer.from(character))) return column;
    at += length;
    column += 1;
  }
  return column;
}
