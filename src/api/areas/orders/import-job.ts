/** The job that imports orders. */
import { derivedId } from '../../../events/otep/identity.js';
import { jobKind } from '../jobs/kind.js';
import { checkedOrder } from './input.js';
import { subjectsOfOrders, type Place, type Placer } from './place.js';
import { outcomeOf, placedOrder } from './results.js';

/** Maximum number of errors in the response and in the result. */
export const MOST_TOLD = 200;
/** Number of orders that are created in parallel. */
const STEP = 20;

export interface ImportWork {
  readonly placer: Placer;
  readonly orders: readonly { readonly id: number; readonly line: number; readonly order: unknown }[];
}

/**
 * The job that creates the orders of an import. A retry finds orders that were created already. `settled` resolves when
 * read models include the orders, so that they are readable when the job ends.
 */
export const importJob = (place: Place, settled: () => Promise<void>) =>
  jobKind<ImportWork>({
    name: 'orders_import',
    scopes: { read: 'orders:read', write: 'orders:write' },
    stoppable: true,
    subjectsOf: ({ placer, orders }) => subjectsOfOrders(orders, placer),
    async run({ placer, orders }, job) {
      const errors: { line: number; code: string }[] = [];
      let [created, tried] = [0, 0];
      const soFar = () => ({ total: orders.length, created, failed: tried - created, errors });
      while (tried < orders.length && !job.stopped.aborted) {
        job.cancelled.throwIfAborted();
        const at = tried;
        const outcomes = await Promise.all(
          orders.slice(at, at + STEP).map(({ id, order }, index) =>
            outcomeOf(at + index, async () => {
              const { reply } = await place(
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
          else if (errors.length < MOST_TOLD)
            errors.push({ line: orders[outcome.index]!.line, code: outcome.failed.code });
        }
        tried += outcomes.length;
        job.done(soFar());
        job.progress(tried / orders.length, 'placing');
      }
      await settled();
      // Orders that were not attempted do not count as failed.
      return { ...soFar(), ...(tried < orders.length && { stopped: true }) };
    },
    told: ({ total, created, failed }) => ({
      rejected: failed,
      counts: { total, succeeded: created, failed: 0, rejected: failed },
    }),
  });
