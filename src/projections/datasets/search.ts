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

export const DATASET_SEARCH = { name: 'dataset_search', version: 1, prefixes: [RECORD_PREFIX] } as const;

interface Text {
  readonly record: string;
  readonly subject: string;
  readonly dataset_id: number;
  readonly open: readonly number[];
  readonly personal: readonly number[];
}

/** Maximum number of trigrams per record. The first columns take precedence. */
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
      return {
        record: event.stream.slice(RECORD_PREFIX.length),
        subject: event.stream,
        dataset_id: put.dataset_id,
        open: trigramsOf(index, scope, put.values),
        personal: trigramsOf(index, scope, put.personal_values ?? {}),
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
          `with given as (select * from json_to_recordset($1) as g (record uuid, subject text, dataset_id integer, open int[], personal int[])),
                alive as (select k.subject from vault.subject_keys k where k.subject in (select subject from given) and k.destroyed_at is null for share)
           insert into dataset_search.texts (record, subject, dataset_id, open, personal)
           select g.record, g.subject, g.dataset_id, g.open, case when a.subject is null then '{}' else g.personal end
             from given g left join alive a on a.subject = g.subject
           on conflict (record) do update set open = excluded.open, personal = excluded.personal`,
          [JSON.stringify(texts)],
        );
      });
    },
  });
}

/** The scope makes the hashes of a word different in each dataset. */
export const searchScope = (dataset: number): string => `dataset ${dataset}`;

/** The trigrams of all texts and numbers of a record. */
export function trigramsOf(index: BlindTrigrams, scope: string, values: Values): number[] {
  const found = new Set<number>();
  for (const value of Object.values(values))
    for (const text of textsIn(value)) for (const number of index.ofWords(scope, text)) found.add(number);
  return [...found].slice(0, MAX_TRIGRAMS);
}

/** Columns that contain at least one of the searched words. */
export function columnsWith(index: BlindTrigrams, scope: string, q: string, values: Values): string[] {
  const words = q.split(/\s+/).map((word) => trigramsOf(index, scope, { word }));
  return Object.keys(values).filter((column) => {
    const own = new Set(trigramsOf(index, scope, { [column]: values[column] }));
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
    { 'dataset_search.texts': { record: string; dataset_id: number; open: number[]; personal: number[] } }
  > {}
}
