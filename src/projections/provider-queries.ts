/** Questions to the providers read model; concurrent ones go to the database as one. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import type { ProviderRow } from './providers.js';

export function createProviderQueries(pool: Pool): (id: string) => Promise<ProviderRow | undefined> {
  const rows = new DataLoader<string, ProviderRow | undefined>(
    async (ids) => {
      const { rows } = await pool.query<ProviderRow>({ name: 'providers', text: 'select * from providers.providers where id = any ($1)', values: [[...new Set(ids)]] });
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );
  return (id) => rows.load(id);
}
