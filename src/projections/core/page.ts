/** One page of a list, with how many there are in all. */
import type { SelectQueryBuilder } from 'kysely';

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

export interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** `order`: makes the order of the rows, in which no two may be equal. */
export async function pageOf<DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  { offset, limit }: Range,
  order: (query: SelectQueryBuilder<DB, T, Row>) => SelectQueryBuilder<DB, T, Row>,
): Promise<Page<Row>> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll<string>().as('total'));
  const { total } = (await counted.executeTakeFirstOrThrow()) as { readonly total: string };
  return { total: Number(total), rows: await order(query).offset(offset).limit(limit).execute() };
}
