/**
 * Idempotency-Key: the first request claims the key, every retry gets the response of the first request, and another
 * body is rejected (G5).
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../../engines/vault.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { ApiError, fieldError } from './errors.js';
import { isRepresentation, type OperationResult, type Representation } from './operation.js';

/** Retention of responses; a key that is older counts as new. */
export const RETENTION_HOURS = 24;

const MAX_KEY = 255;
/** Value of `busy_until` that lets another request claim the key at once. */
const FREE = "now() - interval '1 second'";
/** Maximum number of responses that one statement removes. */
const AT_ONCE = 5_000;

export interface Claim {
  readonly commandId: string;
  /** When the key was first claimed, in milliseconds since 1970. */
  readonly time: number;
  /** The first response, if it is already stored. */
  readonly answer?: OperationResult;
  /** Stores the response. */
  settle(answer: OperationResult): Promise<void>;
  /** Releases the claim without a response: the key, and its command id, may be used again at once. */
  abandon(): Promise<void>;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** If the process of a request dies, its key can be claimed again after `leaseSeconds`. */
export function createIdempotency(pool: Pool, vault: Vault, { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>) {
  return {
    /**
     * Claims a key. `principal` is the sender of the key: equal keys of two callers do not conflict. Throws
     * INVALID_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_REUSED or IDEMPOTENCY_IN_FLIGHT.
     */
    async claim(principal: string, key: string, request: Buffer): Promise<Claim> {
      if (key.length > MAX_KEY || !/^[\x21-\x7e]+$/.test(key))
        throw fieldError('INVALID_IDEMPOTENCY_KEY', 'idempotency-key', { max: MAX_KEY }, '');
      const fingerprint = createHash('sha256').update(request).digest();
      const { rows } = await pool.query<{
        command_id: string;
        fingerprint: Buffer;
        claimed_at: Date;
        answer: Buffer | null;
        mine: boolean;
      }>(
        `insert into access.idempotency as i (principal, key, fingerprint, command_id, attempt, busy_until) values ($1, $2, $3, $4, $6, now() + make_interval(secs => $5))
         on conflict (principal, key) do update
           set (attempt, busy_until) = (select excluded.attempt, excluded.busy_until where i.answer is null and i.fingerprint = $3 and i.busy_until < now()
                                        union all select i.attempt, i.busy_until limit 1)
         returning command_id, fingerprint, claimed_at, answer, attempt = $6 as mine`,
        [principal, key, fingerprint, randomUUID(), leaseSeconds, randomUUID()],
      );
      const row = rows[0]!;
      if (!row.fingerprint.equals(fingerprint)) throw fieldError('IDEMPOTENCY_KEY_REUSED', 'idempotency-key', {}, '');
      if (!row.answer && !row.mine)
        throw new ApiError('IDEMPOTENCY_IN_FLIGHT', {
          headers: { 'Retry-After': '1' },
          errors: [{ field: 'idempotency-key', path: '', code: 'IDEMPOTENCY_IN_FLIGHT' }],
        });
      const context = `${principal} ${key}`;
      return {
        commandId: row.command_id,
        time: row.claimed_at.getTime(),
        ...(row.answer && { answer: fromBytes(vault.open(row.answer, context)) }),
        async settle(answer) {
          await pool.query(
            `update access.idempotency i set (answer, busy_until) = (select case when d.at is null then $3::bytea end, case when d.at is not null then ${FREE} end
               from (values (1)) one left join access.answers_dropped d on d.at >= i.claimed_at)
              where principal = $1 and key = $2`,
            [principal, key, vault.seal(toBytes(answer), context)],
          );
        },
        async abandon() {
          await pool.query(
            `update access.idempotency set busy_until = ${FREE} where principal = $1 and key = $2 and answer is null`,
            [principal, key],
          );
        },
      };
    },
    /**
     * Removes the stored responses of a business's users and of providers (absent: of all callers), including those of
     * requests in progress. The keys stay claimed: a retry runs the same command again with the same ids and time. It
     * changes nothing, and its response shows the current state.
     */
    async forget(business?: number): Promise<void> {
      // A concurrent `settle` either commits before this lock is granted, or sees the new time afterwards.
      await pool.query(`lock table access.idempotency in share row exclusive mode;
        insert into access.answers_dropped (at) values (clock_timestamp()) on conflict (one) do update set at = excluded.at`);
      for (let forgotten = AT_ONCE; forgotten === AT_ONCE;) {
        const { rowCount } = await pool.query(
          `update access.idempotency set answer = null, busy_until = ${FREE} where (principal, key) in
             (select principal, key from access.idempotency where answer is not null and claimed_at <= (select at from access.answers_dropped)
               ${business === undefined ? '' : "and (principal not like 'user:%' or principal in (select 'user:' || id from accounts.accounts where business = $1))"} limit ${AT_ONCE})`,
          business === undefined ? [] : [business],
        );
        forgotten = rowCount ?? 0;
      }
    },
    /** Deletes expired keys; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.idempotency where claimed_at < now() - make_interval(hours => $1)',
        [RETENTION_HOURS],
      );
      return rowCount ?? 0;
    },
  };
}

/** Bytes of a response are stored as base64. */
function toBytes({ result, position }: OperationResult): Buffer {
  return Buffer.from(
    JSON.stringify(
      isRepresentation(result)
        ? { bytes: { ...result, body: result.body.toString('base64') }, position }
        : { result, position },
    ),
  );
}

function fromBytes(text: Buffer): OperationResult {
  const { result, bytes, position } = JSON.parse(text.toString()) as OperationResult & {
    readonly bytes?: Omit<Representation, 'body'> & { readonly body: string };
  };
  return { result: bytes ? { ...bytes, body: Buffer.from(bytes.body, 'base64') } : result, position };
}
