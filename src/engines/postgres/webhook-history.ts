/** History of deliveries with their responses, and the size of the backlog. */
import type { Pool } from 'pg';
import type { WebhookKind } from '../../events/webhooks/events.js';
import { asInstant, firstOf, KEY, valuesAfter, type After, type ListKey } from '../../sql/page-key.js';
import type { Vault } from '../vault.js';
import type { DeliveryFilter, DeliveryRow, DeliveryState } from './webhook-delivery.js';
import { answerContext, targetContext, WebhookSeals } from './webhook-seals.js';

const NEWEST: ListKey = { columns: { at: KEY.instant, id: KEY.uuid }, descending: true };

export class WebhookHistory {
  readonly #pool: Pool;
  readonly #seal: WebhookSeals;

  constructor({ pool, vault }: { readonly pool: Pool; readonly vault: Vault }) {
    this.#pool = pool;
    this.#seal = new WebhookSeals(vault);
  }

  async list(
    business: number,
    { kind, state, id, from, to, ...range }: DeliveryFilter,
  ): Promise<{
    readonly total: number;
    readonly next: After | undefined;
    readonly deliveries: readonly DeliveryRow[];
  }> {
    const { offset, limit, after } = range;
    const where = `where business = $1 and ($2::text is null or kind = $2) and ($3::text is null or state = $3) and ($4::uuid is null or id = $4)
                     and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)`;
    const values = [business, kind ?? null, state ?? null, id ?? null, from ?? null, to ?? null];
    const [counted, found] = await Promise.all([
      this.#pool.query<{ count: number }>(`select count(*)::int as count from webhooks.deliveries ${where}`, values),
      this.#pool.query<{
        id: string;
        kind: WebhookKind;
        stream: string | null;
        state: DeliveryState;
        recorded_at: Date;
        created_at: Date;
        due_at: Date;
        error: string | null;
        attempts: number;
        at: string;
      }>(
        `select id, kind, stream, state, recorded_at, created_at, due_at, error, attempts, ${asInstant('created_at')} as at from webhooks.deliveries ${where} and ($9::timestamptz is null or (created_at, id) < ($9, $10::uuid)) order by created_at desc, id desc offset $7 limit $8`,
        [...values, after ? 0 : offset, limit + 1, ...valuesAfter(after, NEWEST)],
      ),
    ]);
    const { rows, next } = firstOf(found.rows, range, NEWEST);
    const attempts = await this.#attemptsOf(rows.map((row) => row.id));
    return {
      total: counted.rows[0]!.count,
      next,
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
  }

  async #attemptsOf(ids: readonly string[]) {
    const { rows } = await this.#pool.query<{
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
      url: this.#seal.open(target, targetContext(delivery))!,
      ...(status !== null && { status }),
      ...(error !== null && { error }),
      ...(answer !== null && { answer: this.#seal.open(answer, answerContext(delivery, attempt))! }),
    }));
  }

  /** Number of due deliveries, and for how long the oldest one has been due, in milliseconds. */
  async backlog(): Promise<{ readonly due: number; readonly oldestMs: number }> {
    const { rows } = await this.#pool.query<{ due: number; oldest: number | null }>(
      "select count(*)::int as due, (extract(epoch from now() - min(due_at)) * 1000)::float8 as oldest from webhooks.deliveries where state = 'pending' and due_at <= now()",
    );
    return { due: rows[0]!.due, oldestMs: rows[0]!.oldest ?? 0 };
  }

  /** Deletes deliveries older than `days`, except pending ones; returns their number. */
  async sweep(days: number): Promise<number> {
    const { rowCount } = await this.#pool.query(
      "delete from webhooks.deliveries where created_at < now() - make_interval(days => $1) and state <> 'pending'",
      [days],
    );
    return rowCount ?? 0;
  }
}

/** Deletes stored responses of endpoints, which may repeat personal data: of one business, or of all if absent. */
export async function forgetWebhookAnswers(pool: Pool, business?: number): Promise<void> {
  await pool.query(
    'update webhooks.attempts set answer = null where answer is not null and delivery in (select id from webhooks.deliveries where business = coalesce($1, business))',
    [business ?? null],
  );
}
