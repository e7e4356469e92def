/**
 * The search index of records, like the one of orders (projections/orders/search.ts). A follower decrypts each record
 * and writes keyed hashes of the trigrams of its values. Hashes of personal columns are stored separately. The
 * transaction that destroys the key also deletes them (trigger in migration 0022). They are written only while the key
 * exists.
 */
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import { decode, unseal } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { RECORD_PREFIX, RecordPut, RecordRemoved, type Values } from '../../events/datasets/events.js';
import { startFollower, type Follower } from '../core/follower.js';
import type { Parts } from '../core/parts.js';
import { MIN_SIMILARITY } from '../core/trigram-match.js';
import type { SearchedWords } from './readable-records.js';

export const DATASET_SEARCH = { name: 'dataset_search', version: 1, prefixes: [RECORD_PREFIX] } as const;

interface Text {
  readonly record: string;
  readonly subject: string;
  readonly dataset_id: number;
  readonly open: readonly number[];
  readonly open_columns: readonly string[];
  readonly open_ends: readonly number[];
  readonly personal: readonly number[];
  readonly personal_columns: readonly string[];
  readonly personal_ends: readonly number[];
}

/** Maximum number of trigrams per column. A limit per record would let one column displace the others. */
const MAX_TRIGRAMS = 2_000;

export function startDatasetSearch({
  types,
  keyRing,
  index,
  ...options
}: Parts<'log' | 'pool' | 'types' | 'keyRing' | 'index' | 'progress' | 'onError'> & { owner: LeaseHolder }): Follower {
  async function textsOf(events: readonly StoredEvent[]): Promise<Text[]> {
    const keys = await keyRing.existing(events.map(({ stream }) => stream));
    return events.map((event) => {
      const put = unseal(decode(event, types), event.id, keys) as unknown as {
        readonly dataset_id: number;
        readonly values: Values;
        readonly personal_values?: Values;
      };
      const scope = searchScope(put.dataset_id);
      const open = trigramsByColumn(index, scope, put.values);
      const personal = trigramsByColumn(index, scope, put.personal_values ?? {});
      return {
        record: event.stream.slice(RECORD_PREFIX.length),
        subject: event.stream,
        dataset_id: put.dataset_id,
        open: open.trigrams,
        open_columns: open.columns,
        open_ends: open.ends,
        personal: personal.trigrams,
        personal_columns: personal.columns,
        personal_ends: personal.ends,
      };
    });
  }

  return startFollower({
    ...options,
    reader: DATASET_SEARCH,
    background: true,
    async take(batch, commit) {
      // Only the last event of each record matters.
      const last = [...new Map(batch.events.map((event) => [event.stream, event])).values()];
      const texts = await textsOf(last.filter(({ type }) => type === RecordPut.type));
      const gone = last.filter(({ type }) => type === RecordRemoved.type).map(({ stream }) => stream);
      if (texts.length + gone.length === 0) return;
      await commit(async (db) => {
        await db.query('delete from dataset_search.texts where subject = any ($1)', [gone]);
        // The lock prevents the key from being destroyed between the check and the insert.
        await db.query(
          `with given as (
                  select * from json_to_recordset($1) as g (
                    record uuid, subject text, dataset_id integer, open int[], open_columns text[], open_ends int[],
                    personal int[], personal_columns text[], personal_ends int[])),
                alive as (select k.subject from vault.subject_keys k where k.subject in (select subject from given) and k.destroyed_at is null for share)
           insert into dataset_search.texts (
             record, subject, dataset_id, open, open_columns, open_ends, personal, personal_columns, personal_ends)
           select g.record, g.subject, g.dataset_id, g.open, g.open_columns, g.open_ends,
                  case when a.subject is null then '{}' else g.personal end,
                  case when a.subject is null then '{}' else g.personal_columns end,
                  case when a.subject is null then '{}' else g.personal_ends end
             from given g left join alive a on a.subject = g.subject
           on conflict (record) do update set
             open = excluded.open, open_columns = excluded.open_columns, open_ends = excluded.open_ends,
             personal = excluded.personal, personal_columns = excluded.personal_columns,
             personal_ends = excluded.personal_ends`,
          [JSON.stringify(texts)],
        );
      });
    },
  });
}

/** The scope makes the hashes of a word different in each dataset. */
export const searchScope = (dataset: number): string => `dataset ${dataset}`;

/** The trigrams of all texts and numbers of a value. */
export function trigramsOf(index: BlindTrigrams, scope: string, value: unknown): number[] {
  const found = new Set<number>();
  for (const text of textsIn(value)) for (const number of index.ofWords(scope, text)) found.add(number);
  return [...found].slice(0, MAX_TRIGRAMS);
}

/** The trigrams of a record, column after column, and the number of trigrams up to the end of each column. */
function trigramsByColumn(index: BlindTrigrams, scope: string, values: Values) {
  const [trigrams, columns, ends]: [number[], string[], number[]] = [[], [], []];
  for (const [column, value] of Object.entries(values)) {
    const found = trigramsOf(index, scope, value);
    if (found.length === 0) continue;
    trigrams.push(...found);
    columns.push(column);
    ends.push(trigrams.length);
  }
  return { trigrams, columns, ends };
}

/** The searched columns that contain at least one of the words. */
export function columnsWith(
  index: BlindTrigrams,
  scope: string,
  { text, columns }: Pick<SearchedWords, 'text' | 'columns'>,
  values: Values,
): string[] {
  const words = text.split(/\s+/).map((word) => trigramsOf(index, scope, word));
  return Object.keys(values).filter((column) => {
    if (!columns.includes(column)) return false;
    const own = new Set(trigramsOf(index, scope, values[column]));
    return words.some(
      (word) => word.length > 0 && word.filter((number) => own.has(number)).length >= MIN_SIMILARITY * word.length,
    );
  });
}

/** The texts of a value and of its members. Coordinates are not texts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => (typeof member === 'string' ? [member] : []));
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'dataset_search',
    {
      'dataset_search.texts': {
        record: string;
        dataset_id: number;
        open: number[];
        open_columns: string[];
        open_ends: number[];
        personal: number[];
        personal_columns: string[];
        personal_ends: number[];
      };
    }
  > {}
}
