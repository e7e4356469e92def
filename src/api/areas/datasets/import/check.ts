/** Checks the rows of a table: each becomes a record to write, or a list of errors. */
import type { DatasetRow } from '../../../../projections/datasets/datasets.js';
import { derivedId } from '../../../../events/otep/identity.js';
import { ApiError, type FieldError } from '../../../core/errors.js';
import type { JobHandle } from '../../jobs/kind.js';
import { expectGroup, keyOf, toPutCommand, uuidFor } from '../put-command.js';
import { referenceErrors, createReferenceCheck, type References } from '../references.js';
import { createValueCheck } from '../values.js';
import { CellError } from './cells.js';
import type { RowReader } from './mapping.js';
import type { ImportMode } from './mode.js';
import type { ImportColumns } from './import-columns.js';
import type { Row } from './read-table.js';

export interface ValidRow {
  readonly row: Row;
  readonly uuid: string;
  /** Derived from the job and the row, so that another attempt uses the same id. */
  readonly commandId: string;
  readonly put: ReturnType<typeof toPutCommand> & { readonly keepsGroup: boolean };
}
export interface InvalidRow {
  readonly row: Row;
  readonly errors: readonly Pick<FieldError, 'path' | 'code' | 'params'>[];
  /** Name of the record's stream, if its key could be read. */
  readonly uuid?: string | undefined;
}
export type CheckedRow = ValidRow | InvalidRow;

export interface RowCheckOptions {
  readonly dataset: DatasetRow;
  readonly reader: RowReader;
  readonly importColumns: ImportColumns;
  readonly job: Pick<JobHandle, 'id'>;
  readonly group_id: string | undefined;
  /** Column of the table that contains the group. */
  readonly group_from: string | undefined;
}

/** Throws COLUMN_NOT_IN_FILE if the table does not have the column for the group. */
export function createRowCheck({ dataset, reader, importColumns, job, group_id, group_from }: RowCheckOptions) {
  const check = createValueCheck(importColumns.columns);
  const { keeps } = importColumns;
  const defaultGroupIndex = group_id === undefined ? reader.groupIndex : undefined;
  const groupIndex = group_from === undefined ? defaultGroupIndex : reader.columnIndexOf(group_from);
  const keepsGroup = group_id === undefined && groupIndex === undefined;

  return (row: Row): CheckedRow => {
    let uuid: string | undefined;
    try {
      const values = reader.read(row.cells);
      uuid = keyedUuidOf(dataset, values);
      const checked = check(values, '');
      const groupCell = groupIndex === undefined ? group_id : (reader.unescapeCell(row.cells[groupIndex]) ?? undefined);
      const group = groupCell === undefined || groupCell === '' ? undefined : String(groupCell as string);
      expectGroup(dataset, group);
      return {
        row,
        uuid: uuidFor(dataset, checked, job.id, row.line),
        commandId: derivedId('imported', job.id, row.line),
        put: { ...toPutCommand(dataset, { group_id: group }, checked), keeps, keepsGroup },
      };
    } catch (error) {
      return { row, errors: errorsOf(error), uuid };
    }
  };
}

/** Turns rows with references to missing records into bad rows. A row may refer to an earlier row. */
export function createRowReferences(references: References, dataset: DatasetRow, mode: ImportMode) {
  const check = createReferenceCheck(references, dataset, mode !== 'update');
  return async (rows: readonly CheckedRow[]): Promise<CheckedRow[]> => {
    const validRows = rows.filter((row) => 'put' in row);
    const missing = await check(
      validRows.map(({ uuid, put }) => ({ uuid, values: { ...put.values, ...put.personalValues } })),
    );
    const errorsByRow = new Map(
      validRows.map((row, index) => [row as CheckedRow, referenceErrors(missing[index]!, '')]),
    );
    return rows.map((row) => {
      const errors = errorsByRow.get(row) ?? [];
      return errors.length === 0 ? row : { row: row.row, errors, uuid: row.uuid };
    });
  };
}

/** The stream name of a row with possibly invalid values; undefined if the key is neither text nor number. */
function keyedUuidOf(dataset: DatasetRow, values: Record<string, unknown>): string | undefined {
  const key = keyOf(dataset, { plain: values, personal: undefined });
  return typeof key === 'string' || typeof key === 'number'
    ? uuidFor(dataset, { plain: values, personal: undefined }, '', 0)
    : undefined;
}

function errorsOf(error: unknown): InvalidRow['errors'] {
  if (error instanceof CellError) return [{ path: `/${error.column}`, code: error.code }];
  if (error instanceof ApiError)
    return error.errors.length > 0 ? error.errors : [{ path: '', code: error.code, params: error.params }];
  throw error;
}
