/** Assigns the cells of a row to columns of the dataset: by the given mapping, or else by equal names. */
import { z } from 'zod';
import type { Column } from '../../../../events/datasets/columns.js';
import type { Cell } from '../../../../engines/file-reader/kinds/row.js';
import { ApiError, formatError, type FieldError } from '../../../core/errors.js';
import { invalidInput } from '../values.js';
import { exportedTableOf, type ExportedTable } from './exported-table.js';
import { CELL_FORMATS, CELL_MEMBERS, isFormatOf, kindOf, parseCell, type CellFormat } from './cells.js';

export const mappingInput = z
  .array(
    z
      .strictObject({
        from: z
          .string()
          .min(1)
          .max(200)
          .describe('Column of the file: its name in the header row, or its letter (`A` is the first column).'),
        to: z
          .string()
          .min(1)
          .max(100)
          .describe(
            'Column of the dataset, or a member of a column: `position.latitude`, `price.amount`, `site.city`.',
          ),
        as: z
          .enum(CELL_FORMATS)
          .optional()
          .describe(
            'Format of the cells. `general`: accept numbers in a text column. `utc`: times without a zone are UTC. `decimal_comma`: numbers such as 1.234,56. `decimal_point`: numbers such as 1,234.56. The other values are formats of dates that are not ISO 8601.',
          ),
      })
      .meta({ id: 'DatasetMappingInput' }),
  )
  .min(1)
  .max(400);
export type Mapping = z.infer<typeof mappingInput>;

interface Target {
  readonly code: string;
  readonly member: string | undefined;
  readonly kind: ReturnType<typeof kindOf>;
}

/** All target names for the columns of a table. */
function targetsOf(columns: readonly Column[]): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const column of columns) {
    if (column.hidden) continue;
    const members = CELL_MEMBERS[column.type];
    for (const member of members ?? [undefined])
      targets.set(member === undefined ? column.code : `${column.code}.${member}`, {
        code: column.code,
        member,
        kind: kindOf(column, member),
      });
  }
  return targets;
}

/** Column names of a table with complete records. */
export const tableColumns = (columns: readonly Column[]): string[] => [...targetsOf(columns).keys()];

/** Throws INVALID_INPUT for an unknown target, a duplicate target, or a format that does not apply to the target. */
export function checkMapping(columns: readonly Column[], mapping: Mapping): void {
  const targets = targetsOf(columns);
  const errors = mapping.flatMap(({ to, as }, index): FieldError[] => {
    const at = `/mapping/${index}`;
    const target = targets.get(to);
    if (!target)
      return [
        { field: 'to', path: `${at}/to`, code: 'INVALID_VALUE', params: { allowed: [...targets.keys()].join(', ') } },
      ];
    if (mapping.findIndex((other) => other.to === to) < index)
      return [{ field: 'to', path: `${at}/to`, code: 'NOT_UNIQUE' }];
    if (as !== undefined && !isFormatOf(as, target.kind))
      return [formatError('as', `a format of the type ${target.kind}`, `${at}/as`)];
    return [];
  });
  if (errors.length > 0) throw invalidInput(errors);
}

/** Creates a reader of rows. Throws COLUMN_NOT_IN_FILE and, without a mapping, COLUMN_UNKNOWN. */
export function createRowReader(columns: readonly Column[], header: readonly Cell[], mapping: Mapping | undefined) {
  const targets = targetsOf(columns);
  const written = header.map((cell) => (cell === null ? '' : String(cell as string).trim()));
  const exportedTable = exportedTableOf(written, (name) => targets.has(name));
  const names = written.map((name) => exportedTable.unescapeCell(name) as string);
  const cells = mapping
    ? mapping.map(({ from, to, as }) => ({
        ...targets.get(to)!,
        as: as as CellFormat | undefined,
        at: columnIndexOf(from, names),
      }))
    : matchByName(targets, names, exportedTable).map(({ to, at }) => ({ ...targets.get(to)!, as: undefined, at }));
  return {
    /** Position of a column, by its name in the header or by its letter. */
    columnIndexOf: (from: string) => columnIndexOf(from, names),
    /** Columns of the dataset for which the table has at least one cell. */
    mappedColumns: new Set(cells.map(({ code }) => code)),
    /** Position of the group in a table that this service exported. */
    groupIndex: mapping ? undefined : exportedTable.groupIndex,
    /** The original value of a cell, if this service wrote the table. */
    unescapeCell: exportedTable.unescapeCell,
    /** The values of a record, not yet checked. Throws CellRefused. */
    read(row: readonly Cell[]): Record<string, unknown> {
      const values: Record<string, unknown> = {};
      for (const { code, member, kind, as, at } of cells) {
        const value = parseCell(exportedTable.unescapeCell(row[at]), kind, as, code);
        if (value === undefined) continue;
        if (member === undefined) values[code] = value;
        else values[code] = { ...(values[code] as object | undefined), [member]: value };
      }
      return values;
    },
  };
}
export type RowReader = ReturnType<typeof createRowReader>;

function columnIndexOf(from: string, names: readonly string[]): number {
  const nameIndex = names.indexOf(from.trim());
  if (nameIndex >= 0) return nameIndex;
  const letterIndex = /^[A-Z]{1,3}$/.test(from)
    ? [...from].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    : -1;
  if (letterIndex < 0 || letterIndex >= names.length)
    throw new ApiError('COLUMN_NOT_IN_FILE', { params: { column: from } });
  return letterIndex;
}

/** Maps columns by equal names. Ignores the additional columns of tables that this service wrote. */
function matchByName(targets: ReadonlyMap<string, Target>, names: readonly string[], { from, to }: ExportedTable) {
  const namedColumns = names.flatMap((name, at) => (at >= from && at < to && name !== '' ? [{ to: name, at }] : []));
  const unknown = namedColumns.find(({ to: name }) => !targets.has(name));
  if (unknown)
    throw new ApiError('COLUMN_UNKNOWN', { params: { column: unknown.to, allowed: [...targets.keys()].join(', ') } });
  return namedColumns.filter(({ to: name }, index) => namedColumns.findIndex((other) => other.to === name) === index);
}
