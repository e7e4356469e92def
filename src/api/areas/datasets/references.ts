/**
 * Columns with references to records of a dataset: the format of their values, and whether the record exists. If the
 * record is removed later, reads report the reference as broken.
 */
import type { Column } from '../../../events/datasets/columns.js';
import { keyedRecord, type Values } from '../../../events/datasets/events.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { RecordHistory } from '../../../projections/datasets/history.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import { fieldError, type FieldError } from '../../core/errors.js';
import { invalidInput } from './values.js';

export interface References {
  /** The dataset with columns for checking values: a reference has the type of the key of its target, or of an id. */
  withReferenceTypes(dataset: DatasetRow): Promise<DatasetRow>;
  /**
   * For each record, the columns that refer to a missing record. `checkLog`: also reads the log if the read model does
   * not have the record, because the read model may be behind.
   */
  missing(dataset: DatasetRow, records: readonly Values[], checkLog: boolean): Promise<readonly (readonly string[])[]>;
  /** Adds the key of the target dataset to each reference; `known` columns keep theirs. Throws DATASET_NOT_FOUND. */
  withReferenceKeys(
    columns: readonly Column[],
    business: number,
    existingColumns?: readonly Column[],
  ): Promise<Column[]>;
}

export interface ReferencesOptions {
  readonly datasets: Pick<DatasetQueries, 'byId'>;
  readonly records: Pick<RecordQueries, 'existing' | 'existingIds'>;
  readonly history: RecordHistory;
}

const MAX_ID = 2_147_483_647;

/** The stream of the referenced record, if the target dataset has a key; otherwise undefined. */
const streamOf = ({ reference, reference_key }: Column, value: unknown): string | undefined =>
  reference_key !== undefined && (typeof value === 'string' || typeof value === 'number')
    ? keyedRecord(reference!, value)
    : undefined;

export function createReferences({ datasets, records, history }: ReferencesOptions): References {
  async function targetsOf({ columns, business }: Pick<DatasetRow, 'columns' | 'business'>) {
    const ids = [...new Set(columns.flatMap(({ reference, hidden }) => (hidden ? [] : (reference ?? []))))];
    return new Map(await Promise.all(ids.map(async (id) => [id, await datasets.byId(id, business)] as const)));
  }

  async function existingStreams(uuids: readonly string[], checkLog: boolean): Promise<ReadonlySet<string>> {
    const existing = new Set(await records.existing(uuids));
    if (!checkLog) return existing;
    for (const uuid of uuids)
      if (!existing.has(uuid) && (await history(uuid))[0]?.removed === false) existing.add(uuid);
    return existing;
  }

  return {
    async withReferenceTypes(dataset) {
      const targets = await targetsOf(dataset);
      const columns = dataset.columns.map((column) => {
        const target = column.reference === undefined ? undefined : targets.get(column.reference);
        if (!target) return column;
        const key = target.columns.find(({ code }) => code === target.key_column);
        const { type, options, min, max, pattern } = key ?? {
          type: 'integer' as const,
          min: 1,
          max: MAX_ID,
          pattern: undefined,
          options: undefined,
        };
        return { ...column, type, options, min, max, pattern } as Column;
      });
      return { ...dataset, columns };
    },

    async missing(dataset, values, checkLog) {
      const referenceColumns = dataset.columns.filter(({ reference, hidden }) => reference !== undefined && !hidden);
      if (referenceColumns.length === 0) return values.map(() => []);
      const targets = await targetsOf(dataset);
      const referencedValues = values.map((record) =>
        referenceColumns.flatMap((column) =>
          record[column.code] === undefined ? [] : [{ column, value: record[column.code] }],
        ),
      );
      const uuids = new Set(referencedValues.flat().flatMap(({ column, value }) => streamOf(column, value) ?? []));
      const streams = await existingStreams([...uuids], checkLog);
      const ids = new Map<number, ReadonlySet<number>>();
      for (const id of targets.keys()) {
        const idReferences = referencedValues
          .flat()
          .filter(({ column }) => column.reference === id && column.reference_key === undefined);
        const requestedIds = idReferences.flatMap(({ value }) => (isId(value) ? [value] : []));
        ids.set(id, await records.existingIds(id, [...new Set(requestedIds)]));
      }
      const exists = (column: Column, value: unknown): boolean => {
        if (!targets.get(column.reference!)) return false;
        const uuid = streamOf(column, value);
        return uuid === undefined ? isId(value) && ids.get(column.reference!)!.has(value) : streams.has(uuid);
      };
      return referencedValues.map((all) =>
        all.filter(({ column, value }) => !exists(column, value)).map(({ column }) => column.code),
      );
    },

    withReferenceKeys: (columns, business, existingColumns = []) =>
      Promise.all(
        columns.map(async (column, index): Promise<Column> => {
          const { code, reference } = column;
          if (reference === undefined) return column;
          const previous = existingColumns.find((one) => one.code === code && one.reference === reference);
          const found = previous ? undefined : await datasets.byId(reference, business);
          if (!previous && !found)
            throw fieldError('DATASET_NOT_FOUND', 'reference', {}, `/columns/${index}/reference`);
          const key = previous ? previous.reference_key : (found!.key_column ?? undefined);
          return { ...column, ...(key !== undefined && { reference_key: key }) };
        }),
      ),
  };
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_ID;

/** A record to write. */
export interface ReferringRecord {
  readonly uuid: string;
  readonly values: Values;
}

/**
 * Checks the references of records that are written in this order. If `inserts` is true, a record may refer to an
 * earlier new record of this or a previous call. Returns the columns with broken references for each record.
 */
export function createReferenceCheck(references: References, dataset: DatasetRow, inserts = true) {
  const selfReferences = dataset.columns.filter(({ reference, hidden }) => reference === dataset.id && !hidden);
  const insertedStreams = new Set<string>();
  return async (records: readonly ReferringRecord[]): Promise<readonly (readonly string[])[]> => {
    const missing = await references.missing(
      dataset,
      records.map(({ values }) => values),
      true,
    );
    return records.map(({ uuid, values }, index) => {
      const missingCodes = missing[index]!.filter((code) => {
        const column = selfReferences.find((one) => one.code === code);
        return !column || !insertedStreams.has(streamOf(column, values[code]) ?? '');
      });
      if (missingCodes.length === 0 && inserts && selfReferences.length > 0) insertedStreams.add(uuid);
      return missingCodes;
    });
  };
}

/** Errors for columns with broken references. `path`: path of the values. */
export const referenceErrors = (columns: readonly string[], path: string): FieldError[] =>
  columns.map((column) => ({
    field: column,
    path: `${path}/${column}`,
    code: 'REFERENCE_NOT_FOUND',
    params: { column },
  }));

/** Throws INVALID_INPUT if a record refers to a missing record. */
export async function expectReferences(
  references: References,
  dataset: DatasetRow,
  records: readonly (ReferringRecord & { readonly path: string })[],
): Promise<void> {
  const missing = await createReferenceCheck(references, dataset)(records);
  const errors = records.flatMap(({ path }, index) => referenceErrors(missing[index]!, path));
  if (errors.length > 0) throw invalidInput(errors);
}
