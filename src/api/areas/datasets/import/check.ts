/** Checks the rows of a table: each becomes a record to write, or a list of errors. */
import type { DatasetRow } from '../../../../projections/datasets/datasets.js';
import { derivedId } from '../../../../events/otep/identity.js';
import { ApiError, type FieldError } from '../../../core/errors.js';
import type { JobHandle } from '../../jobs/kind.js';
import { expectGroup, keyOf, toPut, uuidFor } from '../put.js';
import { brokenErrors, createReferenceCheck, type References } from '../references.js';
import { createValueCheck } from '../values.js';
import { CellRefused } from './cells.js';
import type { RowReader } from './mapping.js';
import type { ImportMode } from './mode.js';
import type { Partial } from './partial.js';
import type { Row } from './rows.js';

export interface GoodRow {
  readonly row: Row;
  readonly uuid: string;
  /** Derived from the job and the row, so that another attempt uses the same id. */
  readonly commandId: string;
  readonly put: ReturnType<typeof toPut> & { readonly keepsGroup: boolean };
}
export interface BadRow {
  readonly row: Row;
  readonly errors: readonly Pick<FieldError, 'path' | 'code' | 'params'>[];
  /** Name of the record's stream, if its key could be read. */
  readonly uuid?: string | undefined;
}
export type CheckedRow = GoodRow | BadRow;

export interface RowCheckOptions {
  readonly dataset: DatasetRow;
  readonly reader: RowReader;
  readonly partial: Partial;
  readonly job: Pick<JobHandle, 'id'>;
  readonly group_id: string | undefined;
  /** Column of the table that contains the group. */
  readonly group_from: string | undefined;
}

/** Throws COLUMN_NOT_IN_FILE if the table does not have the column for the group. */
export function createRowCheck({ dataset, reader, partial, job, group_id, group_from }: RowCheckOptions) {
  const check = createValueCheck(partial.columns);
  const { keeps } = partial;
  const told = group_id === undefined ? reader.groupAt : undefined;
  const groupAt = group_from === undefined ? told : reader.placeOf(group_from);
  const keepsGroup = group_id === undefined && groupAt === undefined;

  return (row: Row): CheckedRow => {
    let uuid: string | undefined;
    try {
      const values = reader.read(row.cells);
      uuid = nameOf(dataset, values);
      const checked = check(values, '');
      const named = groupAt === undefined ? group_id : (reader.given(row.cells[groupAt]) ?? undefined);
      const group = named === undefined || named === '' ? undefined : String(named as string);
      expectGroup(dataset, group);
      return {
        row,
        uuid: uuidFor(dataset, checked, job.id, row.line),
        commandId: derivedId('imported', job.id, row.line),
        put: { ...toPut(dataset, { group_id: group }, checked), keeps, keepsGroup },
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
    const good = rows.filter((row) => 'put' in row);
    const missing = await check(
      good.map(({ uuid, put }) => ({ uuid, values: { ...put.values, ...put.personalValues } })),
    );
    const broken = new Map(good.map((row, index) => [row as CheckedRow, brokenErrors(missing[index]!, '')]));
    return rows.map((row) => {
      const errors = broken.get(row) ?? [];
      return errors.length === 0 ? row : { row: row.row, errors, uuid: row.uuid };
    });
  };
}

/** The stream name of a row with possibly invalid values; undefined if the key is neither text nor number. */
function nameOf(dataset: DatasetRow, values: Record<string, unknown>): string | undefined {
  const key = keyOf(dataset, { open: values, personal: undefined });
  return typeof key === 'string' || typeof key === 'number'
    ? uuidFor(dataset, { open: values, personal: undefined }, '', 0)
    : undefined;
}

function errorsOf(error: unknown): BadRow['errors'] {
  if (error instanceof CellRefused) return [{ path: `/${error.column}`, code: error.code }];
  if (error instanceof ApiError)
    return error.errors.length > 0 ? error.errors : [{ path: '', code: error.code, params: error.params }];
  throw error;
}
