/**
 * Cursors of lists. A cursor encodes the start of the next page as text that only this service interprets. It is bound
 * to the operation and its parameters, so it cannot continue another list. It contains keys of rows and no secret; the
 * operation authorizes each page.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { KeyMismatch, type After } from '../../sql/page-key.js';
import { invalidField } from './errors.js';

/** Fits a page of 200 rows, each with its key, of a list whose order changes. */
export const CURSOR_CHARACTERS = 8_000;

const keySchema = z
  .array(z.union([z.int(), z.string()]))
  .min(1)
  .max(8);
const placeSchema = z.tuple([keySchema.nullable(), z.array(keySchema).max(200)]);
const MARK_CHARACTERS = 11;

const invalid = () => invalidField('INVALID_CURSOR', 'cursor');

/** The position in a list as text. */
export const placeText = ({ key, seen }: After): string =>
  Buffer.from(JSON.stringify([key ?? null, seen])).toString('base64url');

/** The position in a list that a text encodes. Throws INVALID_INPUT. */
export function placeOf(text: string): After {
  const place = placeSchema.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!place.success) throw invalid();
  const [key, seen] = place.data;
  return { ...(key && { key }), seen };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Binds the cursors of a list to its name and filters; the list itself reads and writes only positions. Throws
 * INVALID_INPUT for a cursor of another list, for a cursor with other filters, and for a cursor together with a page
 * number.
 */
export function withBoundCursor<C>(name: string, run: (input: never, context: C) => Promise<unknown>) {
  return async (input: Members, context: C): Promise<unknown> => {
    const { cursor, page, per_page: _size, ...filters } = input as Members & { readonly cursor?: string };
    const mark = markOf(name, filters);
    if (cursor === undefined) return marked(await run(input as never, context), mark);
    if (page !== undefined) throw invalidField('CURSOR_WITH_PAGE', 'cursor');
    const place = cursor.slice(MARK_CHARACTERS);
    placeOf(place);
    if (!cursor.startsWith(mark)) throw invalidField('CURSOR_OF_OTHER_QUERY', 'cursor');
    try {
      return marked(await run({ ...input, cursor: place } as never, context), mark);
    } catch (error) {
      throw error instanceof KeyMismatch ? invalid() : error;
    }
  };
}

const markOf = (name: string, filters: Members): string =>
  createHash('sha256')
    .update(`${name} ${JSON.stringify(filters)}`)
    .digest('base64url')
    .slice(0, MARK_CHARACTERS);

function marked(result: unknown, mark: string): unknown {
  const { next_cursor: place } = result as { readonly next_cursor: string | null };
  return { ...(result as Members), next_cursor: place === null ? null : `${mark}${place}` };
}
