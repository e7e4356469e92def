/**
 * SQL parts that find the active grants to a business, for the statements that read through them (see access.ts). Also
 * records the uses of grants.
 */
import { sql, type RawBuilder } from 'kysely';
import type { GrantKind, PLACES } from '../../events/alliances/events.js';

/** The reading business and user, and the business that owns the data. */
export interface Taker {
  readonly business: number;
  readonly userId: number;
  readonly giver: number;
}

/** The grant through which data was read. */
export interface Via {
  readonly alliance_id: number;
  readonly grant_id: number;
}

/** Active grants to business $1, at the time $2. */
export const OPEN = `
  select a.id as alliance_id, g.*
    from alliances.alliances a
    cross join lateral json_to_recordset(a.grants) as g (
      grant_id int, from_business int, to_business int, kind text, until text collate "C", given_at text,
      customer_ids int[], order_types text[], postal_prefixes text[], poi_categories text[], places text[], dataset_ids int[]
    )
   where a.joined @> array[$1::int] and g.from_business = any (a.joined) and g.from_business <> $1
     and (g.to_business is null or g.to_business = $1)
     and (g.until is null or g.until > $2)
     and not exists (select from access.alliance_floors f where f.alliance_id = a.id and f.revision > a.revision)`;

/**
 * Records the use of grants in the statement that reads. $3 is the owner, $4 the user, $5 the operation. Uses refer to
 * the `found` rows. A list without results counts as a use of all `granted` grants (alliance R7: every read). `isList`:
 * SQL condition for a list.
 */
export const used = (subject: string, isList?: string) => `
  insert into access.alliance_uses (alliance_id, grant_id, from_business, by_business, user_id, operation, subject, used_at)
  select distinct alliance_id, grant_id, $3::int, $1::int, $4::int, $5, ${subject}, date_trunc('minute', $2::timestamptz)
    from ${isList === undefined ? 'found' : foundOrAsked(isList)} on conflict do nothing`;

const foundOrAsked = (isList: string): string =>
  `(select alliance_id, grant_id from found
    union all
    select alliance_id, grant_id from granted where ${isList} and not exists (select from found)) as opened`;

/** The same grants in a Kysely statement: one kind, from one owner, at a time (RFC 3339, UTC). */
export const grantsTo = ({ business, giver }: Taker, kind: GrantKind, at: string): RawBuilder<unknown> =>
  sql`select * from (${bound(OPEN, [business, at])}) g where g.from_business = ${giver} and g.kind = ${kind}`;

/**
 * Grants of the kind `network` that include such places. A grant without a list of places includes points of interest.
 */
export const placeGrantsTo = (taker: Taker, place: (typeof PLACES)[number], at: string): RawBuilder<unknown> =>
  sql`select * from (${grantsTo(taker, 'network', at)}) n where ${place} = any (coalesce(n.places, '{poi}'))`;

/** The same record of a use in a Kysely statement. `subject`: the item that was read; empty: a list. */
export const useOf = (
  { business, giver, userId }: Taker,
  operation: string,
  subject: string,
  at: string,
): RawBuilder<unknown> => bound(used('$6::text', `$6::text = ''`), [business, at, giver, userId, operation, subject]);

/** Converts a statement with `$1`, `$2` and so on, and its values, to Kysely. */
const bound = (text: string, values: readonly unknown[]): RawBuilder<unknown> =>
  sql.join(
    text.split(/\$(\d)/).map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
    sql``,
  );
