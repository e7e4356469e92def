/** Tables with only some of the columns: the other columns of an existing record keep their values. */
import type { Column } from '../../../../events/datasets/columns.js';
import type { DatasetRow } from '../../../../projections/datasets/datasets.js';
import type { ImportMode } from './mode.js';

export interface ImportColumns {
  /** Columns that keep their values. */
  readonly keeps: readonly string[];
  /** Columns among these that are required. A table without them cannot create records. */
  readonly missingColumns: readonly string[];
  /** Columns for checking the rows: those in `keeps` are not required. */
  readonly columns: readonly Column[];
}

/** `mappedColumns`: the columns for which the table has a cell or a member. The key is always required. */
export function importColumnsOf(
  { columns, key_column: key }: Pick<DatasetRow, 'columns' | 'key_column'>,
  mappedColumns: ReadonlySet<string>,
  mode: ImportMode,
): ImportColumns {
  const unmappedColumns = columns.filter(
    ({ code, hidden }) => hidden || (mode !== 'insert' && code !== key && !mappedColumns.has(code)),
  );
  const keeps = new Set(unmappedColumns.map(({ code }) => code));
  return {
    keeps: [...keeps],
    missingColumns: unmappedColumns.filter(({ required, hidden }) => required && !hidden).map(({ code }) => code),
    columns: columns.map((column) => (keeps.has(column.code) ? { ...column, required: false } : column)),
  };
}
