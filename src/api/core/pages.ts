/** Pages of lists (specification 1, "Limits"): `page` from 1, `per_page` 1 to 200, 50 where nobody says. */
import { z } from 'zod';

export const pageInput = {
  page: z.int().min(1).max(1_000_000).default(1).describe('From 1.'),
  per_page: z.int().min(1).max(200).default(50),
};

export const pageOutput = { result: z.boolean(), total: z.int(), page: z.int(), per_page: z.int() };

interface Page {
  readonly page: number;
  readonly per_page: number;
}

export const rangeOf = ({ page, per_page }: Page): { readonly offset: number; readonly limit: number } => ({
  offset: (page - 1) * per_page,
  limit: per_page,
});
export const pageOf = ({ page, per_page }: Page, total: number) => ({ result: true, total, page, per_page });
