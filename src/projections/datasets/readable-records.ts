/** Records as they may be read: what is there, what fits conditions, and what of it can be opened. */
import type { Kysely, RawBuilder } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Values } from '../../events/datasets/events.js';
import type { Database } from '../core/database.js';
import { openRows } from '../core/sealed-members.js';
import { conditionOf, type Condition } from './conditions.js';
import type { RecordRow } from './records.js';

/** A record with all its values, the personal ones as far as their key is there. */
export interface DatasetRecord extends Omit<RecordRow, 'sealed' | 'fields'> {
  readonly values: Values;
  /** Where it was searched by words: how well it fits, from 0 to 1, and in which columns the words are. */
  readonly match?: { readonly score: number; readonly columns: readonly string[] };
}

export interface RecordSearch {
  readonly q?: string | undefined;
  readonly conditions: readonly Condition[];
  /** Only in these groups. */
  readonly groups?: readonly string[] | undefined;
  readonly sort: readonly { readonly column: string; readonly desc: boolean }[];
  /** Without `sort`: those of the first of these groups come first, those in none last. */
  readonly inOrder?: readonly string[] | undefined;
  /** Of what a partner shows: only while this holds, and nothing personal, neither found nor opened. */
  readonly shared?: Shared | undefined;
}

/** What must hold when records are read; see `createSharedDatasets`. */
export type Shared = RawBuilder<boolean>;

export type ReadableRecords = ReturnType<typeof readableRecords>;

export function readableRecords(database: Kysely<Database>, keyRing: KeyRing) {
  const of = (dataset: number, shared?: Shared) =>
    database
      .selectFrom('records.records as r')
      .where('r.dataset_id', '=', dataset)
      .where('r.removed', '=', false)
      .$if(shared !== undefined, (query) => query.where(shared!));
  const matching = (dataset: number, conditions: readonly Condition[], shared?: Shared) =>
    conditions.reduce((query, condition) => query.where(conditionOf(condition)), of(dataset, shared));

  async function open<Row extends RecordRow>(rows: readonly Row[], shared?: Shared) {
    // What is sealed stays so for partners: no key is asked for.
    const sealed = shared ? rows.map((row) => ({ ...row, sealed: [] })) : rows;
    const opened = await openRows<{ readonly personal_values?: Values }, Row>(sealed, keyRing);
    return opened.map(({ fields, personal_values, ...row }) => ({ ...row, values: { ...fields, ...personal_values } }));
  }

  return { database, of, matching, open };
}
