/** Questions to the providers read model; concurrent ones go to the database as one. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import QuickLRU from 'quick-lru';
import type { ProviderRow } from './providers.js';

/** A provider without its table of raw statuses, which is long and seldom changes. */
export type ProviderHead = Omit<ProviderRow, 'mapping'>;

export interface ProviderQueries {
  readonly byId: (id: string) => Promise<ProviderHead | undefined>;
  /** The table as it stands at the head's revision. */
  readonly mapping: (head: ProviderHead) => Promise<ReadonlyMap<string, ProviderRow['mapping'][number]>>;
}

export function createProviderQueries(pool: Pool): ProviderQueries {
  const heads = new DataLoader<string, ProviderHead | undefined>(
    async (ids) => {
      const { rows } = await pool.query<ProviderHead>({ name: 'providers', text: 'select id, name, kind, may_open, revision from providers.providers where id = any ($1)', values: [ids] });
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );
  const mappings = new QuickLRU<string, ReadonlyMap<string, ProviderRow['mapping'][number]>>({ maxSize: 1_000 });

  return {
    byId: (id) => heads.load(id),
    async mapping({ id, revision }) {
      const known = mappings.get(`${id} ${revision}`);
      if (known) return known;
      const { rows } = await pool.query<Pick<ProviderRow, 'mapping' | 'revision'>>('select mapping, revision from providers.providers where id = $1', [id]);
      const table = new Map((rows[0]?.mapping ?? []).map((row) => [row.raw, row]));
      if (rows[0]) mappings.set(`${id} ${rows[0].revision}`, table);
      return table;
    },
  };
}
