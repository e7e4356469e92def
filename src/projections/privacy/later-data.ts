/** Finds the keys of data about erased subjects that was recorded after, or while, they were erased. */
import type { Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { Progress } from '../core/progress.js';

/** New data that may be about an erased subject. */
export interface LaterData {
  /** Ids of ended captures. */
  readonly captures: readonly string[];
  /** Ids of proposals that are decided, and executed if they were approved. */
  readonly proposals: readonly string[];
  /** Data of customers: `about` is the key of the customer's account, `key` the key of the data. */
  readonly belongings: readonly { readonly about: string; readonly business: number; readonly key: string }[];
}

/** A key that must be destroyed together with the keys of its subject. */
export interface LaterKey {
  readonly subject: string;
  readonly kind: string;
  readonly business: number | null;
  readonly key: string;
}

/** Maximum wait for each read model, in milliseconds. */
const WAIT_MS = 10_000;

/**
 * Returns the keys among the new data whose subject is erased and which are not destroyed yet. The cost depends on the
 * new data only: erased keys are found by an index. Throws if a read model does not reach `position` in time.
 */
export function createLaterKeys({ pool, progress }: { readonly pool: Pool; readonly progress: Progress }) {
  return async ({ captures, proposals, belongings }: LaterData, position: Position): Promise<readonly LaterKey[]> => {
    const models = [
      'erasures',
      ...(captures.length > 0 ? ['captures'] : []),
      ...(proposals.length > 0 ? ['approvals'] : []),
    ];
    for (const model of models)
      if (!(await progress.waitFor(model, position, WAIT_MS)))
        throw new Error(`The read model ${model} has not reached position ${position} in time.`);
    const { rows } = await pool.query<LaterKey>({
      name: 'later-keys',
      text: `with found (about, business, key) as (
               select t.tracking::text, null::int, t.capture::text from captures.trackings t
                where t.capture = any ($1::uuid[])
               union
               select m.tracking::text, null, m.key from captures.mentions m where m.capture = any ($1::uuid[])
               union
               select regexp_replace(target->>'stream', '^tracking-', ''), p.business, 'proposal-' || p.id
                 from approvals.proposals p cross join json_array_elements(p.proposed->'data'->'targets') target
                where p.id = any ($2::uuid[])
               union
               select * from unnest($3::text[], $4::int[], $5::text[]))
             select distinct e.subject, e.kind, e.business, f.key
               from found f
               join erasures.erasures e on e.keys @> array[f.about] and (f.business is null or e.business = f.business)
              where (select v.destroyed_at from vault.subject_keys v where v.subject = f.key) is null`,
      values: [
        captures,
        proposals,
        belongings.map(({ about }) => about),
        belongings.map(({ business }) => business),
        belongings.map(({ key }) => key),
      ],
    });
    return rows;
  };
}
