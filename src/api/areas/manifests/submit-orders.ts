/** Marks label orders as submitted, in portions, and continues as a job when the time of the request is over. */
import type { Handle } from '../../../commands/core/handle.js';
import type { LabelCommand, LabelReply } from '../../../commands/labels/command.js';
import { labelStream } from '../../../events/labels/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { businessOf, userOf } from '../../core/callers.js';
import type { Context } from '../../core/operation.js';
import { jobKind } from '../jobs/kind.js';
import type { Jobs } from '../jobs/queue.js';
import { perOrder, type PerOrder } from '../orders/per-order.js';

export const LABEL_INFO = 'label_info';

/** Number of orders whose events one append can contain. */
const AT_ONCE = 50;
/** Jobs with more orders run longer than some seconds. */
const MAX_SHORT_ORDERS = 1_000;
/** Maximum number of refused orders in the result of a job. */
const MAX_REPORTED = 500;

export interface Submitted {
  readonly submitted: number;
  /** Orders that were submitted before, or that a manifest submits. */
  readonly skipped: number;
  readonly errors: PerOrder['errors'];
  /** The orders that a job submits. */
  readonly jobId?: string | undefined;
}

interface Work {
  readonly orderIds: readonly number[];
  readonly by: number;
}

type Submitting = Pick<Context, 'header' | 'wrote' | 'cause' | 'commandId'> & {
  readonly business: number;
  readonly by: number;
};

export interface SubmitOrdersOptions {
  readonly labels: Handle<LabelCommand, LabelReply>;
  readonly jobs: () => Pick<Jobs, 'queue'>;
}

export type SubmitOrders = ReturnType<typeof createSubmitOrders>;

export function createSubmitOrders({ labels, jobs }: SubmitOrdersOptions) {
  async function submitSome(orderIds: readonly number[], context: Submitting): Promise<Submitted> {
    const { business, by, commandId, cause } = context;
    let submitted = 0;
    const { done, errors } = await perOrder(orderIds, context, async (orderId) => {
      const id = derivedId('submit information', commandId, orderId);
      const command = { do: 'submit_information' as const, commandId: id, orderId, business, by };
      const handled = await labels(labelStream(orderId), command, cause);
      if (handled.changed) submitted += 1;
      return handled;
    });
    return { submitted, skipped: done - submitted, errors };
  }

  /** `isOver`: the time of the request is over. The rest is queued as a job. Throws TOO_MANY_JOBS. */
  async function submit(orderIds: readonly number[], context: Context, isOver: () => boolean): Promise<Submitted> {
    const { caller, cause } = context;
    const of = { ...context, business: businessOf(caller), by: userOf(caller).userId };
    let all: Submitted = { submitted: 0, skipped: 0, errors: [] };
    for (let start = 0; start < orderIds.length; start += AT_ONCE) {
      if (isOver() && !cause.dryRun) {
        const work: Work = { orderIds: orderIds.slice(start), by: of.by };
        return { ...all, jobId: await jobs().queue(LABEL_INFO, work, context) };
      }
      all = added(all, await submitSome(orderIds.slice(start, start + AT_ONCE), of));
    }
    return all;
  }

  const job = jobKind<Work>({
    name: LABEL_INFO,
    scopes: { read: 'labels:read', write: 'labels:write' },
    stoppable: true,
    isLong: ({ orderIds }) => orderIds.length > MAX_SHORT_ORDERS,
    async run({ orderIds, by }, { id, business, cause, cancelled, stopped, done, progress }) {
      const of = { header: () => undefined, wrote: () => undefined, cause, commandId: id, business, by };
      let all: Submitted = { submitted: 0, skipped: 0, errors: [] };
      for (let start = 0; start < orderIds.length && !stopped.aborted; start += AT_ONCE) {
        cancelled.throwIfAborted();
        all = added(all, await submitSome(orderIds.slice(start, start + AT_ONCE), of));
        done(resultOf(all));
        progress(Math.min(1, (start + AT_ONCE) / orderIds.length), 'saving');
      }
      return resultOf(all);
    },
    summarize: (result) => {
      const { submitted, skipped, failed } = result as ReturnType<typeof resultOf>;
      const succeeded = submitted + skipped;
      return { rejected: failed, counts: { total: succeeded + failed, succeeded, failed: 0, rejected: failed } };
    },
  });

  return { submit, job };
}

const added = (one: Submitted, more: Submitted): Submitted => ({
  submitted: one.submitted + more.submitted,
  skipped: one.skipped + more.skipped,
  errors: [...one.errors, ...more.errors],
});

/** Without texts: they are in the language of the service. */
const resultOf = ({ submitted, skipped, errors }: Submitted) => ({
  submitted,
  skipped,
  failed: errors.length,
  errors: errors.slice(0, MAX_REPORTED).map(({ order_id, code }) => ({ order_id, code })),
});
