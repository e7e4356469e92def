/**
 * Batches of orders that are created asynchronously: queued durably, processed by any running process, no order twice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause } from '../../../commands/core/handle.js';
import type { ClaimedBatch, OrderBatchStore, StoredBatch } from '../../../engines/postgres/order-batches.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { Parts } from '../../core/parts.js';
import { OF_NEW_ORDER } from '../../../events/approvals/renamed-arguments.js';
import { withCurrentMembers } from '../../../events/core/renamed-members.js';
import { checkedOrder } from './input.js';
import { subjectsOfOrders, type PlaceOrder } from './place-order.js';
import type { Placer } from './placer.js';
import { outcomeOf, placedOrder, type Outcome } from './results.js';

export interface BatchWork {
  readonly placer: Placer;
  readonly cause: Cause;
  readonly stopOnError: boolean;
  /** Ids are reserved when the batch is queued, so that a retry creates the same orders. */
  readonly orders: readonly { readonly id: number; readonly order: unknown }[];
}

export type Batches = ReturnType<typeof createBatches>;

export interface BatchWorker {
  /** Stops after the current step. */
  stop(): Promise<void>;
}

type Store = OrderBatchStore<BatchWork, Outcome>;

/** `wake` is called after a batch was queued. */
export function createBatches(store: Store, wake: () => void) {
  return {
    async queue({ id, ...work }: BatchWork & { readonly id: string }): Promise<void> {
      const { placer, orders } = work;
      await store.queue(id, placer.business, {
        total: orders.length,
        work,
        subjects: subjectsOfOrders(orders, placer),
      });
      wake();
    },
    async byId(id: string, business: number): Promise<Omit<StoredBatch<Outcome>, 'id'> | undefined> {
      const { id: _id, ...batch } = (await store.byId(id, business)) ?? { id: undefined, status: undefined };
      return batch.status === undefined ? undefined : (batch as Omit<StoredBatch<Outcome>, 'id'>);
    },
  };
}

/** Number of orders that are created in parallel; results are stored after each step. */
const CHUNK_SIZE = 20;
const POLL_MS = 1_000;

export function startBatchWorker({
  store,
  placeOrder,
  onError,
}: Parts<'onError'> & { store: Store; placeOrder: PlaceOrder }): BatchWorker & { readonly wake: () => void } {
  const stopping = new AbortController();
  const worker = randomUUID();
  let wake = new AbortController();
  const running = pollLoop();

  async function pollLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const batch = await store.claim(worker).catch((error: unknown) => void onError(error));
      if (batch) await processBatch(batch).catch(onError);
      else
        await sleep(POLL_MS, undefined, { signal: AbortSignal.any([stopping.signal, wake.signal]) }).catch(
          () => undefined,
        );
    }
  }

  async function processBatch({ id, total, work, results }: ClaimedBatch<BatchWork, Outcome>): Promise<void> {
    if (!work) return finishErased(id, total, results);
    const { placer, cause, stopOnError, orders } = work;
    const outcomes = [...results];
    const createOne = (index: number) =>
      outcomeOf(index, async () => {
        const { id: orderId, order } = orders[index]!;
        const { reply } = await placeOrder(
          checkedOrder(withCurrentMembers(order, OF_NEW_ORDER)),
          orderId,
          derivedId('batched', id, index),
          placer,
          { ...cause, causationId: id },
        );
        return placedOrder(orderId, reply);
      });
    const hasFailed = () => stopOnError && outcomes.some((outcome) => 'failed' in outcome);
    while (outcomes.length < orders.length && !hasFailed()) {
      if (stopping.signal.aborted) return;
      const next = orders
        .slice(outcomes.length, outcomes.length + (stopOnError ? 1 : CHUNK_SIZE))
        .map((_, offset) => outcomes.length + offset);
      outcomes.push(...(await Promise.all(next.map(createOne))));
      const saved = await store.keep(id, worker, outcomes, false);
      if (saved === 'erased') return finishErased(id, total, outcomes);
      if (saved === 'lost') return;
    }
    await store.keep(id, worker, outcomes, true);
  }

  /** A person whom the batch names was erased: the remaining orders are not created. */
  async function finishErased(id: string, total: number, results: readonly Outcome[]): Promise<void> {
    const remaining = Array.from({ length: total - results.length }, (_, at): Outcome => ({
      index: results.length + at,
      failed: { code: 'SUBJECT_ERASED', params: {}, errors: [] },
    }));
    await store.keep(id, worker, [...results, ...remaining], true);
  }

  return {
    wake: () => wake.abort(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
