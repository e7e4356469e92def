/** Columns of a read model, said once: their SQL, and the type of their values. */

export interface Column<T> {
  /** As it follows the name in `create table`. */
  readonly sql: string;
  /** For the compiler alone. */
  readonly type?: T;
}

const column = <T>(sql: string): Column<T> => ({ sql: `${sql} not null` });

export const integer = <T extends number = number>(): Column<T> => column('integer');
export const double = (): Column<number> => column('double precision');
export const flag = (): Column<boolean> => column('boolean');
export const text = <T extends string = string>(): Column<T> => column('text');
/** Compared by its bytes: ids, codes, numbers, times. */
export const code = <T extends string = string>(): Column<T> => column('text collate "C"');
export const uuid = (): Column<string> => column('uuid');
export const texts = <T extends string = string>(): Column<T[]> => column('text[]');
export const integers = (): Column<number[]> => column('integer[]');
/** Anything that JSON can hold. */
export const json = <T>(): Column<T> => column('json');
/** The same, for columns that are searched by their content. */
export const jsonb = <T>(): Column<T> => column('jsonb');
/** May be absent. */
export const optional = <T>({ sql }: Column<T>): Column<T | null> => ({ sql: sql.replace(' not null', '') });

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row with these columns. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };
