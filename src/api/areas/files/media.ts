/**
 * Detects the media type of a file from its first bytes. The type stated by the sender is ignored, and nothing is parsed
 * here.
 */

const startsWith = (content: Buffer, ...signature: readonly number[]): boolean =>
  signature.every((byte, index) => content[index] === byte);
const textAt = (content: Buffer, from: number, to: number): string => content.toString('latin1', from, to);

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Type of a text that begins as a JSON object. The content is checked where it is used. */
export const GEO_JSON = 'application/geo+json';
/** Archives: a reader process decides which of them are workbooks. */
export const ZIP = 'application/zip';

/** The media type; undefined for types that the service does not accept. */
export function mediaTypeOf(content: Buffer): string | undefined {
  if (startsWith(content, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (startsWith(content, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (textAt(content, 0, 4) === 'RIFF' && textAt(content, 8, 12) === 'WEBP') return 'image/webp';
  if (textAt(content, 0, 5) === '%PDF-') return 'application/pdf';
  if (startsWith(content, 0x50, 0x4b, 0x03, 0x04)) return ZIP;
  return isText(content) ? 'text/csv' : undefined;
}

/** Whether a text begins as a JSON object. */
export const startsWithObject = (content: Buffer): boolean => /^[\s\ufeff]*\{/.test(content.toString('utf8', 0, 4_096));

/** Text contains no control characters except line breaks and tabs. UTF-16 text begins with a byte order mark. */
function isText(content: Buffer): boolean {
  if (startsWith(content, 0xff, 0xfe) || startsWith(content, 0xfe, 0xff)) return true;
  const head = content.subarray(0, 4_096);
  if (/^[\s\ufeff]*</.test(head.toString('utf8'))) return false;
  return head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}
