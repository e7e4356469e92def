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
import { invalid } from './values.js';

export interface References {
  /** The dataset with columns for checking values: a reference has the type of the key of its target, or of an id. */
  asWritten(dataset: DatasetRow): Promise<DatasetRow>;
  /**
   * For each record, the columns that refer to a missing record. `sure`: also reads the log if the read model does not
   * have the record, because the read model may be behind.
   */
  missing(dataset: DatasetRow, records: readonly Values[], sure: boolean): Promise<readonly (readonly string[])[]>;
  /** Adds the key of the target dataset to each reference; `known` columns keep theirs. Throws DATASET_NOT_FOUND. */
  withKeys(columns: readonly Column[], business: number, known?: readonly Column[]): Promise<Column[]>;
}

export interface ReferencesOptions {
  readonly datasets: Pick<DatasetQueries, 'byId'>;
  readonly records: Pick<RecordQueries, 'existing' | 'existingIds'>;
  readonly history: RecordHistory;
}

const MOST_ID = 2_147_483_647;

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

  async function streamsThere(uuids: readonly string[], sure: boolean): Promise<ReadonlySet<string>> {
    const there = new Set(await records.existing(uuids));
    if (!sure) return there;
    for (const uuid of uuids) if (!there.has(uuid) && (await history(uuid))[0]?.removed === false) there.add(uuid);
    return there;
  }

  return {
    async asWritten(dataset) {
      const targets = await targetsOf(dataset);
      const columns = dataset.columns.map((column) => {
        const target = column.reference === undefined ? undefined : targets.get(column.reference);
        if (!target) return column;
        const key = target.columns.find(({ code }) => code === target.key_column);
        const { type, options, min, max, pattern } = key ?? {
          type: 'integer' as const,
          min: 1,
          max: MOST_ID,
          pattern: undefined,
          options: undefined,
        };
        return { ...column, type, options, min, max, pattern } as Column;
      });
      return { ...dataset, columns };
    },

    async missing(dataset, values, sure) {
      const refers = dataset.columns.filter(({ reference, hidden }) => reference !== undefined && !hidden);
      if (refers.length === 0) return values.map(() => []);
      const targets = await targetsOf(dataset);
      const named = values.map((record) =>
        refers.flatMap((column) => (record[column.code] === undefined ? [] : [{ column, value: record[column.code] }])),
      );
      const uuids = new Set(named.flat().flatMap(({ column, value }) => streamOf(column, value) ?? []));
      const streams = await streamsThere([...uuids], sure);
      const ids = new Map<number, ReadonlySet<number>>();
      for (const id of targets.keys()) {
        const own = named.flat().filter(({ column }) => column.reference === id && column.reference_key === undefined);
        const asked = own.flatMap(({ value }) => (isId(value) ? [value] : []));
        ids.set(id, await records.existingIds(id, [...new Set(asked)]));
      }
      const isThere = (column: Column, value: unknown): boolean => {
        if (!targets.get(column.reference!)) return false;
        const uuid = streamOf(column, value);
        return uuid === undefined ? isId(value) && ids.get(column.reference!)!.has(value) : streams.has(uuid);
      };
      return named.map((all) =>
        all.filter(({ column, value }) => !isThere(column, value)).map(({ column }) => column.code),
      );
    },

    withKeys: (columns, business, known = []) =>
      Promise.all(
        columns.map(async (column, index): Promise<Column> => {
          const { code, reference } = column;
          if (reference === undefined) return column;
          const before = known.find((one) => one.code === code && one.reference === reference);
          const found = before ? undefined : await datasets.byId(reference, business);
          if (!before && !found) throw fieldError('DATASET_NOT_FOUND', 'reference', {}, `/columns/${index}/reference`);
          const key = before ? before.reference_key : (found!.key_column ?? undefined);
          return { ...column, ...(key !== undefined && { reference_key: key }) };
        }),
      ),
  };
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_ID;

/** A record to write. */
export interface Referring {
  readonly uuid: string;
  readonly values: Values;
}

/**
 * Checks the references of records that are written in this order. If `inserts` is true, a record may refer to an
 * earlier new record of this or a previous call. Returns the columns with broken references for each record.
 */
export function createReferenceCheck(references: References, dataset: DatasetRow, inserts = true) {
  const own = dataset.columns.filter(({ reference, hidden }) => reference === dataset.id && !hidden);
  const before = new Set<string>();
  return async (records: readonly Referring[]): Promise<readonly (readonly string[])[]> => {
    const missing = await references.missing(
      dataset,
      records.map(({ values }) => values),
      true,
    );
    return records.map(({ uuid, values }, index) => {
      const left = missing[index]!.filter((code) => {
        const column = own.find((one) => one.code === code);
        return !column || !before.has(streamOf(column, values[code]) ?? '');
      });
      if (left.length === 0 && inserts && own.length > 0) before.add(uuid);
      return left;
    });
  };
}

/** Errors for columns with broken references. `path`: path of the values. */
export const brokenErrors = (columns: readonly string[], path: string): FieldError[] =>
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
  records: readonly (Referring & { readonly path: string })[],
): Promise<void> {
  const missing = await createReferenceCheck(references, dataset)(records);
  const errors = records.flatMap(({ path }, index) => brokenErrors(missing[index]!, path));
  if (errors.length > 0) throw invalid(errors);
}
