/** The public name of a business: its code, which never changes. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import QuickLRU from 'quick-lru';

/** Returns the code of a business, or its id if the code is not known yet. */
export type BusinessCodes = (id: string) => Promise<string>;

export function createBusinessCodes(pool: Pool): BusinessCodes {
  const known = new QuickLRU<string, string>({ maxSize: 10_000 });
  const codes = new DataLoader<string, string>(
    async (ids) => {
      const { rows } = await pool.query<{ id: string; code: string }>(
        'select id::text, code from businesses.businesses where id = any ($1::int[])',
        [ids],
      );
      for (const { id, code } of rows) known.set(id, code);
      return ids.map((id) => known.get(id) ?? id);
    },
    { cache: false },
  );
  return async (id) => known.get(id) ?? codes.load(id);
}
