/** Reads records: existing ones that match conditions, with their personal values decrypted if possible. */
import type { Kysely, RawBuilder } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { Values } from '../../events/datasets/events.js';
import type { Database } from '../core/database.js';
import { openRows } from '../core/sealed-members.js';
import { conditionOf, type Condition } from './conditions.js';
import type { RecordRow } from './records.js';

/** A record with all its values. Personal values are included if their key exists. */
export interface DatasetRecord extends Omit<RecordRow, 'sealed' | 'fields'> {
  readonly values: Values;
  /** For a search by words: the score of the match from 0 to 1, and the columns that contain the words. */
  readonly match?: { readonly score: number; readonly columns: readonly string[] };
}

export interface RecordSearch {
  readonly words?: SearchedWords | undefined;
  readonly conditions: readonly Condition[];
  /** Only in these groups. */
  readonly groups?: readonly string[] | undefined;
  readonly sort: readonly { readonly column: string; readonly desc: boolean }[];
  /** Without `sort`: the order of the groups. Records without a group come last. */
  readonly inOrder?: readonly string[] | undefined;
  /** For records of a partner: a condition that must hold. Personal values are then neither searched nor decrypted. */
  readonly shared?: Shared | undefined;
}

export interface SearchedWords {
  readonly text: string;
  /** Codes of the columns that the caller may read. Other columns affect neither the matches nor their scores. */
  readonly columns: readonly string[];
  /** Records have no other columns. */
  readonly inAllColumns: boolean;
}

/** An SQL condition that must hold when records are read; see `createSharedDatasets`. */
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
    // Encrypted values are removed for partners, and no key is loaded.
    const sealed = shared ? rows.map((row) => ({ ...row, sealed: [] })) : rows;
    const opened = await openRows<{ readonly personal_values?: Values }, Row>(sealed, keyRing);
    return opened.map(({ fields, personal_values, ...row }) => ({ ...row, values: { ...fields, ...personal_values } }));
  }

  return { database, of, matching, open };
}
