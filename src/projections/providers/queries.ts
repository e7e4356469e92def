/** Queries on the read model of providers. Concurrent queries are combined into one database query. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import QuickLRU from 'quick-lru';
import type { Network } from '../../events/otep/networks.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import { StatusTable } from './status-table.js';
import type { ProviderRow } from './read-model.js';

/** A provider without its mapping of raw statuses, which is large and rarely changes. */
export type ProviderHead = Omit<ProviderRow, 'mapping'>;

/** The provider that an API key authenticates. */
export interface KeyHolder {
  readonly keyId: string;
  readonly provider: ProviderHead;
}

export type ProviderQueries = ReturnType<typeof createProviderQueries>;

export function createProviderQueries(pool: Pool) {
  const holders = new DataLoader<Buffer, KeyHolder | undefined, string>(
    async (hashes) => {
      const { rows } = await pool.query<ProviderHead & { key_id: string; hash: Buffer }>({
        name: 'key-holders',
        text: `select k.id as key_id, k.hash, p.id, p.name, p.kind, p.may_open, p.carrier_codes, p.network, p.revision from access.provider_keys k join providers.providers p on p.id = k.provider
                where k.hash = any ($1) and (k.expires_at is null or k.expires_at > now())`,
        values: [hashes],
      });
      const found = new Map(
        rows.map(({ key_id, hash, ...provider }) => [hash.toString('hex'), { keyId: key_id, provider }]),
      );
      return hashes.map((hash) => found.get(hash.toString('hex')));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );
  const mappings = new QuickLRU<string, ReadonlyMap<string, ProviderRow['mapping'][number]>>({ maxSize: 1_000 });

  return {
    /**
     * Finds the holder of a valid API key, by the key's SHA-256. Not cached, so that a revocation takes effect
     * immediately.
     */
    byKeyHash: (hash: Buffer): Promise<KeyHolder | undefined> => holders.load(hash),
    async byId(id: string): Promise<ProviderHead | undefined> {
      const { rows } = await pool.query<ProviderHead>({
        name: 'provider',
        text: 'select id, name, kind, may_open, carrier_codes, network, revision from providers.providers where id = $1',
        values: [id],
      });
      return rows[0];
    },
    /** The status mapping at the revision of the head. */
    async mapping({ id, revision }: ProviderHead): Promise<ReadonlyMap<string, ProviderRow['mapping'][number]>> {
      const known = mappings.get(`${id} ${revision}`);
      if (known) return known;
      const { rows } = await pool.query<Pick<ProviderRow, 'mapping' | 'revision'>>(
        'select mapping, revision from providers.providers where id = $1',
        [id],
      );
      const table = new StatusTable(rows[0]?.mapping ?? []);
      if (rows[0]) mappings.set(`${id} ${rows[0].revision}`, table);
      return table;
    },
  };
}

const BY_ID: ListKey = { columns: { id: KEY.text } };

/** The providers, sorted by id. */
export const createProviderList =
  ({ database }: Parts<'database'>) =>
  (range: Range): Promise<Page<ProviderHead>> =>
    pageOf(
      database
        .selectFrom('providers.providers')
        .select(['id', 'name', 'kind', 'may_open', 'carrier_codes', 'network', 'revision']),
      range,
      BY_ID,
    );

/** The networks of providers, by id. Not cached, so that a change takes effect immediately. */
export function createNetworkQuery(pool: Pool): (ids: readonly string[]) => Promise<ReadonlyMap<string, Network>> {
  const networks = new DataLoader<string, Network | null>(
    async (ids) => {
      const { rows } = await pool.query<{ id: string; network: Network }>({
        name: 'provider-networks',
        text: 'select id, network from providers.providers where id = any ($1) and network is not null',
        values: [ids],
      });
      const found = new Map(rows.map(({ id, network }) => [id, network]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false, batchScheduleFn: setImmediate },
  );
  return async (ids) => {
    const found = await Promise.all(ids.map(async (id) => [id, await networks.load(id)] as const));
    return new Map(found.flatMap(([id, network]) => (network ? [[id, network] as const] : [])));
  };
}
