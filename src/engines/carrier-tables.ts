/** Reads the tables of carriers' status codes. A table is read at its first use and stays in memory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { carrierNamed, type CarrierName } from '../events/otep/carriers/carriers.js';
import { createCarrierTable, type CarrierCode, type CarrierTable } from '../events/otep/carriers/table.js';
import { packageRoot } from './package-root.js';

const FOLDER = join(packageRoot, 'src/events/otep/carriers/tables');
const tables = new Map<CarrierName, CarrierTable>();

export function carrierTable(name: CarrierName): CarrierTable {
  let table = tables.get(name);
  if (!table) {
    const rows: CarrierCode[] = parse(readFileSync(join(FOLDER, `${name}.csv`)), {
      columns: true,
      // The column `source` is for maintainers.
      onRecord: ({ source: _source, ...row }: CarrierCode & { readonly source: string }) => row,
    });
    table = createCarrierTable(rows);
    tables.set(name, table);
  }
  return table;
}

/** The table of a carrier's name as it was sent; undefined for a carrier without a table. */
export function tableNamed(text: string): CarrierTable | undefined {
  const carrier = carrierNamed(text);
  return carrier && carrierTable(carrier.name);
}
