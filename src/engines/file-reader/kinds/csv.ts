/** Reads CSV tables (RFC 4180) record by record. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { FileRefused } from '../refused.js';
import { decodeText } from './text.js';
import type { Row } from './row.js';

export interface CsvForm {
  /** Whether spaces around cells are removed. */
  readonly trim: boolean;
  /** Whether each record must have as many cells as the header. */
  readonly strict: boolean;
}

/** Maximum length of a record in characters, so that an unclosed quote does not consume the whole file. */
const MAX_RECORD_CHARACTERS = 1_000_000;

/** Yields the records in order. Empty lines are skipped. Throws FileRefused. */
export async function* csvRows(content: Buffer, { trim, strict }: CsvForm): AsyncIterable<Row> {
  const text = decodeText(content);
  const records = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    trim,
    relax_column_count: !strict,
    delimiter: delimiterOf(text),
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  Readable.from(chunksOf(Buffer.from(text))).pipe(records);
  try {
    for await (const { record, info } of records as AsyncIterable<{ record: string[]; info: { lines: number } }>)
      yield { line: info.lines, cells: record };
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused('TABLE_UNREADABLE', { reason: (error as Error).message.slice(0, 120) });
  }
}

/** The parser buffers all records of a chunk, so chunks are small. */
const CHUNK = 65_536;

function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** The most frequent of comma, semicolon and tab in the first line: spreadsheets use the separator of their country. */
function delimiterOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const count = (sign: string): number => first.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
