/** Results of bulk writes: one entry per order, with the outcome or the error in the caller's language. */
import { z } from 'zod';
import type { OrderReply } from '../../../commands/orders/decider.js';
import { orderStatusId, type OrderStatus } from '../../../events/orders/events.js';
import type { ApiError, ErrorCode, FieldError } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { fieldErrorSchema } from '../../core/field-errors.js';
import { explained, localizeField, toApiError } from '../../core/problem.js';

export const orderResultSchema = z
  .object({
    index: z.int().describe('Index in the request, from 0.'),
    result: z.boolean(),
    order_id: z.int().optional(),
    status: z.string().optional(),
    order_status_id: z.int().optional(),
    tracking_numbers: z.array(z.string()).optional(),
    code: z.string().optional(),
    message: z.string().optional(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ id: 'OrderResult' });

export interface Placed {
  readonly order_id: number;
  readonly status: string;
  readonly order_status_id: number;
  readonly tracking_numbers: readonly string[];
}

export const placedOrder = (id: number, { status, packages }: OrderReply) => ({
  order_id: id,
  status,
  order_status_id: orderStatusId(status as OrderStatus),
  tracking_numbers: packages.map(({ tracking_number }) => tracking_number),
});

/** A result without a message, so that it can be stored and shown in any language. It contains no input data. */
export type Outcome = { readonly index: number } & (
  | { readonly placed: Placed }
  | {
      readonly failed: {
        readonly code: string;
        readonly params: Readonly<Record<string, string | number>>;
        readonly errors: readonly FieldError[];
      };
    }
);

/** Runs the creation of one order. Throws errors that the order did not cause. */
export async function outcomeOf(index: number, run: () => Promise<Placed>): Promise<Outcome> {
  try {
    return { index, placed: await run() };
  } catch (error) {
    const failed: ApiError = toApiError(error);
    if (failed.status >= 500) throw error;
    return { index, failed: { code: failed.code, params: failed.params, errors: failed.errors } };
  }
}

export type OrderResult = z.infer<typeof orderResultSchema>;
type Result = OrderResult;

export interface Results {
  readonly run: (index: number, acceptLanguage: string | undefined, run: () => Promise<Placed>) => Promise<Result>;
  readonly toResult: (outcome: Outcome, acceptLanguage: string | undefined) => Result;
  readonly rejection: (
    code: ErrorCode,
    order_id: number | null,
    acceptLanguage: string | undefined,
  ) => { readonly order_id: number | null; readonly code: string; readonly message: string };
  /** Runs in sequence, up to the first failure. */
  readonly untilOneFails: (count: number, one: (index: number) => Promise<Result>) => Promise<Result[]>;
}

function toResult(outcome: Outcome, acceptLanguage: string | undefined): Result {
  if ('placed' in outcome)
    return {
      index: outcome.index,
      result: true,
      ...outcome.placed,
      tracking_numbers: [...outcome.placed.tracking_numbers],
    };
  const { code, errors } = outcome.failed;
  const language = chooseLanguage(acceptLanguage);
  return {
    index: outcome.index,
    result: false,
    code,
    message: explained(outcome.failed, language),
    ...(errors.length > 0 && {
      errors: errors.map(
        (error) => localizeField(error, language) as { field: string; path: string; code: string; message: string },
      ),
    }),
  };
}

export const RESULTS: Results = {
  toResult,
  rejection: (code, order_id, language) => ({
    order_id,
    code,
    message: translate(code, undefined, chooseLanguage(language)),
  }),
  run: async (index, language, run) => toResult(await outcomeOf(index, run), language),
  async untilOneFails(count, one) {
    const all: Result[] = [];
    for (let index = 0; index < count; index++) {
      all.push(await one(index));
      if (!all.at(-1)!.result) break;
    }
    return all;
  },
};
