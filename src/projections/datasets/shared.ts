/** Datasets of a partner, through active grants. The statement that reads the data also checks the grants. */
import { sql, type Kysely } from 'kysely';
import type { Column } from '../../events/datasets/columns.js';
import { grantsTo, useOf, type Taker, type Via } from '../alliances/active-grants.js';
import { readShown, type Shown } from '../alliances/read-shared.js';
import type { Database } from '../core/database.js';
import type { Range } from '../core/page.js';
import type { DatasetRow } from './datasets.js';
import type { Shared } from './readable-records.js';

export interface SharedDataset {
  readonly via: Via;
  /** The dataset without its personal and hidden columns. */
  readonly row: DatasetRow;
  readonly records: number;
  /** Number of records by group, if requested. */
  readonly inGroups: ReadonlyMap<string, number>;
}

export interface SharedDatasetFilter {
  /** Only this dataset; absent: all. */
  readonly id?: number;
  /** The subject of the recorded use; empty: a list. */
  readonly subject: string;
  readonly withGroups?: boolean;
}

export type SharedDatasets = ReturnType<typeof createSharedDatasets>;

type Found = DatasetRow & { readonly records: number; readonly in_groups: Readonly<Record<string, number>> | null };

/** `now`: milliseconds since 1970. */
export function createSharedDatasets(database: Kysely<Database>, now: () => number) {
  const time = (): string => new Date(now()).toISOString();
  return {
    /** Sorted by id. `granted`: whether there is any grant. */
    async list(
      taker: Taker,
      { id, subject, withGroups = false }: SharedDatasetFilter,
      range: Range,
    ): Promise<Omit<Shown<never>, 'found'> & { readonly datasets: readonly SharedDataset[] }> {
      const at = time();
      const { found, ...counted } = await readShown<Found>(
        database,
        {
          granted: grantsTo(taker, 'datasets', at),
          shown: sql`
            select distinct on (d.id) g.alliance_id, g.grant_id, d.*
              from granted g
              join datasets.datasets d on d.business = g.from_business and d.id = any (g.dataset_ids)
             where not d.archived and ${id === undefined ? sql`true` : sql`d.id = ${id}`}
             order by d.id, g.alliance_id, g.grant_id`,
          used: useOf(taker, 'datasets', subject, at),
          more: sql`,
            (select count(*) from records.records r where r.dataset_id = found.id and not r.removed)::int as records,
            ${withGroups ? IN_GROUPS : sql`null`} as in_groups`,
        },
        range,
      );
      return {
        ...counted,
        datasets: found.map(({ via, row: { records, in_groups, ...row } }) => ({
          via,
          row: { ...row, columns: shownColumns(row.columns) },
          records,
          inGroups: new Map(Object.entries(in_groups ?? {})),
        })),
      };
    },
    /** The condition that a statement must contain when it reads records of the dataset. */
    whileGranted: (taker: Taker, dataset: number): Shared =>
      sql<boolean>`exists (select from (${grantsTo(taker, 'datasets', time())}) g
                    where ${dataset}::int = any (g.dataset_ids))`,
  };
}

/** Removes the target dataset of references, because the partner may have no grant for that dataset. */
const shownColumns = (columns: readonly Column[]): Column[] =>
  columns
    .filter(({ personal, hidden }) => !personal && !hidden)
    .map(({ reference: _dataset, reference_key: _key, ...column }) => column);

const IN_GROUPS = sql`(
  select json_object_agg(c.group_id, c.count)
    from (select r.group_id, count(*)::int as count from records.records r
           where r.dataset_id = found.id and not r.removed and r.group_id is not null group by r.group_id) c)`;
