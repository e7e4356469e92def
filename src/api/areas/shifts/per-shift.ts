/** Runs a write for each shift of a request; a rejection concerns only its shift. */
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handled } from '../../../commands/core/handle.js';
import { chooseLanguage, isErrorCode, translate } from '../../core/messages/index.js';
import type { MessageCode } from '../../core/messages/messages.js';
import type { Context } from '../../core/operation.js';

export interface Rejection {
  readonly code: string;
  readonly message: string;
}

/**
 * Shifts are decided in order, so that the first of two overlapping shifts is planned. Returns the reason of each
 * rejection by index; undefined: the shift was planned. Throws other errors.
 */
export async function perShift<Item>(
  items: readonly Item[],
  { header, wrote }: Pick<Context, 'header' | 'wrote'>,
  run: (item: Item, index: number) => Promise<Handled<unknown>>,
): Promise<(Rejection | undefined)[]> {
  const language = chooseLanguage(header('accept-language'));
  const settled = await Promise.all(
    items.map((item, index) => run(item, index).catch((error: unknown) => rejectionOf(error))),
  );
  return settled.map((outcome) => {
    if ('rejection' in outcome) {
      const { code, params } = outcome.rejection;
      return { code, message: translate(code as MessageCode, params, language) };
    }
    wrote(outcome.position);
    return undefined;
  });
}

function rejectionOf(error: unknown): { readonly rejection: DomainError } {
  if (!(error instanceof DomainError) || !isErrorCode(error.code)) throw error;
  return { rejection: error };
}
