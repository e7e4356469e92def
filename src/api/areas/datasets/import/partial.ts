/** A table that has a part of the columns leaves the others of a known record as they are. */
import type { Column } from '../../../../events/datasets/columns.js';
import type { DatasetRow } from '../../../../projections/datasets/datasets.js';
import type { ImportMode } from './mode.js';

export interface Partial {
  /** Columns that keep what stands there. */
  readonly keeps: readonly string[];
  /** Of these, those that a new record must have: such a table makes none. */
  readonly lacks: readonly string[];
  /** As the rows are checked. */
  readonly columns: readonly Column[];
}

/** `told`: the columns of which the table has a cell, whole or a member. The key is always needed. */
export function partialOf(
  { columns, key_column: key }: Pick<DatasetRow, 'columns' | 'key_column'>,
  told: ReadonlySet<string>,
  mode: ImportMode,
): Partial {
  const untold = columns.filter(({ code, hidden }) => hidden || (mode !== 'insert' && code !== key && !told.has(code)));
  const keeps = new Set(untold.map(({ code }) => code));
  return {
    keeps: [...keeps],
    lacks: untold.filter(({ required, hidden }) => required && !hidden).map(({ code }) => code),
    columns: columns.map((column) => (keeps.has(column.code) ? { ...column, required: false } : column)),
  };
}
