/** The work on effects: who continues which effect, and when. Their steps are events of their streams. */
import type { ClientBase, Pool } from 'pg';
import type { EffectStep } from '../../events/effects/progress.js';

/** An effect that began. */
export interface NewEffect {
  readonly effectId: string;
  readonly stream: string;
  readonly kind: string;
  readonly business: number;
  readonly about: string;
  readonly adapter: string;
  readonly account: string;
  /** RFC 3339. */
  readonly begunAt: string;
}

/** An effect that one worker continues. */
export interface ClaimedEffect {
  readonly effectId: string;
  readonly stream: string;
  readonly kind: string;
  readonly begunAt: Date;
  readonly attempts: number;
  /** Number of claims including this one. */
  readonly claims: number;
}

export interface EffectStore {
  /** Adds effects in the transaction of `db`. Known effects stay. They are due after `graceMs`. */
  add(db: ClientBase, effects: readonly NewEffect[], graceMs: number): Promise<void>;
  /** Notes recorded steps, within the transaction of `db` if given. A step never replaces a later one. */
  note(steps: readonly { readonly effectId: string; readonly step: EffectStep }[], db?: ClientBase): Promise<void>;
  /** Claims an effect that this process began, and adds it if needed. Undefined: another worker has it, or it ended. */
  claim(effect: NewEffect, worker: string, claimMs: number): Promise<ClaimedEffect | undefined>;
  /** Claims due effects, the longest due first. */
  claimDue(worker: string, limit: number, claimMs: number): Promise<readonly ClaimedEffect[]>;
  /** Ends the claim. The effect is due after `afterMs`. `cause`: the result of a call was unknown. */
  postpone(effectId: string, worker: string, afterMs: number, cause?: string): Promise<void>;
  /** Deletes effects that ended more than `days` ago; returns their number. */
  sweep(days: number): Promise<number>;
}

/** The order of the steps: a follower may note an earlier step later than a worker notes a later one. */
const RANK = (step: string): string =>
  `array_position(array['begun', 'reserved', 'left_open', 'done', 'refused'], ${step})`;

const CLAIMED = 'stream, kind, begun_at, attempts, claims';

interface ClaimedRow {
  readonly effect_id: string;
  readonly stream: string;
  readonly kind: string;
  readonly begun_at: Date;
  readonly attempts: number;
  readonly claims: number;
}

const toClaimed = ({ effect_id, begun_at, ...row }: ClaimedRow): ClaimedEffect => ({
  ...row,
  effectId: effect_id,
  begunAt: begun_at,
});

/** `pool`: its commits wait for the disk, so that a claim is known before anything is sent. */
export function createEffectStore(pool: Pool): EffectStore {
  return {
    async add(db, effects, graceMs) {
      await db.query(
        `insert into access.effects (effect_id, stream, kind, business, about, adapter, account, begun_at, step, next_at)
         select n.*, 'begun', now() + make_interval(secs => $9 / 1000.0)
           from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::timestamptz[]) n
         on conflict do nothing`,
        [...columnsOf(effects), graceMs],
      );
    },

    async note(steps, db) {
      // One after the other: an update changes a row only once, and a batch may have several steps of one effect.
      for (const { effectId, step } of steps)
        await (db ?? pool).query({
          name: 'effects-note',
          text: `update access.effects set step = $2, next_at = case when $3 then null else next_at end, ended_at = case when $4 then now() end,
                        worker = case when $3 then null else worker end, busy_until = case when $3 then null else busy_until end
                  where effect_id = $1 and ${RANK('step')} < ${RANK('$2')}`,
          values: [effectId, step, step === 'left_open' || hasEnded(step), hasEnded(step)],
        });
    },

    async claim(effect, worker, claimMs) {
      const { rows } = await pool.query<ClaimedRow>({
        name: 'effects-claim',
        text: `insert into access.effects as e (effect_id, stream, kind, business, about, adapter, account, begun_at, step, next_at, claims, worker, busy_until)
               select n.*, 'begun', now(), 1, $9, now() + make_interval(secs => $10 / 1000.0)
                 from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::timestamptz[]) n
               on conflict (effect_id) do update set worker = excluded.worker, busy_until = excluded.busy_until, claims = e.claims + 1
                 where e.next_at is not null and (e.busy_until is null or e.busy_until < now())
               returning effect_id, ${CLAIMED}`,
        values: [...columnsOf([effect]), worker, claimMs],
      });
      return rows[0] && toClaimed(rows[0]);
    },

    async claimDue(worker, limit, claimMs) {
      const { rows } = await pool.query<ClaimedRow>({
        name: 'effects-claim-due',
        text: `with due as (select effect_id from access.effects where next_at <= now() and (busy_until is null or busy_until < now()) order by next_at limit $2 for update skip locked)
               update access.effects e set worker = $1, busy_until = now() + make_interval(secs => $3 / 1000.0), claims = claims + 1
                 from due where e.effect_id = due.effect_id returning e.effect_id, ${CLAIMED}`,
        values: [worker, limit, claimMs],
      });
      return rows.map(toClaimed);
    },

    async postpone(effectId, worker, afterMs, cause) {
      await pool.query({
        name: 'effects-postpone',
        text: `update access.effects set next_at = now() + make_interval(secs => $3 / 1000.0), attempts = attempts + ($4::text is not null)::int,
                      cause = coalesce($4, cause), worker = null, busy_until = null
                where effect_id = $1 and worker = $2 and next_at is not null`,
        values: [effectId, worker, afterMs, cause ?? null],
      });
    },

    async sweep(days) {
      const { rowCount } = await pool.query(
        'delete from access.effects where ended_at < now() - make_interval(days => $1)',
        [days],
      );
      return rowCount ?? 0;
    },
  };
}

const hasEnded = (step: EffectStep): boolean => step === 'done' || step === 'refused';

const columnsOf = (effects: readonly NewEffect[]) =>
  (['effectId', 'stream', 'kind', 'business', 'about', 'adapter', 'account', 'begunAt'] as const).map((member) =>
    effects.map((effect) => effect[member]),
  );
