/** Idempotency-Key: the first request claims the key, every retry gets the first answer, another body is refused (G5). */
import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../../engines/vault.js';
import { ApiError, fieldError } from '../errors.js';

/** A claim whose request died may be taken up again after this. */
const BUSY_SECONDS = 30;
/** Answers are kept this long; a key that is older is a new one. */
export const KEPT_HOURS = 24;

const MAX_KEY = 255;

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Claim {
  readonly commandId: string;
  /** Milliseconds since 1970: when the key was first claimed. */
  readonly time: number;
  /** The first answer, when there is one already. */
  readonly answer?: StoredAnswer;
  /** Stores the answer. */
  settle(answer: StoredAnswer): Promise<void>;
  /** Nothing happened: the key may be used again at once. */
  abandon(): Promise<void>;
}

export interface Idempotency {
  /** `principal` is who sends the key: two callers' keys never meet. Throws IDEMPOTENCY_KEY_REUSED or IDEMPOTENCY_IN_FLIGHT. */
  claim(principal: string, key: string, request: Buffer): Promise<Claim>;
  /** Forgets old keys; returns how many. */
  sweep(): Promise<number>;
}

export function createIdempotency(pool: Pool, vault: Vault): Idempotency {
  return {
    async claim(principal, key, request) {
      if (key.length > MAX_KEY || !/^[\x21-\x7e]+$/.test(key)) throw fieldError('INVALID_IDEMPOTENCY_KEY', 'idempotency-key', { max: MAX_KEY }, '');
      const fingerprint = createHash('sha256').update(request).digest();
      const { rows } = await pool.query<{ command_id: string; fingerprint: Buffer; claimed_at: Date; answer: Buffer | null; mine: boolean }>(
        `insert into access.idempotency as i (principal, key, fingerprint, command_id, attempt, busy_until) values ($1, $2, $3, $4, $6, now() + make_interval(secs => $5))
         on conflict (principal, key) do update
           set (attempt, busy_until) = (select excluded.attempt, excluded.busy_until where i.answer is null and i.fingerprint = $3 and i.busy_until < now()
                                        union all select i.attempt, i.busy_until limit 1)
         returning command_id, fingerprint, claimed_at, answer, attempt = $6 as mine`,
        [principal, key, fingerprint, randomUUID(), BUSY_SECONDS, randomUUID()],
      );
      const row = rows[0]!;
      if (!row.fingerprint.equals(fingerprint)) throw fieldError('IDEMPOTENCY_KEY_REUSED', 'idempotency-key', {}, '');
      if (!row.answer && !row.mine) throw new ApiError('IDEMPOTENCY_IN_FLIGHT', { headers: { 'Retry-After': '1' }, errors: [{ field: 'idempotency-key', path: '', code: 'IDEMPOTENCY_IN_FLIGHT' }] });
      const context = `${principal} ${key}`;
      return {
        commandId: row.command_id,
        time: row.claimed_at.getTime(),
        ...(row.answer && { answer: JSON.parse(vault.open(row.answer, context).toString()) as StoredAnswer }),
        async settle(answer) {
          await pool.query('update access.idempotency set answer = $3, busy_until = null where principal = $1 and key = $2', [principal, key, vault.seal(Buffer.from(JSON.stringify(answer)), context)]);
        },
        async abandon() {
          await pool.query('update access.idempotency set busy_until = now() - interval \'1 second\' where principal = $1 and key = $2 and answer is null', [principal, key]);
        },
      };
    },
    async sweep() {
      const { rowCount } = await pool.query('delete from access.idempotency where claimed_at < now() - make_interval(hours => $1)', [KEPT_HOURS]);
      return rowCount ?? 0;
    },
  };
}
