/**
 * Reads a JSON body. Size and depth are limited, the encoding must be valid UTF-8, and characters that Postgres cannot
 * store are rejected.
 */
import { ApiError, explainedError, fieldError, fieldOf } from './errors.js';

export const MAX_DEPTH = 32;

export { bodyOf, MAX_BODY_BYTES } from './collect-body.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value of a collected body. Errors: UNSUPPORTED_MEDIA_TYPE (field `content-type`), INVALID_ENCODING,
 * MALFORMED_JSON, TOO_DEEP. The field of the others is `body`, or the JSON Pointer of the invalid string.
 */
export function parseBody(body: unknown, contentType: string | undefined, consumes: readonly string[]): unknown {
  const [mediaType = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset =
    parameters
      .find((parameter) => parameter.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? 'utf-8';
  const unsupported = (allowed: string) => fieldError('UNSUPPORTED_MEDIA_TYPE', 'content-type', { allowed }, '');
  if (!consumes.includes(mediaType)) throw unsupported(consumes.join(', '));
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) throw unsupported(`${mediaType}; charset=utf-8`);
  if (!Buffer.isBuffer(body) || body.length === 0) throw malformed('it is empty');
  const text = decode(body);
  const value = parse(text);
  // In JSON that is valid UTF-8, only escapes can produce U+0000 and lone surrogates.
  check(value, text.includes('\\u'), '', 0);
  return value;
}

function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new ApiError('INVALID_ENCODING', { errors: [{ field: 'body', path: '', code: 'INVALID_ENCODING' }] });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(reasonOf(error as Error, text));
  }
}

/** The message of the parser without the text that it quotes. Lines and columns are counted from 1. */
const reasonOf = ({ message }: Error, text: string): string =>
  message
    .replace(/, "[\s\S]*$|"[\s\S]*" is/g, '')
    .replace(/ in JSON at position (\d+)/, (_all, at: string) => {
      const before = text.slice(0, Number(at)).split('\n');
      return ` at line ${before.length}, column ${before.at(-1)!.length + 1}`;
    })
    .slice(0, 120);

const malformed = (reason: string): ApiError =>
  new ApiError('MALFORMED_JSON', {
    params: { reason },
    errors: [{ field: 'body', path: '', code: 'MALFORMED_JSON', params: { reason } }],
  });

function check(value: unknown, escapes: boolean, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (escapes && !isStorable(value)) throw unstorable(path);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (depth >= MAX_DEPTH)
    throw new ApiError('TOO_DEEP', {
      params: { max: MAX_DEPTH },
      errors: [{ field: 'body', path: '', code: 'TOO_DEEP', params: { max: MAX_DEPTH } }],
    });
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      check(value[index], escapes, escapes ? `${path}/${index}` : path, depth + 1);
    return;
  }
  for (const key in value) {
    if (escapes && !isStorable(key)) throw unstorable(path);
    check(
      (value as Record<string, unknown>)[key],
      escapes,
      escapes ? `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` : path,
      depth + 1,
    );
  }
}

/** The error for a text, or for the name of a member, inside the value at `path`. */
const unstorable = (path: string): ApiError =>
  explainedError('INVALID_ENCODING', 'INVALID_TEXT', fieldOf(path), { path });

/** The same checks for a value that did not arrive as a body. Throws INVALID_ENCODING, TOO_DEEP. */
export const checkJson = (value: unknown): void => check(value, true, '', 0);

/** Whether a text column of Postgres can store the text. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
