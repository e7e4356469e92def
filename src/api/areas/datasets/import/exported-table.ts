/** Tables that this service wrote: exports and `rejected.csv` can be imported again unchanged. */
import { unescapeFormulas } from '../../../core/csv.js';
import type { Cell } from '../../../../engines/file-reader/kinds/row.js';

/** Columns that precede the columns of the dataset in an export. */
export const EXPORTED_COLUMNS = ['record_id', 'group_id', 'version'] as const;
/** Columns that `rejected.csv` appends to the columns of the imported file. */
export const REJECTED_COLUMNS = ['line', 'column', 'code', 'message'] as const;

export type ExportedTable = ReturnType<typeof exportedTableOf>;

/**
 * Detects tables that this service exported by their header. `isColumn`: whether the dataset itself has a column with
 * this name.
 */
export function exportedTableOf(names: readonly string[], isColumn: (name: string) => boolean) {
  const exportColumnCount = EXPORTED_COLUMNS.length;
  const isExport = EXPORTED_COLUMNS.every(
    (name, index) => names[index] === name && (!isColumn(name) || names.includes(name, exportColumnCount)),
  );
  const isRejected = REJECTED_COLUMNS.every((name, index) => names.at(index - REJECTED_COLUMNS.length) === name);
  // Rejected rows of an export were written, and therefore escaped, twice.
  const times = Number(isExport) + Number(isRejected);
  return {
    /** Start and end of the columns of the dataset. */
    from: isExport ? exportColumnCount : 0,
    to: names.length - (isRejected ? REJECTED_COLUMNS.length : 0),
    /** Position of the group. */
    groupIndex: isExport ? EXPORTED_COLUMNS.indexOf('group_id') : undefined,
    /** The original value of a cell, before this service escaped it. */
    unescapeCell: (cell: Cell | undefined): Cell | undefined => {
      let text = cell;
      for (let time = 0; time < times && typeof text === 'string'; time++) text = unescapeFormulas(text);
      return text;
    },
  };
}
