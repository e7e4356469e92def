/** Tables that this service wrote: exports, and rows that were rejected, come in again as they are. */
import { asGiven } from '../../../core/csv.js';
import type { Cell } from '../../../../engines/tables/xlsx.js';

/** The columns that an export has before those of the dataset. */
export const EXPORTED_COLUMNS = ['record_id', 'group_id', 'version'] as const;
/** The columns that `rejected.csv` adds after those of its file. */
export const REJECTED_COLUMNS = ['line', 'column', 'code', 'message'] as const;

export type OwnTable = ReturnType<typeof ownTable>;

/** By the names of the header; `isColumn`: of the dataset, which may have columns of the same names. */
export function ownTable(names: readonly string[], isColumn: (name: string) => boolean) {
  const before = EXPORTED_COLUMNS.length;
  const isExport = EXPORTED_COLUMNS.every(
    (name, index) => names[index] === name && (!isColumn(name) || names.includes(name, before)),
  );
  const isRejected = REJECTED_COLUMNS.every((name, index) => names.at(index - REJECTED_COLUMNS.length) === name);
  // Rows of an export that were rejected were written twice.
  const times = Number(isExport) + Number(isRejected);
  return {
    /** Where the columns of the dataset begin and end. */
    from: isExport ? before : 0,
    to: names.length - (isRejected ? REJECTED_COLUMNS.length : 0),
    /** Where the group of a record is said. */
    groupAt: isExport ? EXPORTED_COLUMNS.indexOf('group_id') : undefined,
    /** A cell as it was before this service wrote it. */
    given: (cell: Cell | undefined): Cell | undefined => {
      let text = cell;
      for (let time = 0; time < times && typeof text === 'string'; time++) text = asGiven(text);
      return text;
    },
  };
}
