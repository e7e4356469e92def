/** Finds records by words, tolerating typing errors. */
import { sql, type RawBuilder } from 'kysely';
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import type { Page, Range } from '../core/page.js';
import { trigramMatch } from '../core/trigram-match.js';
import { createRarestFirst } from '../core/trigram-frequencies.js';
import type { DatasetRecord, ReadableRecords, RecordSearch, SearchedWords } from './readable-records.js';
import type { RecordRow } from './records.js';
import { columnsWith, searchScope, trigramsOf } from './search.js';

export function createRecordFinding({ database, matching, open }: ReadableRecords, index: BlindTrigrams) {
  const rarestFirst = createRarestFirst(database, {
    schema: 'dataset_search',
    table: 'texts',
    columns: ['open', 'personal'],
  });

  /** The best match first. */
  return async function searchWords(
    dataset: number,
    words: SearchedWords,
    { conditions, groups, shared }: RecordSearch,
    range: Range,
  ): Promise<Page<DatasetRecord>> {
    const scope = searchScope(dataset);
    const searched = await rarestFirst(trigramsOf(index, scope, words.text));
    const kinds = shared ? (['open'] as const) : (['open', 'personal'] as const);
    const { score, found } = trigramMatch(
      kinds.map((kind) => sql.ref(`t.${kind}`)),
      searched,
      words.inAllColumns ? undefined : kinds.map((kind) => trigramsIn(kind, words.columns)),
    );
    // No filter by dataset: the hashes of different datasets differ, so an index of dataset ids would add cost without
    // effect.
    const hits = database
      .selectFrom('dataset_search.texts as t')
      .where(found)
      .select(['t.record', score.as('score')]);
    const record = matching(dataset, conditions, shared)
      .where('r.uuid', '=', sql<string>`h.record`)
      .$if(groups !== undefined, (all) => all.where('group_id', 'in', ['', ...groups!]))
      .select(['r.uuid', 'r.id'])
      // `offset 0` keeps the planner from scanning the whole table, because it cannot estimate how few records match.
      .offset(0);
    // Texts are compared only once, for both the page and the total.
    const { rows: all } = await sql<RecordRow & { readonly score: number; readonly total: number }>`
      with hits as materialized (${hits}), found as materialized (
        select r.*, h.score from hits h cross join lateral (${record}) r
      ), page as (
        select * from found order by score desc, id offset ${range.offset} limit ${range.limit}
      )
      select r.*, p.score, (select count(*) from found)::int as total
        from (select) one left join page p on true left join records.records r on r.uuid = p.uuid
       order by p.score desc, p.id`.execute(database);
    const total = all[0]!.total;
    const rows = all.filter(({ uuid }) => uuid !== null);
    const opened = await open(rows, shared);
    return {
      total,
      next: undefined,
      rows: opened.map(({ score: value, total: _total, ...row }) => ({
        ...row,
        match: { score: Math.round(Number(value) * 100) / 100, columns: columnsWith(index, scope, words, row.values) },
      })),
    };
  };
}

/** The trigrams of these columns alone: the caller may not learn from a match what other columns contain. */
const trigramsIn = (kind: 'open' | 'personal', columns: readonly string[]): RawBuilder<unknown> => {
  const [stored, codes, ends] = [kind, `${kind}_columns`, `${kind}_ends`].map((name) => sql.ref(`t.${name}`));
  return sql`array(
    select unnest(${stored}[c.start + 1 : c.stop])
      from unnest(${codes}, ${ends}, array[0] || ${ends}) as c (code, stop, start)
     where c.code = any (${columns}::text[]))`;
};
