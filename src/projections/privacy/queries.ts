/** Queries on the read models, to find data that must be erased. */
import type { Pool } from 'pg';
import { addressStream } from '../../events/addresses/events.js';
import type { EventLog } from '../../events/core/log.js';
import type { Progress } from '../core/progress.js';

export type ErasureQueries = ReturnType<typeof createErasureQueries>;

/** SQL: a target of the proposal `p`. The caller appends the comparison and the closing parenthesis. */
const TARGETS = `exists (select from json_array_elements(p.proposed->'data'->'targets') target where target->>'stream'`;
/**
 * Maximum wait for a read model, in milliseconds. Its row normally follows the events within milliseconds; after a
 * longer delay, the erasure is retried.
 */
const FRESH_WAIT_MS = 2_000;
const PAGE = 500;

export function createErasureQueries({
  pool,
  log,
  progress,
}: {
  readonly pool: Pool;
  readonly log: EventLog;
  readonly progress: Progress;
}) {
  async function fresh(...models: readonly string[]): Promise<void> {
    const head = await log.head();
    for (const model of models)
      if (!(await progress.waitFor(model, head, FRESH_WAIT_MS))) throw new Error(`The read model ${model} is behind.`);
  }

  /** Yields the ids of a customer's rows in ascending order, page by page. */
  async function* pagesOf(
    table: 'orders.orders' | 'addresses.addresses',
    customer: number,
    { business, perPage }: { readonly business: number; readonly perPage: number },
  ): AsyncIterable<readonly number[]> {
    for (let last = 0; ;) {
      const { rows } = await pool.query<{ id: number }>(
        `select id from ${table} where business = $1 and customer_id = $2 and id > $3 order by id limit $4`,
        [business, customer, last, perPage],
      );
      if (rows.length > 0) yield rows.map(({ id }) => id);
      if (rows.length < perPage) return;
      last = rows.at(-1)!.id;
    }
  }

  return {
    /** Erasures that were decided before a time (RFC 3339, UTC) and are not complete, oldest first, at most `limit`. */
    async unfinished(before: string, limit: number): Promise<string[]> {
      const { rows } = await pool.query<{ subject: string }>(
        'select subject from erasures.erasures where finished_at is null and erased_at < $1 order by erased_at limit $2',
        [before, limit],
      );
      return rows.map(({ subject }) => subject);
    },
    /**
     * Ids of the orders of a customer account, page by page. Waits for the end of the log, and throws if the read model
     * does not reach it.
     */
    async *ordersOf(customer: number, business: number, perPage: number = PAGE): AsyncIterable<readonly number[]> {
      await fresh('orders');
      yield* pagesOf('orders.orders', customer, { business, perPage });
    },
    /**
     * Key subjects of a customer's address book, page by page. Includes removed entries. Waits for the end of the log,
     * and throws if the read model does not reach it.
     */
    async *addressesOf(customer: number, business: number): AsyncIterable<readonly string[]> {
      await fresh('addresses');
      for await (const ids of pagesOf('addresses.addresses', customer, { business, perPage: PAGE }))
        yield ids.map(addressStream);
    },
    /**
     * Proposals of a business that would change one of these streams, or whose approval has one of these event ids.
     * Waits for the end of the log, and throws if the read model does not reach it.
     */
    async proposalsAbout(streams: readonly string[], causes: readonly string[], business: number): Promise<string[]> {
      await fresh('approvals');
      const { rows } = await pool.query<{ id: string }>(
        `select p.id from approvals.proposals p where p.business = $1 and (p.decided->>'id' = any ($3) or ${TARGETS} = any ($2)))`,
        [business, streams, causes],
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Captures that name these trackings, or whose event has one of these ids. `keys`: the key of the capture, and the
     * keys of its events about one of the trackings and about others. Waits for the end of the log, and throws if the
     * read model does not reach it.
     */
    async capturesOf(
      trackings: readonly string[],
      causes: readonly string[],
    ): Promise<readonly { readonly keys: readonly string[]; readonly finished: boolean }[]> {
      await fresh('captures');
      const { rows } = await pool.query<{ keys: string[]; finished: boolean }>(
        `select array_prepend(id::text, array(select key from captures.mentions m where m.capture = captures.id and m.tracking = any ($1::uuid[]))) as keys,
                finished_at is not null as finished
           from captures.captures
          where id in (select capture from captures.trackings where tracking = any ($1::uuid[])) or event = any ($2::uuid[])`,
        [trackings, causes],
      );
      return rows;
    },
  };
}
