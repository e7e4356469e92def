/**
 * Finds erased keys that exist, or could be created: of complete erasures after a restore of an older copy of the keys,
 * and of erasures that a crash interrupted.
 */
import type { Pool } from 'pg';

export interface RevivedKeys {
  /** The business of the subjects; undefined: none. */
  readonly business: number | undefined;
  readonly keys: readonly string[];
}

export type RevivedKeyQueries = ReturnType<typeof createRevivedKeyQueries>;

/** Number of erasures that one check looks at. */
const NEWEST = 20;
/** Number of keys at each end of an erasure's list that one check looks at. */
const KEYS_AT_EACH_END = 25;
/** Number of erasures per page of the complete search. */
const PAGE = 50;

/** SQL: the keys that are not marked as destroyed. The subquery finds each key by the index. */
const aliveOf = (keys: string): string =>
  `array(select k.key from unnest(${keys}) as k (key)
          where (select v.destroyed_at from vault.subject_keys v where v.subject = k.key) is null)`;

interface Row {
  readonly subject: string;
  readonly business: number | null;
  readonly erased_at: string;
  readonly keys: string[];
}

/** The keys of the rows, by business. */
function byBusiness(rows: readonly Row[]): readonly RevivedKeys[] {
  const found = new Map<number | undefined, string[]>();
  for (const { business, keys } of rows)
    if (keys.length > 0) found.set(business ?? undefined, [...(found.get(business ?? undefined) ?? []), ...keys]);
  return [...found].map(([business, keys]) => ({ business, keys }));
}

export function createRevivedKeyQueries(pool: Pool) {
  /** All erasures page by page, oldest first. */
  async function* pages(state: 'complete' | 'open'): AsyncIterable<RevivedKeys> {
    for (let after: Pick<Row, 'erased_at' | 'subject'> = { erased_at: '', subject: '' }; ;) {
      const { rows } = await pool.query<Row>(
        `select e.subject, e.business, e.erased_at, ${aliveOf('e.keys')} as keys
           from (select * from erasures.erasures
                  where finished_at is ${state === 'open' ? 'null' : 'not null'} and (erased_at, subject) > ($1, $2)
                  order by erased_at, subject limit $3) e order by e.erased_at, e.subject`,
        [after.erased_at, after.subject, PAGE],
      );
      yield* byBusiness(rows);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!;
    }
  }

  /**
   * Looks at a fixed number of keys of the newest complete erasures, whatever the number of erasures is. An older copy
   * of the keys lacks the newest erasures, so it is always found here.
   */
  async function newest(): Promise<readonly RevivedKeys[]> {
    const { rows } = await pool.query<Row>(
      `select e.subject, e.business, e.erased_at,
              ${aliveOf('e.keys[1:$2] || e.keys[greatest($2, cardinality(e.keys) - $2) + 1:]')} as keys
         from (select * from erasures.erasures where finished_at is not null
                order by erased_at desc limit $1) e`,
      [NEWEST, KEYS_AT_EACH_END],
    );
    return byBusiness(rows);
  }

  return {
    newest,
    /** The remaining keys of all erasures that are not complete. These are few. */
    open: () => pages('open'),
    /**
     * Searches all complete erasures, oldest first. The newest ones come last, so `newest` still finds them if the
     * search is interrupted.
     */
    all: () => pages('complete'),
  };
}
