/**
 * The search index of records, like the one of orders (projections/orders/search.ts). A follower decrypts each record
 * and writes keyed hashes of the trigrams of its values. Hashes of personal columns are stored separately. The
 * transaction that destroys the key also deletes them (trigger in migration 0022). They are written only while the key
 * exists.
 */
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import { decode, unseal, type KeyRing } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { createTimeSlices } from '../../events/core/time-slices.js';
import { RECORD_PREFIX, RecordPut, RecordRemoved, type Values } from '../../events/datasets/events.js';
import { startFollower, type Follower } from '../core/follower.js';
import type { Parts } from '../core/parts.js';
import { MIN_SIMILARITY } from '../core/trigram-match.js';
import type { SearchedWords } from './readable-records.js';

export const DATASET_SEARCH = { name: 'dataset_search', version: 1, prefixes: [RECORD_PREFIX] } as const;

/** A row of the index. */
export interface RecordText {
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

/** The searched values of a record. */
interface PutValues {
  readonly dataset_id: number;
  readonly values: Values;
  readonly personal_values?: Values;
}

/** Maximum number of trigrams per column. */
const MAX_PER_COLUMN = 2_000;
/** Maximum number of trigrams per record. Its columns share them fairly, so that no column displaces the others. */
const MAX_PER_RECORD = 4_000;
/** Number of trigrams after which a statement takes no more records. */
const MAX_PER_STATEMENT = 100_000;

export function startDatasetSearch({
  types,
  keyRing,
  index,
  ...options
}: Parts<'log' | 'pool' | 'types' | 'keyRing' | 'index' | 'progress' | 'onError'> & { owner: LeaseHolder }): Follower {
  return startFollower({
    ...options,
    reader: DATASET_SEARCH,
    background: true,
    async take(batch, commit) {
      // Only the last event of each record matters.
      const last = [...new Map(batch.events.map((event) => [event.stream, event])).values()];
      const texts = await textsOf(
        last.filter(({ type }) => type === RecordPut.type),
        { types, keyRing, index },
      );
      const gone = last.filter(({ type }) => type === RecordRemoved.type).map(({ stream }) => stream);
      if (texts.length + gone.length === 0) return;
      await commit(async (db) => {
        await db.query('delete from dataset_search.texts where subject = any ($1)', [gone]);
        // The lock prevents the keys from being destroyed between the check and the insert.
        const { rows } = await db.query<{ subject: string }>(
          'select subject from vault.subject_keys where subject = any ($1) and destroyed_at is null for share',
          [texts.map(({ subject }) => subject)],
        );
        const alive = new Set(rows.map(({ subject }) => subject));
        const readable = texts.map((text) => (alive.has(text.subject) ? text : { ...text, ...NO_PERSONAL }));
        for (const part of statementsOf(readable))
          await db.query(
            `insert into dataset_search.texts (
               record, subject, dataset_id, open, open_columns, open_ends, personal, personal_columns, personal_ends)
             select record, subject, dataset_id, open, open_columns, open_ends, personal, personal_columns, personal_ends
               from json_to_recordset($1) as g (
                 record uuid, subject text, dataset_id integer, open int[], open_columns text[], open_ends int[],
                 personal int[], personal_columns text[], personal_ends int[])
             on conflict (record) do update set
               open = excluded.open, open_columns = excluded.open_columns, open_ends = excluded.open_ends,
               personal = excluded.personal, personal_columns = excluded.personal_columns,
               personal_ends = excluded.personal_ends`,
            [JSON.stringify(part)],
          );
      });
    },
  });
}

/** The scope makes the hashes of a word different in each dataset. */
export const searchScope = (dataset: number): string => `dataset ${dataset}`;

/** Computes the texts of records in time slices, between which other requests run. */
export async function textsOf(
  events: readonly StoredEvent[],
  { types, keyRing, index }: Parts<'types' | 'index'> & { readonly keyRing: Pick<KeyRing, 'existing'> },
): Promise<RecordText[]> {
  const keys = await keyRing.existing(events.map(({ stream }) => stream));
  const nextTurn = createTimeSlices();
  const texts: RecordText[] = [];
  for (const event of events) {
    await nextTurn();
    const put = unseal(decode(event, types), event.id, keys) as unknown as PutValues;
    const subject = event.stream;
    texts.push({ record: subject.slice(RECORD_PREFIX.length), subject, ...recordTrigrams(index, put) });
  }
  return texts;
}

const NO_PERSONAL = { personal: [], personal_columns: [], personal_ends: [] } as const;

/** The texts in parts, so that a statement has a limited size. */
export function* statementsOf<T extends Pick<RecordText, 'open' | 'personal'>>(texts: readonly T[]): Iterable<T[]> {
  let [part, size]: [T[], number] = [[], 0];
  for (const text of texts) {
    part.push(text);
    size += text.open.length + text.personal.length;
    if (size < MAX_PER_STATEMENT) continue;
    yield part;
    [part, size] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** The trigrams of all texts and numbers of a value. */
export function trigramsOf(index: BlindTrigrams, scope: string, value: unknown, limit = MAX_PER_COLUMN): number[] {
  const found = new Set<number>();
  for (const text of textsIn(value)) {
    if (found.size >= limit) break;
    for (const number of index.ofWords(scope, text, limit - found.size)) found.add(number);
  }
  return [...found];
}

/**
 * Numbers of trigrams that the columns may have, in their order. Each column gets as many as it needs, or at least an
 * equal share of `MAX_PER_RECORD`; columns that need more share the rest.
 */
function sharesOf(index: BlindTrigrams, values: readonly unknown[]): number[] {
  const needs = values.map((value) =>
    Math.min(
      MAX_PER_COLUMN,
      textsIn(value).reduce((sum, text) => sum + index.countOfWords(text), 0),
    ),
  );
  let left = MAX_PER_RECORD;
  const shares = needs.map(() => 0);
  for (const [at, column] of [...needs.keys()].sort((a, b) => needs[a]! - needs[b]!).entries()) {
    shares[column] = Math.min(needs[column]!, Math.floor(left / (needs.length - at)));
    left -= shares[column];
  }
  return shares;
}

/**
 * The trigrams of a record, column after column, and the number of trigrams up to the end of each column: of its open
 * columns, and of its personal ones.
 */
export function recordTrigrams(index: BlindTrigrams, { dataset_id, values, personal_values = {} }: PutValues) {
  const shares = sharesOf(index, [...Object.values(values), ...Object.values(personal_values)]);
  const scope = searchScope(dataset_id);
  const open = trigramsByColumn(values, (value, at) => trigramsOf(index, scope, value, shares[at]));
  const openCount = Object.keys(values).length;
  const personal = trigramsByColumn(personal_values, (value, at) =>
    trigramsOf(index, scope, value, shares[openCount + at]),
  );
  return {
    dataset_id,
    open: open.trigrams,
    open_columns: open.columns,
    open_ends: open.ends,
    personal: personal.trigrams,
    personal_columns: personal.columns,
    personal_ends: personal.ends,
  };
}

function trigramsByColumn(values: Values, trigramsAt: (value: unknown, at: number) => readonly number[]) {
  const [trigrams, columns, ends]: [number[], string[], number[]] = [[], [], []];
  for (const [at, [column, value]] of Object.entries(values).entries()) {
    const found = trigramsAt(value, at);
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
  const searched = Object.keys(values).filter((column) => columns.includes(column));
  const shares = sharesOf(
    index,
    searched.map((column) => values[column]),
  );
  return searched.filter((column, at) => {
    const own = new Set(trigramsOf(index, scope, values[column], shares[at]));
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
