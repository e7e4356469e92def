/**
 * Bulk operations over orders: each on its own, with failures reported per order (specification 1,
 * "Per-order error entry").
 */
import { z } from 'zod';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handled } from '../../../commands/core/handle.js';
import type { MessageCode } from '../../core/messages/messages.js';
import { chooseLanguage, isErrorCode, translate } from '../../core/messages/index.js';
import type { Context } from '../../core/operation.js';

/** Most orders of one request. */
export const MAX_ORDERS = 1_000;
/** An id that no order can have is one that does not exist. */
export const orderIdsSchema = z
  .array(z.int())
  .min(1)
  .max(MAX_ORDERS)
  .describe('An order that is named twice counts once.');
export const orderErrorSchema = z
  .object({ order_id: z.int(), code: z.string(), message: z.string() })
  .meta({ id: 'OrderError' });

export interface PerOrder {
  readonly done: number;
  /** One per order that was not changed. */
  readonly errors: z.infer<typeof orderErrorSchema>[];
}

/** Decided all at once, so that they meet in one append; throws what is no refusal (an engine that does not answer). */
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
