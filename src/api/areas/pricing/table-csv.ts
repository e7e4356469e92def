/** The table of a rate card as CSV: `service,lane,up_to_kg,amount`, and for open ends `above_kg,base,per_kg`. */
import { parse } from 'csv-parse/sync';
import type { TableEntry, WeightBreak } from '../../../events/pricing/bases.js';
import { ApiError } from '../../core/errors.js';

const REQUIRED = ['service', 'lane', 'up_to_kg', 'amount'] as const;
const OPEN_END = ['above_kg', 'base', 'per_kg'] as const;
/** One more than a card may have: the check of the card names the limit. */
const MAX_RECORDS = 20_001;
const MAX_RECORD_CHARACTERS = 1_000;

/** The weight breaks of each service and lane, in the order of the file. Throws RATE_TABLE_UNREADABLE with the line. */
export function tableOf(bytes: Buffer): TableEntry[] {
  const records = recordsOf(bytes);
  const [first] = records;
  const unknown = Object.keys(first?.record ?? {}).filter(
    (name) => ![...REQUIRED, ...OPEN_END].includes(name as never),
  );
  const missing = REQUIRED.filter((name) => !(name in (first?.record ?? {})));
  if (unknown.length > 0 || missing.length > 0) throw unreadable(1);
  const entries = new Map<string, { service: string; lane: string; breaks: WeightBreak[] }>();
  for (const { record, info } of records) {
    const { service = '', lane = '' } = record;
    const key = JSON.stringify([service, lane]);
    const entry = entries.get(key) ?? { service, lane, breaks: [] };
    entry.breaks.push(breakOf(record, info.lines));
    entries.set(key, entry);
  }
  return [...entries.values()];
}

type Cells = Readonly<Record<string, string>>;

function recordsOf(bytes: Buffer): { record: Cells; info: { lines: number } }[] {
  try {
    return parse(bytes, {
      bom: true,
      columns: true,
      info: true,
      skip_empty_lines: true,
      trim: true,
      to: MAX_RECORDS,
      max_record_size: MAX_RECORD_CHARACTERS,
    }) as unknown as { record: Cells; info: { lines: number } }[];
  } catch (error) {
    throw unreadable((error as { lines?: number }).lines ?? 1);
  }
}

/** A row with `up_to_kg` has an amount; a row without it begins at `above_kg`. */
function breakOf(cells: Cells, line: number): WeightBreak {
  const number = (name: string): number => {
    const value = cells[name] ?? '';
    if (!/^\d+(\.\d{1,3})?$/.test(value)) throw unreadable(line);
    return Number(value);
  };
  const amount = (name: string): string => {
    const value = cells[name] ?? '';
    if (!/^\d{1,12}(\.\d{1,4})?$/.test(value)) throw unreadable(line);
    return value;
  };
  return cells['up_to_kg']
    ? { up_to_kg: number('up_to_kg'), amount: amount('amount') }
    : { above_kg: number('above_kg'), base: amount('base'), per_kg: amount('per_kg') };
}

const unreadable = (line: number): ApiError =>
  new ApiError('RATE_TABLE_UNREADABLE', {
    params: { line },
    errors: [{ field: 'body', path: '', code: 'RATE_TABLE_UNREADABLE', params: { line } }],
  });
