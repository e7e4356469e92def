/**
 * Bulk operations on orders: each order succeeds or fails separately, and failures are reported per order
 * (specification 1, "Per-order error entry").
 */
import { z } from 'zod';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handled } from '../../../commands/core/handle.js';
import type { MessageCode } from '../../core/messages/messages.js';
import { chooseLanguage, isErrorCode, translate } from '../../core/messages/index.js';
import type { Context } from '../../core/operation.js';

/** Maximum number of orders per request. */
export const MAX_ORDERS = 1_000;
/** An id outside the valid range is treated as an order that does not exist. */
export const orderIdsSchema = z
  .array(z.int())
  .min(1)
  .max(MAX_ORDERS)
  .describe('Ids of orders. Duplicate ids count once.');
export const orderErrorSchema = z
  .object({ order_id: z.int(), code: z.string(), message: z.string() })
  .meta({ id: 'OrderError' });

export interface PerOrder {
  readonly done: number;
  /** One entry per order that was not changed. */
  readonly errors: z.infer<typeof orderErrorSchema>[];
}

/**
 * Runs all orders in parallel, so that one append can contain their events. Throws errors other than rejections, for
 * example if an engine does not respond.
 */
export async function perOrder(
  orderIds: readonly number[],
  { header, wrote }: Pick<Context, 'header' | 'wrote'>,
  run: (orderId: number, index: number) => Promise<Handled<unknown>>,
): Promise<PerOrder> {
  const language = chooseLanguage(header('accept-language'));
  const errors = await Promise.all(
    orderIds.map(async (order_id, index) => {
      try {
        wrote((await run(order_id, index)).position);
        return undefined;
      } catch (error) {
        if (!(error instanceof DomainError) || !isErrorCode(error.code)) throw error;
        return { order_id, code: error.code, message: translate(error.code as MessageCode, error.params, language) };
      }
    }),
  );
  const refused = errors.filter((error) => error !== undefined);
  return { done: orderIds.length - refused.length, errors: refused };
}

export const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
