/** Reads a sheet of a workbook: values only, without computing formulas or following links. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import type { TableLimits } from '../limits.js';
import { FileRefused } from '../refused.js';
import { archiveParts } from './archive.js';
import { guardSheet } from './sheet-guard.js';
import type { Cell, Row } from './row.js';
import { attributesOf, elements } from './xml-tags.js';

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

/**
 * Yields the rows of a sheet (undefined: the first one). The library gets only the parts that it needs, and a sheet
 * whose references are checked. Throws FileRefused.
 */
export async function* workbookRows(
  content: Buffer,
  sheet: string | undefined,
  limits: TableLimits,
): AsyncIterable<Row> {
  const parts = neededParts(content, sheet);
  const guarded = guardSheet(strFromU8(parts.sheet), limits);
  const archive = zipSync({ ...parts.others, [parts.path]: strToU8(guarded.xml) }, { level: 0 });
  let rows: Cell[][];
  try {
    // Texts are not trimmed, and numbers keep their type.
    const bytes = archive.buffer.slice(archive.byteOffset, archive.byteOffset + archive.length) as ArrayBuffer;
    rows = (await readSheet(bytes, sheet ?? 1, { trim: false })) as unknown as Cell[][];
  } catch {
    throw new FileRefused('TABLE_UNREADABLE');
  }
  // Each row is released when it is sent.
  for (let line = 1; line <= rows.length; line++) {
    const cells = rows[line - 1]!;
    rows[line - 1] = [];
    yield { line, cells };
  }
  // The cut rows, so that the reader of the table ends it for the same reason as any other table.
  if (guarded.isCut)
    for (let blank = 1; blank <= limits.blankRows; blank++) yield { line: rows.length + blank, cells: [] };
}

interface NeededParts {
  /** Path of the sheet in the archive. */
  readonly path: string;
  readonly sheet: Uint8Array;
  readonly others: Record<string, Uint8Array>;
}

function neededParts(content: Buffer, sheet: string | undefined): NeededParts {
  const names = archiveParts(content);
  if (!names.has(WORKBOOK) || !names.has(RELATIONS)) throw new FileRefused('TABLE_UNREADABLE');
  const unpack = (wanted: readonly string[]): Record<string, Uint8Array> => {
    try {
      return unzipSync(content, { filter: ({ name }) => wanted.includes(name) });
    } catch {
      throw new FileRefused('TABLE_UNREADABLE');
    }
  };
  const head = unpack([WORKBOOK, RELATIONS]);
  const sheets = [...elements(strFromU8(head[WORKBOOK]!), 'sheet')].map(({ attributes }) => attributesOf(attributes));
  const found = sheet === undefined ? sheets[0] : sheets.find(({ name }) => name === sheet);
  if (!found) throw new FileRefused('SHEET_NOT_FOUND', { sheet: sheet ?? '1' });
  const relations = [...elements(strFromU8(head[RELATIONS]!), 'Relationship')].map(({ attributes }) =>
    attributesOf(attributes),
  );
  const pathOf = (target = ''): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  const path = pathOf(relations.find(({ Id }) => Id === found['id'])?.['Target']);
  if (!names.has(path)) throw new FileRefused('TABLE_UNREADABLE');
  const shared = relations.filter(({ Type = '' }) => /\/(styles|sharedStrings)$/.test(Type));
  const wanted = [path, ...shared.map(({ Target }) => pathOf(Target)), 'xl/styles.xml', 'xl/sharedStrings.xml'];
  const { [path]: content_, ...others } = unpack(wanted);
  return { path, sheet: content_!, others: { ...others, ...head } };
}
