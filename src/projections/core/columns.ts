/** Columns of a read model: one definition gives both the SQL type and the TypeScript type of the values. */

export interface Column<T> {
  /** The SQL that follows the column name in `create table`. */
  readonly sql: string;
  /** Used by the compiler only; never set at runtime. */
  readonly type?: T;
}

const column = <T>(sql: string): Column<T> => ({ sql: `${sql} not null` });

export const integer = <T extends number = number>(): Column<T> => column('integer');
export const double = (): Column<number> => column('double precision');
/** An exact decimal number as text. It keeps its decimal digits. */
export const decimal = (): Column<string> => column('numeric');
export const flag = (): Column<boolean> => column('boolean');
export const text = <T extends string = string>(): Column<T> => column('text');
/** Text that is compared by its bytes: ids, codes, numbers, times. */
export const code = <T extends string = string>(): Column<T> => column('text collate "C"');
export const uuid = (): Column<string> => column('uuid');
export const texts = <T extends string = string>(): Column<T[]> => column('text[]');
export const integers = (): Column<number[]> => column('integer[]');
/** Any JSON value. */
export const json = <T>(): Column<T> => column('json');
/** Any JSON value, for columns that queries search by content. */
export const jsonb = <T>(): Column<T> => column('jsonb');
/** A column that may be null. */
export const optional = <T>({ sql }: Column<T>): Column<T | null> => ({ sql: sql.replace(' not null', '') });

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The type of a row with these columns. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };
