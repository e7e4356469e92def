/** Several shifts in one request: each on its own; refusals are reported with their place in the list. */
import { z } from 'zod';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handled } from '../../../commands/core/handle.js';
import { chooseLanguage, isErrorCode, translate } from '../../core/messages/index.js';
import type { MessageCode } from '../../core/messages/messages.js';
import type { Context } from '../../core/operation.js';

export const shiftErrorSchema = z
  .object({ index: z.int().describe('Place in the request, from 0.'), code: z.string(), message: z.string() })
  .meta({ id: 'ShiftError' });

export interface PerShift {
  /** Places of those that were planned. */
  readonly done: readonly number[];
  readonly errors: z.infer<typeof shiftErrorSchema>[];
}

/** Decided in their order, so that of two that overlap the first one is planned. Throws what is no refusal. */
export async function perShift<Item>(
  items: readonly Item[],
  { header, wrote }: Pick<Context, 'header' | 'wrote'>,
  run: (item: Item, index: number) => Promise<Handled<unknown>>,
): Promise<PerShift> {
  const language = chooseLanguage(header('accept-language'));
  const done: number[] = [];
  const errors: PerShift['errors'] = [];
  const settled = await Promise.all(
    items.map((item, index) => run(item, index).catch((error: unknown) => refusalOf(error))),
  );
  for (const [index, outcome] of settled.entries()) {
    if ('refused' in outcome) {
      const { code, params } = outcome.refused;
      errors.push({ index, code, message: translate(code as MessageCode, params, language) });
    } else {
      wrote(outcome.position);
      done.push(index);
    }
  }
  return { done, errors };
}

function refusalOf(error: unknown): { readonly refused: DomainError } {
  if (!(error instanceof DomainError) || !isErrorCode(error.code)) throw error;
  return { refused: error };
}
