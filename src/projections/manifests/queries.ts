/** Queries on manifests, and on the labels that the next end of the day submits. */
import { sql, type Kysely } from 'kysely';
import type { ManifestStatus } from '../../events/manifests/manifest.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { ManifestRow } from './read-model.js';

export interface ManifestFilter extends Range {
  readonly statuses?: readonly ManifestStatus[] | undefined;
  readonly accountId?: number | undefined;
  readonly shipDate?: string | undefined;
}

export interface OpenLabelFilter {
  readonly accountIds?: readonly number[] | undefined;
  readonly shipDate?: string | undefined;
}

/** A label order that no manifest has. */
export interface OpenLabel {
  readonly id: number;
  readonly account_id: number;
  readonly adapter: string;
  readonly ship_date: string;
  readonly packages: number;
}

export type ManifestQueries = ReturnType<typeof createManifestQueries>;

export function createManifestQueries(database: Kysely<Database>) {
  const of = (business: number) =>
    database.selectFrom('manifests.manifests').selectAll().where('business', '=', business);

  return {
    byId: (id: number, business: number): Promise<ManifestRow | undefined> =>
      of(business).where('id', '=', id).executeTakeFirst(),

    /** Newest first. */
    list: (
      { statuses, accountId, shipDate, ...range }: ManifestFilter,
      business: number,
    ): Promise<Page<ManifestRow>> => {
      const found = of(business)
        .$if(statuses !== undefined, (query) => query.where('status', 'in', [...statuses!]))
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
        .$if(shipDate !== undefined, (query) => query.where('ship_date', '=', shipDate!));
      return pageOf(found, range, NEWEST_FIRST);
    },

    /** Ids of manifests that were opened before, and whose labels are not listed yet. Oldest first. */
    async opening(before: string, limit: number): Promise<readonly number[]> {
      const rows = await database
        .selectFrom('manifests.manifests')
        .select('id')
        .where('status', '=', 'opening')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Manifests with a document that is not stored, opened since this time. Oldest first. */
    async withMissingDocuments(since: string, limit: number): Promise<readonly number[]> {
      const rows = await database
        .selectFrom('manifests.manifests')
        .select('id')
        .where('is_document_missing', '=', true)
        .where('created_at', '>=', since)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Sorted by account, ship date and id. */
    openLabels: (
      { accountIds, shipDate }: OpenLabelFilter,
      business: number,
      limit: number,
    ): Promise<readonly OpenLabel[]> =>
      database
        .selectFrom('labels.labels')
        .select([
          'id',
          'account_id',
          'adapter',
          'ship_date',
          sql<number>`json_array_length(details -> 'packages')`.as('packages'),
        ])
        .where('business', '=', business)
        .where('state', '=', 'LABEL_PURCHASED')
        .where(sql<boolean>`labels -> 'manifest' is null`)
        .$if(accountIds !== undefined, (query) => query.where('account_id', 'in', [...accountIds!]))
        .$if(shipDate !== undefined, (query) => query.where('ship_date', '=', shipDate!))
        .orderBy('account_id')
        .orderBy('ship_date')
        .orderBy('id')
        .limit(limit)
        .execute(),
  };
}
