/**
 * The read model of number ranges and drawn numbers. It has one row per drawn number, so that a label finds its number
 * without reading the whole stream.
 */
import type { Pool } from 'pg';
import {
  NumberDrawn,
  NumberRangeSet,
  NUMBERS_PREFIX,
  withDrawn,
  withRange,
  type NumberScheme,
  type UsedRange,
} from '../../events/carrier-accounts/numbers.js';
import type { StoredEvent } from '../../events/core/log.js';
import { insertRows, type Types } from '../../sql/rows.js';
import { code, integer, json, type RowOf } from '../core/columns.js';
import type { Projection } from '../core/projection.js';
import { startsWith, table } from '../core/table.js';

const columns = {
  /** The stream without its prefix: `<account>-<scheme>`. */
  id: code(),
  business: integer(),
  carrier_account_id: integer(),
  scheme: code<NumberScheme>(),
  /** The last range is in force. */
  ranges: json<readonly UsedRange[]>(),
  revision: integer(),
};
export type NumberRangesRow = RowOf<typeof columns>;

export interface DrawnNumberRow {
  readonly id: string;
  readonly key: string;
  readonly prefix: string;
  readonly serial: number;
}
const DRAWN = { id: 'text', key: 'text', prefix: 'text', serial: 'integer' } as const satisfies Types;

/** In memory, a row also has the numbers that its batch adds. */
interface Folded extends NumberRangesRow {
  added?: DrawnNumberRow[];
}

type Drawn = { readonly prefix: string; readonly serial: number; readonly for: string };

const foldRanges = startsWith(NumberRangeSet, (set, { stream, revision }): Folded => ({
  id: stream.slice(NUMBERS_PREFIX.length),
  business: set.business,
  carrier_account_id: set.carrier_account_id,
  scheme: set.scheme,
  ranges: withRange([], set),
  revision,
}))
  .on(NumberRangeSet, (set, { ranges }) => ({ ranges: withRange(ranges, set) }))
  .on(NumberDrawn, (drawn, { id, ranges, added = [] }) => {
    const { prefix, serial, for: key } = drawn as Drawn;
    added.push({ id, key, prefix, serial });
    return { ranges: withDrawn(ranges, drawn), added };
  });

const base = table({
  name: 'carrier_numbers',
  table: 'ranges',
  version: 1,
  prefixes: [NUMBERS_PREFIX],
  columns,
  indexes: ['(business)'],
  fold: foldRanges as (row: NumberRangesRow | undefined, event: StoredEvent) => NumberRangesRow,
});

export const carrierNumbers: Projection<Folded> = {
  ...(base as unknown as Projection<Folded>),
  tables: `${base.tables}
    create table :schema.drawn (
      id     text collate "C" not null,
      key    text collate "C" not null,
      prefix text collate "C" not null,
      serial integer not null,
      primary key (id, key)
    );`,
  async save(db, schema, changed) {
    const rows = [...changed.values()].filter((row) => row !== undefined);
    await Promise.all([
      base.save(db, schema, new Map(rows.map(({ added: _added, ...row }) => [row.id, row] as const))),
      insertRows(
        db,
        `${schema}.drawn`,
        DRAWN,
        rows.flatMap(({ added = [] }) => added),
      ),
    ]);
  },
};

/** What the read model knows of a stream. */
export interface KnownNumbers {
  readonly ranges: readonly UsedRange[];
  /** Revision of the last event that it contains; -1: none. */
  readonly revision: number;
  /** The business of the account; undefined: no range was ever set. */
  readonly business: number | undefined;
  /** The numbers of the requested keys. */
  readonly drawn: ReadonlyMap<string, Pick<DrawnNumberRow, 'prefix' | 'serial'>>;
}

export interface NumberQueries {
  /** `id`: `<account>-<scheme>`. One statement, so that ranges, revision and drawn numbers fit together. */
  known(id: string, keys: readonly string[]): Promise<KnownNumbers>;
  /** The ranges of some accounts, by account. */
  ofAccounts(ids: readonly number[]): Promise<ReadonlyMap<number, readonly UsedRange[]>>;
}

const KNOWN = `select r.business, r.ranges, r.revision,
    (select json_agg(json_build_array(d.key, d.prefix, d.serial)) from carrier_numbers.drawn d
      where d.id = r.id and d.key = any ($2)) as drawn
  from carrier_numbers.ranges r where r.id = $1`;

interface KnownRow extends Pick<NumberRangesRow, 'business' | 'ranges' | 'revision'> {
  readonly drawn: readonly (readonly [string, string, number])[] | null;
}

export function createNumberQueries(pool: Pool): NumberQueries {
  return {
    async known(id, keys) {
      const { rows } = await pool.query<KnownRow>({ name: 'carrier-numbers', text: KNOWN, values: [id, keys] });
      const { business, ranges = [], revision = -1, drawn } = rows[0] ?? {};
      return {
        business,
        ranges,
        revision,
        drawn: new Map((drawn ?? []).map(([key, prefix, serial]) => [key, { prefix, serial }])),
      };
    },
    async ofAccounts(ids) {
      const { rows } = await pool.query<Pick<NumberRangesRow, 'carrier_account_id' | 'ranges'>>(
        'select carrier_account_id, ranges from carrier_numbers.ranges where carrier_account_id = any ($1)',
        [ids],
      );
      return new Map(rows.map(({ carrier_account_id, ranges }) => [carrier_account_id, ranges]));
    },
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'carrier_numbers',
    { 'carrier_numbers.ranges': NumberRangesRow; 'carrier_numbers.drawn': DrawnNumberRow }
  > {}
}
