/** The job that imports orders. */
import { derivedId } from '../../../events/otep/identity.js';
import { MAX_REPORTED_ERRORS } from '../files/check-lines.js';
import { jobKind } from '../jobs/kind.js';
import { checkedOrder } from './input.js';
import { subjectsOfOrders, type PlaceOrder } from './place-order.js';
import type { Placer } from './placer.js';
import { outcomeOf, placedOrder } from './results.js';

/** Number of orders that are created in parallel. */
const CHUNK_SIZE = 20;
/** Imports of more orders run longer than some seconds. */
const MAX_SHORT_ORDERS = 500;

export interface ImportWork {
  readonly placer: Placer;
  readonly orders: readonly { readonly id: number; readonly line: number; readonly order: unknown }[];
}

/**
 * The job that creates the orders of an import. A retry finds orders that were created already. `settled` resolves when
 * read models include the orders, so that they are readable when the job ends.
 */
export const importJob = (placeOrder: PlaceOrder, awaitReadModels: () => Promise<void>) =>
  jobKind<ImportWork>({
    name: 'orders_import',
    scopes: { read: 'orders:read', write: 'orders:write' },
    stoppable: true,
    isLong: ({ orders }) => orders.length > MAX_SHORT_ORDERS,
    subjectsOf: ({ placer, orders }) => subjectsOfOrders(orders, placer),
    async run({ placer, orders }, job) {
      const errors: { line: number; code: string }[] = [];
      let [created, attempted] = [0, 0];
      const partialResult = () => ({ total: orders.length, created, failed: attempted - created, errors });
      while (attempted < orders.length && !job.stopped.aborted) {
        job.cancelled.throwIfAborted();
        const at = attempted;
        const outcomes = await Promise.all(
          orders.slice(at, at + CHUNK_SIZE).map(({ id, order }, index) =>
            outcomeOf(at + index, async () => {
              const { reply } = await placeOrder(
                checkedOrder(order),
                id,
                derivedId('imported', job.id, id),
                placer,
                job.cause,
              );
              return placedOrder(id, reply);
            }),
          ),
        );
        for (const outcome of outcomes) {
          if ('placed' in outcome) created += 1;
          else if (errors.length < MAX_REPORTED_ERRORS)
            errors.push({ line: orders[outcome.index]!.line, code: outcome.failed.code });
        }
        attempted += outcomes.length;
        job.done(partialResult());
        job.progress(attempted / orders.length, 'placing');
      }
      await awaitReadModels();
      // Orders that were not attempted do not count as failed.
      return { ...partialResult(), ...(attempted < orders.length && { stopped: true }) };
    },
    summarize: ({ total, created, failed }) => ({
      rejected: failed,
      counts: { total, succeeded: created, failed: 0, rejected: failed },
    }),
  });
