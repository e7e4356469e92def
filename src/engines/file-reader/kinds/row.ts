/** Rows of tables. */

/** The value as the workbook stores it: a text stays a text, even if it looks like a number. Null: empty. */
export type Cell = string | number | boolean | Date | null;

export interface Row {
  /** Line in the file, starting at 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}
