/** The queue of webhook deliveries: added, claimed, settled, skipped and replayed. An ordinary table, not a stream. */
import type { ClientBase, Pool } from 'pg';
import type { WebhookEndpoint, WebhookKind } from '../../events/webhooks/events.js';
import type { Vault } from '../vault.js';
import type { Attempt, Claimed, NewDelivery, Settled, Slots } from './webhook-delivery.js';
import { answerContext, targetContext, WebhookSeals } from './webhook-seals.js';

/** The endpoint of a row, as in the index of pending deliveries. */
const ENDPOINT = "(case when via_default then 'default' else kind end)";

export interface DeliveriesOptions {
  readonly pool: Pool;
  /**
   * Pool whose commits do not wait for the disk. If a crash of the database loses an attempt, the attempt is repeated:
   * at-least-once delivery.
   */
  readonly lazyPool: Pool;
  readonly vault: Vault;
}

export class WebhookQueue {
  readonly #pool: Pool;
  readonly #lazyPool: Pool;
  readonly #seal: WebhookSeals;

  constructor({ pool, lazyPool, vault }: DeliveriesOptions) {
    this.#pool = pool;
    this.#lazyPool = lazyPool;
    this.#seal = new WebhookSeals(vault);
  }

  /** Adds deliveries in the transaction of `db`; returns the number of new ones. */
  async add(db: ClientBase, rows: readonly NewDelivery[]): Promise<number> {
    const { rowCount } = await db.query(
      `insert into webhooks.deliveries (id, business, kind, via_default, stream, revision, recorded_at, state, most, error, finished_at)
       select id, business, kind, via_default, stream, revision, recorded_at, case when skipped is null then 'pending' else 'skipped' end, most, skipped, case when skipped is null then null else now() end
         from unnest($1::uuid[], $2::int[], $3::text[], $4::boolean[], $5::text[], $6::int[], $7::timestamptz[], $8::int[], $9::text[]) as n (id, business, kind, via_default, stream, revision, recorded_at, most, skipped)
       on conflict do nothing`,
      [
        rows.map(({ id }) => id),
        rows.map(({ business }) => business),
        rows.map(({ kind }) => kind),
        rows.map(({ endpoint }) => endpoint === 'default'),
        rows.map(({ stream }) => stream),
        rows.map(({ revision }) => revision),
        rows.map(({ recordedAt }) => recordedAt),
        rows.map(({ most }) => most),
        rows.map(({ skipped }) => skipped ?? null),
      ],
    );
    return rowCount ?? 0;
  }

  /** Adds a test, which its requester sends once: no other worker claims it for `leaseMs`. */
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
    await this.#pool.query(
      `insert into webhooks.deliveries (id, business, kind, recorded_at, state, attempts, most, target, due_at) values ($1, $2, $3, $4, 'pending', 1, 1, $5, now() + make_interval(secs => $6 / 1000.0))
       on conflict (id) do update set attempts = deliveries.attempts + 1, state = 'pending', due_at = excluded.due_at, finished_at = null`,
      [id, business, kind, at, this.#seal.seal(url, targetContext(id)), leaseMs],
    );
  }

  /**
   * Claims due deliveries of every endpoint: at most `usual` of each, or the number in `slots`. A claim lasts
   * `leaseMs`. Then the delivery is due again, so claims of a dead process are not lost.
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
    const { rows } = await this.#lazyPool.query<{
      id: string;
      business: number;
      kind: WebhookKind;
      endpoint: WebhookEndpoint;
      stream: string | null;
      revision: number | null;
      recorded_at: Date;
      attempts: number;
      most: number;
      target: Buffer | null;
    }>({
      name: 'webhook-claim',
      text: `with recursive endpoints as (
               (select business, ${ENDPOINT} as endpoint from webhooks.deliveries where state = 'pending' order by business, ${ENDPOINT} limit 1)
               union all
               select next.business, next.endpoint from endpoints e cross join lateral
                 (select business, ${ENDPOINT} as endpoint from webhooks.deliveries where state = 'pending' and (business, ${ENDPOINT}) > (e.business, e.endpoint) order by business, ${ENDPOINT} limit 1) next
             ), free as (
               select business, endpoint, coalesce(s.slots, $1) as slots from endpoints left join unnest($2::int[], $3::text[], $4::int[]) as s (business, endpoint, slots) using (business, endpoint)
                where coalesce(s.slots, $1) > 0 order by random()
             ), due as (
               select d.id from free cross join lateral
                 (select id from webhooks.deliveries where state = 'pending' and business = free.business and ${ENDPOINT} = free.endpoint and due_at <= now()
                   order by due_at limit free.slots for update skip locked) d
                limit $5
             )
             update webhooks.deliveries d set attempts = attempts + 1, due_at = now() + make_interval(secs => $6 / 1000.0) from due where d.id = due.id
             returning d.id, business, kind, ${ENDPOINT} as endpoint, stream, revision, recorded_at, attempts, most, target`,
      values: [
        usual,
        slots.map(({ business }) => business),
        slots.map(({ endpoint }) => endpoint),
        slots.map(({ slots }) => Math.max(0, slots)),
        limit,
        leaseMs,
      ],
    });
    return rows.map(({ id, business, kind, endpoint, stream, revision, recorded_at, attempts, most, target }) => ({
      id,
      business,
      kind,
      endpoint,
      event: stream === null ? undefined : { stream, revision: revision! },
      target: this.#seal.open(target, targetContext(id)),
      recordedAt: recorded_at,
      attempts,
      most,
    }));
  }

  /** Stores the result. `attempt`: absent if no attempt was made. */
  async settle({ id, attempts }: Pick<Claimed, 'id' | 'attempts'>, settled: Settled, attempt?: Attempt): Promise<void> {
    const [state, due] = 'retry' in settled ? ['pending', settled.retry] : [settled.state, 0];
    await this.#lazyPool.query({
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
        attempt ? this.#seal.seal(attempt.url, targetContext(id)) : null,
        attempt?.answer === undefined ? null : this.#seal.seal(attempt.answer, answerContext(id, attempts)),
      ],
    });
  }

  /**
   * Number of deliveries that failed after all attempts since the last successful one of the endpoint, or since
   * `since`.
   */
  async givenUpInARow(business: number, endpoint: WebhookEndpoint, since: string): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      `select count(*)::int as count from webhooks.deliveries
        where business = $1 and ${ENDPOINT} = $2 and state = 'failed' and stream is not null and finished_at > greatest($3::timestamptz,
              (select max(finished_at) from webhooks.deliveries where business = $1 and ${ENDPOINT} = $2 and state = 'delivered' and stream is not null))`,
      [business, endpoint, since],
    );
    return rows[0]!.count;
  }

  /** Skips pending deliveries of a paused endpoint. Running attempts still complete. */
  async skipPending(business: number, endpoint: WebhookEndpoint, error: string): Promise<number> {
    const { rowCount } = await this.#pool.query(
      `update webhooks.deliveries set state = 'skipped', error = $3, finished_at = now() where business = $1 and ${ENDPOINT} = $2 and state = 'pending' and stream is not null`,
      [business, endpoint, error],
    );
    return rowCount ?? 0;
  }

  /**
   * Moves pending deliveries to the current endpoint of their kind, so that a pause or failure of the previous endpoint
   * does not delay them.
   */
  async reroute(
    business: number,
    destinations: ReadonlyMap<WebhookKind, { readonly endpoint: WebhookEndpoint }>,
  ): Promise<void> {
    await this.#pool.query(
      `update webhooks.deliveries d set via_default = way.via_default from unnest($2::text[], $3::boolean[]) as way (kind, via_default)
        where d.business = $1 and d.kind = way.kind and d.state = 'pending' and d.stream is not null and d.via_default <> way.via_default`,
      [business, [...destinations.keys()], [...destinations.values()].map(({ endpoint }) => endpoint === 'default')],
    );
  }

  /**
   * Makes a delivery due again, with `more` attempts, through the current endpoint of its kind (absent: a test, which
   * has none). Returns false if the delivery is still pending.
   */
  async replay(business: number, id: string, more: number, endpoint?: WebhookEndpoint): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "update webhooks.deliveries set state = 'pending', most = attempts + $3, via_default = $4, due_at = now(), finished_at = null, error = null where business = $1 and id = $2 and state <> 'pending'",
      [business, id, more, endpoint === 'default'],
    );
    return rowCount === 1;
  }
}
