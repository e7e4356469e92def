/**
 * Pages of lists (specification 1, "Limits"): `page` from 1, `per_page` 1 to 200, 50 by default. `cursor` continues
 * after the last row of the previous page, so that rows that change in the meantime are neither skipped nor repeated.
 */
import { z } from 'zod';
import { CURSOR_CHARACTERS, placeOf, placeText } from './cursors.js';
import type { After, Range } from '../../sql/page-key.js';

/** Parameters of lists whose order no cursor can continue. */
export const numberedPageInput = {
  page: z.int().min(1).max(1_000_000).optional().meta({ default: 1, description: 'Page number, from 1.' }),
  per_page: z.int().min(1).max(200).default(50),
};

export const pageInput = {
  ...numberedPageInput,
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_CHARACTERS)
    .optional()
    .describe('`next_cursor` of the previous page, used instead of `page`. Keep the other parameters unchanged.'),
};

export const numberedPageOutput = {
  result: z.boolean(),
  total: z.int(),
  page: z.int().nullable().describe('Null if the page was read by `cursor`.'),
  per_page: z.int(),
};

export const pageOutput = {
  ...numberedPageOutput,
  next_cursor: z.string().nullable().describe('Value of `cursor` for the next page; null on the last page.'),
};

/** Output of a log: rows are only added, and are read in the order in which they were recorded. */
export const logOutput = {
  result: z.boolean(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('Send it as `cursor` to get the next page. Null: this is the last page.'),
};

/** `next`: the cursor of the next page; undefined: this is the last one. */
export const logPageOf = (next: string | undefined) => ({
  result: true,
  has_more: next !== undefined,
  next_cursor: next ?? null,
});

interface Page {
  readonly page?: number | undefined;
  readonly per_page: number;
  readonly cursor?: string | undefined;
}

/** Result of a list query. */
interface Found {
  readonly total: number;
  readonly next: After | undefined;
}

/** The range of rows of a page; throws INVALID_INPUT. */
export const rangeOf = ({ page = 1, per_page, cursor }: Page): Range => ({
  offset: (page - 1) * per_page,
  limit: per_page,
  ...(cursor !== undefined && { after: placeOf(cursor) }),
});

const numbered = ({ page = 1, per_page, cursor }: Page, total: number) => ({
  result: true,
  total,
  page: cursor === undefined ? page : null,
  per_page,
});

export const numberedPageOf = (page: Pick<Page, 'page' | 'per_page'>, total: number) => numbered(page, total);
export const pageOf = (page: Page, { total, next }: Found) => ({
  ...numbered(page, total),
  next_cursor: next ? placeText(next) : null,
});
