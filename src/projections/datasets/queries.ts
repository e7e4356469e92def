/** Queries on the read models of datasets and their records. */
import { sql, type Kysely } from 'kysely';
import { sealedOf, unseal } from '../../events/core/codec.js';
import type { Values } from '../../events/datasets/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import type { Condition } from './conditions.js';
import type { DatasetRow } from './datasets.js';
import { createRecordFinding } from './finding.js';
import { readableRecords, type DatasetRecord, type RecordSearch, type Shared } from './readable-records.js';
import type { RecordRow } from './records.js';

export interface PresentRecord {
  readonly group: string | undefined;
  readonly version: number;
  readonly values: Values;
  /** Undefined: the record has no personal values, or they are erased. */
  readonly personalValues: Values | undefined;
  /** The personal values were encrypted with a key that has been destroyed. */
  readonly erased: boolean;
}

export type DatasetQueries = ReturnType<typeof createDatasetQueries>;

export type RecordQueries = ReturnType<typeof createRecordQueries>;

export function createDatasetQueries(database: Kysely<Database>) {
  const of = (business: number) =>
    database.selectFrom('datasets.datasets').where('business', '=', business).where('archived', '=', false);
  const present = () => database.selectFrom('records.records').where('removed', '=', false);
  return {
    /** Datasets that are not archived, sorted by id. */
    list: (business: number, range: Range): Promise<Page<DatasetRow>> => pageOf(of(business).selectAll(), range, BY_ID),
    byId: (id: number, business: number): Promise<DatasetRow | undefined> =>
      of(business).where('id', '=', id).selectAll().executeTakeFirst(),
    byKind: (business: number, kind: DatasetRow['kind']): Promise<readonly DatasetRow[]> =>
      of(business).where('kind', '=', kind).selectAll().orderBy('id').execute(),
    /** Whether a dataset that is not archived has this code, and the number of such datasets. */
    async codeUsage(business: number, code: string): Promise<{ readonly taken: boolean; readonly count: number }> {
      const rows = await of(business).select('code').execute();
      return { taken: rows.some((row) => row.code === code), count: rows.length };
    },
    /** Number of records by dataset. */
    async counts(datasets: readonly number[]): Promise<ReadonlyMap<number, number>> {
      const rows = await present()
        .where('dataset_id', 'in', [-1, ...datasets])
        .groupBy('dataset_id')
        .select(({ fn }) => ['dataset_id', fn.countAll().as('count')] as const)
        .execute();
      return new Map(rows.map(({ dataset_id, count }) => [dataset_id, Number(count)]));
    },
    /** Number of records by group, without records that are in no group. */
    async groupCounts(dataset: number): Promise<ReadonlyMap<string, number>> {
      const rows = await present()
        .where('dataset_id', '=', dataset)
        .where('group_id', 'is not', null)
        .groupBy('group_id')
        .select(({ fn }) => ['group_id', fn.countAll().as('count')] as const)
        .execute();
      return new Map(rows.map(({ group_id, count }) => [group_id!, Number(count)]));
    },
  };
}

export type RecordQueryOptions = Parts<'database' | 'keyRing' | 'index'>;

export function createRecordQueries({ database, keyRing, index }: RecordQueryOptions) {
  const records = readableRecords(database, keyRing);
  const { of, matching, open } = records;
  const searchWords = createRecordFinding(records, index);

  return {
    /** With words: the best match first. Otherwise in the order of `sort`, or by id. */
    async search(dataset: number, search: RecordSearch, range: Range): Promise<Page<DatasetRecord>> {
      const { words, conditions, groups, sort, inOrder = [], shared } = search;
      if (words) return searchWords(dataset, words, search, range);
      const query = matching(dataset, conditions, shared)
        .$if(groups !== undefined, (all) => all.where('group_id', 'in', ['', ...groups!]))
        .selectAll();
      const { rows, ...page } = await pageOf(query, range, BY_ID, (all) =>
        sort
          .reduce(
            (sorted, { column, desc }) =>
              sorted.orderBy(sql`fields -> ${column}::text`, (order) =>
                (desc ? order.desc() : order.asc()).nullsLast(),
              ),
            all,
          )
          .$if(sort.length === 0 && inOrder.length > 0, (sorted) =>
            sorted.orderBy(sql`array_position(${[...inOrder]}::text[], group_id)`, (order) => order.asc().nullsLast()),
          )
          .orderBy('id'),
      );
      return { ...page, rows: await open(rows, shared) };
    },
    byId: async (id: number, dataset: number, shared?: Shared): Promise<DatasetRecord | undefined> =>
      (await open(await of(dataset, shared).where('id', '=', id).selectAll().execute(), shared))[0],
    /** The id of the record's stream, also for a removed record. */
    async uuidOf(id: number, dataset: number): Promise<string | undefined> {
      const row = await database
        .selectFrom('records.records')
        .where('dataset_id', '=', dataset)
        .where('id', '=', id)
        .select('uuid')
        .executeTakeFirst();
      return row?.uuid;
    },
    /** The existing records of these streams. */
    async present(uuids: readonly string[]): Promise<ReadonlyMap<string, PresentRecord>> {
      if (uuids.length === 0) return new Map();
      const rows = await database
        .selectFrom('records.records')
        .where('uuid', 'in', [...uuids])
        .where('removed', '=', false)
        .select(['uuid', 'group_id', 'version', 'fields', 'sealed'])
        .execute();
      const subjects = rows.flatMap(({ sealed }) => sealed.flatMap(({ data }) => sealedOf(data)?.subject ?? []));
      const keys = await keyRing.existing([...new Set(subjects)]);
      return new Map(
        rows.map(({ uuid, group_id, version, fields, sealed }) => {
          const [one] = sealed;
          const subject = one && sealedOf(one.data)?.subject;
          const opened = one && (unseal(one.data, one.id, keys) as { readonly personal_values?: Values });
          const erased = subject !== undefined && !keys.has(subject);
          const personalValues = opened?.personal_values;
          return [uuid, { group: group_id ?? undefined, version, values: fields, personalValues, erased }];
        }),
      );
    },
    /** The streams among these that have an existing record. */
    async existing(uuids: readonly string[]): Promise<ReadonlySet<string>> {
      if (uuids.length === 0) return new Set();
      const found = database
        .selectFrom('records.records')
        .where('uuid', 'in', [...uuids])
        .where('removed', '=', false);
      return new Set((await found.select('uuid').execute()).map(({ uuid }) => uuid));
    },
    /** The ids among these that are existing records of the dataset. */
    async existingIds(dataset: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
      if (ids.length === 0) return new Set();
      return new Set(
        (
          await of(dataset)
            .where('id', 'in', [...ids])
            .select('id')
            .execute()
        ).map(({ id }) => id),
      );
    },
    /** Records sorted by id, starting after the id `after`. */
    after: async (
      dataset: number,
      after: number,
      conditions: readonly Condition[],
      limit: number,
    ): Promise<DatasetRecord[]> =>
      open(
        await matching(dataset, conditions)
          .where('r.id', '>', after)
          .selectAll()
          .orderBy('r.id')
          .limit(limit)
          .execute(),
      ),
    /** Only values without personal data, read without keys: for maps and geocoding. */
    open: (
      dataset: number,
      conditions: readonly Condition[],
      limit: number,
    ): Promise<readonly Pick<RecordRow, 'id' | 'fields'>[]> =>
      matching(dataset, conditions).select(['id', 'fields']).orderBy('id').limit(limit).execute(),
  };
}
