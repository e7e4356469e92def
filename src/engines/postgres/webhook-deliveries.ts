/**
 * Webhook deliveries and their attempts: ordinary tables. Nothing personal stands in them; addresses and answers are
 * sealed.
 */
import type { ClientBase, Pool } from 'pg';
import type { WebhookKind } from '../../events/webhooks/events.js';
import type { Vault } from '../vault.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Where an event stands in the log. */
export interface EventRef {
  readonly stream: string;
  readonly revision: number;
}

export interface NewDelivery extends EventRef {
  /** UUID; one that is there already stays as it is. */
  readonly id: string;
  readonly business: number;
  readonly kind: WebhookKind;
  /** RFC 3339. */
  readonly recordedAt: string;
  /** Why it is not to be sent; absent: it is due at once. */
  readonly skipped?: string;
  /** Attempts in all. */
  readonly most: number;
}

export interface Claimed {
  readonly id: string;
  readonly business: number;
  readonly kind: WebhookKind;
  /** Undefined for a test, which has a `target`. */
  readonly event: EventRef | undefined;
  readonly target: string | undefined;
  readonly recordedAt: Date;
  /** With the one that begins now. */
  readonly attempts: number;
  readonly most: number;
}

export interface Attempt {
  readonly at: Date;
  readonly ms: number;
  readonly url: string;
  readonly status?: number;
  readonly error?: string;
  /** The beginning of the answer's text. */
  readonly answer?: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly kind: WebhookKind;
  readonly test: boolean;
  readonly state: DeliveryState;
  readonly recordedAt: Date;
  readonly createdAt: Date;
  /** Of a pending one. */
  readonly dueAt: Date | undefined;
  readonly error: string | undefined;
  readonly attemptsMade: number;
  /** Oldest first; one that was cut off by the end of a process is absent. */
  readonly attempts: readonly (Attempt & { readonly attempt: number })[];
}

export interface DeliveryFilter {
  readonly kind?: WebhookKind | undefined;
  readonly state?: DeliveryState | undefined;
  readonly id?: string | undefined;
  /** Of creation: from (inclusive), to (exclusive). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** How many attempts an endpoint may have under way at a time, where it is not the usual number. */
export interface Slots {
  readonly business: number;
  readonly kind: WebhookKind;
  readonly slots: number;
}

/** What an attempt led to. `retry`: milliseconds until the next. */
export type Settled =
  | { readonly state: Exclude<DeliveryState, 'pending'>; readonly error?: string }
  | { readonly retry: number; readonly error: string };

export type WebhookDeliveries = ReturnType<typeof createWebhookDeliveries>;

const targetContext = (id: string) => `webhook target ${id}`;
const answerContext = (id: string, attempt: number) => `webhook answer ${id} ${attempt}`;

/**
 * `lazyPool`: its commits do not wait for the disk. What a crash of the database takes back of an attempt is an attempt
 * more: at least once.
 */
export function createWebhookDeliveries({
  pool,
  lazyPool,
  vault,
}: {
  readonly pool: Pool;
  readonly lazyPool: Pool;
  readonly vault: Vault;
}) {
  const sealed = (text: string, context: string) => vault.seal(Buffer.from(text), context);
  const opened = (box: Buffer | null, context: string) =>
    box === null ? undefined : vault.open(box, context).toString();

  async function attemptsOf(ids: readonly string[]) {
    const { rows } = await pool.query<{
      delivery: string;
      attempt: number;
      at: Date;
      ms: number;
      status: number | null;
      error: string | null;
      target: Buffer;
      answer: Buffer | null;
    }>('select * from webhooks.attempts where delivery = any ($1) order by delivery, attempt', [ids]);
    return rows.map(({ delivery, attempt, at, ms, status, error, target, answer }) => ({
      delivery,
      attempt,
      at,
      ms,
      url: opened(target, targetContext(delivery))!,
      ...(status !== null && { status }),
      ...(error !== null && { error }),
      ...(answer !== null && { answer: opened(answer, answerContext(delivery, attempt))! }),
    }));
  }

  return {
    /** Within the transaction of `db`; returns how many were new. */
    async add(db: ClientBase, rows: readonly NewDelivery[]): Promise<number> {
      const { rowCount } = await db.query(
        `insert into webhooks.deliveries (id, business, kind, stream, revision, recorded_at, state, most, error, finished_at)
         select id, business, kind, stream, revision, recorded_at, case when skipped is null then 'pending' else 'skipped' end, most, skipped, case when skipped is null then null else now() end
           from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::int[], $8::text[]) as n (id, business, kind, stream, revision, recorded_at, most, skipped)
         on conflict do nothing`,
        [
          rows.map(({ id }) => id),
          rows.map(({ business }) => business),
          rows.map(({ kind }) => kind),
          rows.map(({ stream }) => stream),
          rows.map(({ revision }) => revision),
          rows.map(({ recordedAt }) => recordedAt),
          rows.map(({ most }) => most),
          rows.map(({ skipped }) => skipped ?? null),
        ],
      );
      return rowCount ?? 0;
    },

    /** A test is sent by who asks for it, once: it is no one else's for `leaseMs`. */
    async addTest({
      id,
      business,
      kind,
      url,
      at,
      leaseMs,
    }: {
      readonly id: string;
      readonly business: number;
      readonly kind: WebhookKind;
      readonly url: string;
      readonly at: Date;
      readonly leaseMs: number;
    }): Promise<void> {
      await pool.query(
        `insert into webhooks.deliveries (id, business, kind, recorded_at, state, attempts, most, target, due_at) values ($1, $2, $3, $4, 'pending', 1, 1, $5, now() + make_interval(secs => $6 / 1000.0))
         on conflict (id) do update set attempts = deliveries.attempts + 1, state = 'pending', due_at = excluded.due_at, finished_at = null`,
        [id, business, kind, at, sealed(url, targetContext(id)), leaseMs],
      );
    },

    /**
     * Takes due deliveries, some of every endpoint: at most `usual` of each, or as many as `slots` says. Who takes one
     * has it for `leaseMs`; then it is due again, so what a dead process took is not lost.
     */
    async claim({
      limit,
      usual,
      slots,
      leaseMs,
    }: {
      readonly limit: number;
      readonly usual: number;
      readonly slots: readonly Slots[];
      readonly leaseMs: number;
    }): Promise<Claimed[]> {
      const { rows } = await lazyPool.query<{
        id: string;
        business: number;
        kind: WebhookKind;
        stream: string | null;
        revision: number | null;
        recorded_at: Date;
        attempts: number;
        most: number;
        target: Buffer | null;
      }>({
        name: 'webhook-claim',
        text: `with recursive endpoints as (
                 (select business, kind from webhooks.deliveries where state = 'pending' order by business, kind limit 1)
                 union all
                 select next.business, next.kind from endpoints e cross join lateral
                   (select business, kind from webhooks.deliveries where state = 'pending' and (business, kind) > (e.business, e.kind) order by business, kind limit 1) next
               ), free as (
                 select business, kind, coalesce(s.slots, $1) as slots from endpoints left join unnest($2::int[], $3::text[], $4::int[]) as s (business, kind, slots) using (business, kind)
                  where coalesce(s.slots, $1) > 0 order by random()
               ), due as (
                 select d.id from free cross join lateral
                   (select id from webhooks.deliveries where state = 'pending' and business = free.business and kind = free.kind and due_at <= now()
                     order by due_at limit free.slots for update skip locked) d
                  limit $5
               )
               update webhooks.deliveries d set attempts = attempts + 1, due_at = now() + make_interval(secs => $6 / 1000.0) from due where d.id = due.id
               returning d.id, business, kind, stream, revision, recorded_at, attempts, most, target`,
        values: [
          usual,
          slots.map(({ business }) => business),
          slots.map(({ kind }) => kind),
          slots.map(({ slots }) => Math.max(0, slots)),
          limit,
          leaseMs,
        ],
      });
      return rows.map(({ id, business, kind, stream, revision, recorded_at, attempts, most, target }) => ({
        id,
        business,
        kind,
        event: stream === null ? undefined : { stream, revision: revision! },
        target: opened(target, targetContext(id)),
        recordedAt: recorded_at,
        attempts,
        most,
      }));
    },

    /** `attempt`: absent where none was made. */
    async settle(
      { id, attempts }: Pick<Claimed, 'id' | 'attempts'>,
      settled: Settled,
      attempt?: Attempt,
    ): Promise<void> {
      const [state, due] = 'retry' in settled ? ['pending', settled.retry] : [settled.state, 0];
      await lazyPool.query({
        name: 'webhook-settle',
        text: `with made as (insert into webhooks.attempts (delivery, attempt, at, ms, status, error, target, answer) select $1, $2, $6, $7, $8, $9, $10, $11 where $10::bytea is not null on conflict do nothing)
               update webhooks.deliveries set state = $3, error = $5, due_at = now() + make_interval(secs => $4 / 1000.0), finished_at = case when $3 = 'pending' then null else now() end
                where id = $1 and state = 'pending'`,
        values: [
          id,
          attempts,
          state,
          due,
          settled.error ?? null,
          attempt?.at ?? null,
          attempt?.ms ?? null,
          attempt?.status ?? null,
          attempt?.error ?? null,
          attempt ? sealed(attempt.url, targetContext(id)) : null,
          attempt?.answer === undefined ? null : sealed(attempt.answer, answerContext(id, attempts)),
        ],
      });
    },

    /** Deliveries that used up all their attempts since the endpoint last took one, or since `since`. */
    async givenUpInARow(business: number, kind: WebhookKind, since: string): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from webhooks.deliveries
          where business = $1 and kind = $2 and state = 'failed' and stream is not null and finished_at > greatest($3::timestamptz,
                (select max(finished_at) from webhooks.deliveries where business = $1 and kind = $2 and state = 'delivered' and stream is not null))`,
        [business, kind, since],
      );
      return rows[0]!.count;
    },

    /** What waits for an endpoint that was paused; attempts under way end as they end. */
    async skipPending(business: number, kind: WebhookKind, error: string): Promise<number> {
      const { rowCount } = await pool.query(
        "update webhooks.deliveries set state = 'skipped', error = $3, finished_at = now() where business = $1 and kind = $2 and state = 'pending' and stream is not null",
        [business, kind, error],
      );
      return rowCount ?? 0;
    },

    async list(
      business: number,
      { kind, state, id, from, to, offset, limit }: DeliveryFilter,
    ): Promise<{ readonly total: number; readonly deliveries: readonly DeliveryRow[] }> {
      const where = `where business = $1 and ($2::text is null or kind = $2) and ($3::text is null or state = $3) and ($4::uuid is null or id = $4)
                       and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)`;
      const values = [business, kind ?? null, state ?? null, id ?? null, from ?? null, to ?? null];
      const [counted, { rows }] = await Promise.all([
        pool.query<{ count: number }>(`select count(*)::int as count from webhooks.deliveries ${where}`, values),
        pool.query<{
          id: string;
          kind: WebhookKind;
          stream: string | null;
          state: DeliveryState;
          recorded_at: Date;
          created_at: Date;
          due_at: Date;
          error: string | null;
          attempts: number;
        }>(
          `select id, kind, stream, state, recorded_at, created_at, due_at, error, attempts from webhooks.deliveries ${where} order by created_at desc, id offset $7 limit $8`,
          [...values, offset, limit],
        ),
      ]);
      const attempts = await attemptsOf(rows.map((row) => row.id));
      return {
        total: counted.rows[0]!.count,
        deliveries: rows.map((row) => ({
          id: row.id,
          kind: row.kind,
          test: row.stream === null,
          state: row.state,
          recordedAt: row.recorded_at,
          createdAt: row.created_at,
          dueAt: row.state === 'pending' ? row.due_at : undefined,
          error: row.error ?? undefined,
          attemptsMade: row.attempts,
          attempts: attempts.filter(({ delivery }) => delivery === row.id),
        })),
      };
    },

    /** Makes it due again, with `more` attempts; false where it is still under way. */
    async replay(business: number, id: string, more: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        "update webhooks.deliveries set state = 'pending', most = attempts + $3, due_at = now(), finished_at = null, error = null where business = $1 and id = $2 and state <> 'pending'",
        [business, id, more],
      );
      return rowCount === 1;
    },

    /** How many are due, and how long the first has been, in milliseconds. */
    async backlog(): Promise<{ readonly due: number; readonly oldestMs: number }> {
      const { rows } = await pool.query<{ due: number; oldest: number | null }>(
        "select count(*)::int as due, (extract(epoch from now() - min(due_at)) * 1000)::float8 as oldest from webhooks.deliveries where state = 'pending' and due_at <= now()",
      );
      return { due: rows[0]!.due, oldestMs: rows[0]!.oldest ?? 0 };
    },

    /** Forgets what is older than `days`; returns how many. */
    async sweep(days: number): Promise<number> {
      const { rowCount } = await pool.query(
        "delete from webhooks.deliveries where created_at < now() - make_interval(days => $1) and state <> 'pending'",
        [days],
      );
      return rowCount ?? 0;
    },
  };
}

/**
 * What endpoints answered may repeat what they were told of a person: of a business's so far (absent: of all), nothing
 * is kept.
 */
export async function forgetWebhookAnswers(pool: Pool, business?: number): Promise<void> {
  await pool.query(
    'update webhooks.attempts set answer = null where answer is not null and delivery in (select id from webhooks.deliveries where business = coalesce($1, business))',
    [business ?? null],
  );
}
