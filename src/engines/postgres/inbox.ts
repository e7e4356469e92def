/** Signed messages of external systems: each is stored once, encrypted, and processed until it succeeds. */
import type { Pool } from 'pg';
import { derivedId } from '../../events/otep/identity.js';
import { asInstant } from '../../sql/page-key.js';
import type { Vault } from '../vault.js';
import { MAX_INBOX_ATTEMPTS } from './effect-list.js';

/** Days after which the body of a message is deleted. */
const BODY_DAYS = 30;
/** Days for which message ids stay, so that a late repetition is recognized. */
const ID_DAYS = 90;
/** Messages of one account that a worker claims together. */
const BATCH = 25;
const PRINTABLE = /^[\x21-\x7e]{1,200}$/;

export interface NewMessage {
  readonly business: number;
  readonly adapter: string;
  readonly account: string;
  /** The external system gives a repeated message the same id. */
  readonly messageId: string;
  readonly bytes: Buffer;
}

export interface ClaimedMessage {
  readonly id: string;
  readonly business: number;
  readonly adapter: string;
  readonly account: string;
  readonly messageId: string;
  readonly bytes: Buffer;
  /** Attempts before this one. */
  readonly attempts: number;
}

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(pool: Pool, vault: Vault) {
  const contextOf = (id: string): string => `inbox ${id}`;

  return {
    /** Durable when it resolves. Returns false for a message that is already known. */
    async add({ business, adapter, account, messageId, bytes }: NewMessage): Promise<boolean> {
      const id = derivedId('inbox', adapter, account, messageId);
      const { rowCount } = await pool.query({
        name: 'inbox-add',
        text: 'insert into access.inbox (id, business, adapter, account, message_id, body) values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
        values: [
          id,
          business,
          adapter,
          account,
          // Ids that are long or contain other characters are represented by the derived id.
          PRINTABLE.test(messageId) ? messageId : id,
          vault.seal(bytes, contextOf(id)),
        ],
      });
      return rowCount === 1;
    },

    /**
     * Claims due messages of up to `accounts` accounts, in the order in which they were received. Accounts with a message
     * that is being processed are omitted. Returns the messages of each account.
     */
    async claim(worker: string, accounts: number, claimMs: number): Promise<readonly (readonly ClaimedMessage[])[]> {
      const { rows } = await pool.query<{
        id: string;
        business: number;
        adapter: string;
        account: string;
        message_id: string;
        body: Buffer;
        attempts: number;
        at: string;
      }>({
        name: 'inbox-claim',
        text: `with recursive accounts as (
                 (select adapter, account from access.inbox where next_at is not null order by adapter, account limit 1)
                 union all
                 select next.adapter, next.account from accounts a cross join lateral
                   (select adapter, account from access.inbox where next_at is not null and (adapter, account) > (a.adapter, a.account) order by adapter, account limit 1) next
               ), free as (
                 select adapter, account from accounts a
                  where not exists (select from access.inbox b where b.adapter = a.adapter and b.account = a.account and b.next_at is not null and b.busy_until >= now())
                  order by random() limit $2
               ), due as (
                 select d.id from free a cross join lateral
                   (select id from access.inbox where adapter = a.adapter and account = a.account and next_at <= now()
                     order by received_at, id limit $4 for update skip locked) d
               )
               update access.inbox i set worker = $1, busy_until = now() + make_interval(secs => $3 / 1000.0)
                 from due where i.id = due.id and i.body is not null returning i.id, business, adapter, account, message_id, body, attempts, ${asInstant('received_at')} as at`,
        values: [worker, accounts, claimMs, BATCH],
      });
      // An update returns its rows in any order.
      const ordered = rows.sort((one, other) => compareTexts(one.at, other.at) || compareTexts(one.id, other.id));
      const byAccount = new Map<string, ClaimedMessage[]>();
      for (const { message_id, body, at: _at, ...row } of ordered) {
        const key = JSON.stringify([row.adapter, row.account]);
        const message = { ...row, messageId: message_id, bytes: vault.open(body, contextOf(row.id)) };
        byAccount.set(key, [...(byAccount.get(key) ?? []), message]);
      }
      return [...byAccount.values()];
    },

    async done(id: string, worker: string): Promise<void> {
      await pool.query({
        name: 'inbox-done',
        text: 'update access.inbox set done_at = now(), next_at = null, error = null, attempts = attempts + 1, worker = null, busy_until = null where id = $1 and worker = $2',
        values: [id, worker],
      });
    },

    /** The message is due again after `afterMs`, unless it has failed too often. */
    async failed(id: string, worker: string, error: string, afterMs: number): Promise<void> {
      await pool.query(
        `update access.inbox set attempts = attempts + 1, error = $3, worker = null, busy_until = null,
                next_at = case when attempts + 1 < $5 then now() + make_interval(secs => $4 / 1000.0) end
          where id = $1 and worker = $2`,
        [id, worker, error, afterMs, MAX_INBOX_ATTEMPTS],
      );
    },

    /** Deletes the bodies of processed messages, of one business or of all: they may contain personal data. */
    async forgetProcessed(business?: number): Promise<void> {
      await pool.query(
        'update access.inbox set body = null where body is not null and done_at is not null and business = coalesce($1, business)',
        [business ?? null],
      );
    },

    /** Deletes old bodies and ids. A message without a body is not processed again. */
    async sweep(): Promise<void> {
      await pool.query(
        'update access.inbox set body = null, next_at = null where body is not null and received_at < now() - make_interval(days => $1)',
        [BODY_DAYS],
      );
      await pool.query('delete from access.inbox where received_at < now() - make_interval(days => $1)', [ID_DAYS]);
    },
  };
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
