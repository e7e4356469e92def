/**
 * Cleans text of people and other systems before an agent receives it: removes invisible characters and limits the
 * length. Such text occurs only in structured fields; the service never inserts it into its own sentences.
 */

/** Maximum length of a string in a result, except files. Characters. */
const MAX_TEXT = 20_000;
/** Members that contain files. */
const FILES: ReadonlySet<string> = new Set(['base64', 'photo_base64', 'blob']);

/**
 * Control characters (except tab and line feed), direction marks, zero-width spaces, soft hyphens, fillers, Unicode tags
 * and interlinear marks. Single zero-width joiners and variation selectors stay, because Persian, Hindi, emoji and
 * Japanese names require them. Several in a row can encode a hidden text.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u200c\u200d]{2,}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

export function cleanText(text: string, limit = MAX_TEXT): string {
  const seen = text.replace(INVISIBLE, '');
  return seen.length > limit ? `${seen.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : seen;
}

/** The same value with clean strings. Names of members are cleaned, too, because documents contain arbitrary names. */
export function clean<T>(value: T, name?: string): T {
  if (typeof value === 'string') return (name !== undefined && FILES.has(name) ? value : cleanText(value)) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => clean(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [cleanText(key, 256), clean(member as unknown, key)]),
  ) as T;
}
