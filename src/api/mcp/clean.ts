/**
 * What people and other systems wrote reaches an agent as data: without characters that are not seen but read, and not
 * longer than anybody writes. Only what is in structured fields is data; no text of anybody's is ever put into a
 * sentence of ours.
 */

/** Longest string in an answer that is not a file. */
const MAX_TEXT = 20_000;
/** Members that hold files. */
const FILES: ReadonlySet<string> = new Set(['base64', 'photo_base64', 'blob']);

/**
 * Controls (except tab and line feed), direction marks, zero-width spaces, soft hyphens, Unicode tags and interlinear
 * marks. The zero-width joiners stay where they occur alone: Persian, Hindi and emoji are written with them.
 */

const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u200c\u200d]{2,}|[\u{e0000}-\u{e007f}]/gu;

export function cleanText(text: string, limit = MAX_TEXT): string {
  const seen = text.replace(UNSEEN, '');
  return seen.length > limit ? `${seen.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : seen;
}

/** The same value with clean strings; also the names of members, since documents bring their own. */
export function clean<T>(value: T, name?: string): T {
  if (typeof value === 'string') return (name !== undefined && FILES.has(name) ? value : cleanText(value)) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => clean(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [cleanText(key, 256), clean(member as unknown, key)]),
  ) as T;
}
