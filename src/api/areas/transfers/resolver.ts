/** Resolves codes that users scan or type for a transfer to parcels. */
import { numbersMoved, type TransferState } from '../../../events/transfers/state.js';
import { businessOf } from '../../core/callers.js';
import { fieldError, type ErrorCode } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import type { Context } from '../../core/operation.js';
import { matchCodes, type CodeSources } from '../handling/code-matches.js';
import type { TransferError } from './shapes.js';

interface Resolved {
  readonly order_id: number;
  readonly tracking_number: string;
}
/** Maximum number of tracking numbers in an error. */
const MAX_LISTED_NUMBERS = 20;

export function createResolver(meaning: CodeSources) {
  /** Returns the parcels of the codes. A code that matches none or several parcels becomes an error. */
  async function resolve(codes: readonly string[], { caller, header }: Context) {
    const language = chooseLanguage(header('accept-language'));
    const meaningByCode = await matchCodes(codes, { business: businessOf(caller) }, meaning);
    const packages = new Map<string, Resolved>();
    const errors: (TransferError & { readonly code: ErrorCode })[] = [];
    for (const code of new Set(codes)) {
      const matches = meaningByCode.get(code)!.flatMap((one) => (one.kind === 'package' ? one.parcel : []));
      if (matches.length === 1) {
        const { order_id, tracking_number } = matches[0]!;
        packages.set(tracking_number, { order_id, tracking_number });
        continue;
      }
      const errorCode = matches.length === 0 ? 'CODE_UNKNOWN' : 'AMBIGUOUS_NUMBER';
      const params = { numbers: matches.map(({ tracking_number }) => tracking_number).join(', ') };
      errors.push({
        order_id: null,
        tracking_number: code,
        code: errorCode,
        message: translate(errorCode, params, language),
      });
    }
    return { packages: [...packages.values()], errors };
  }

  /**
   * Returns the tracking numbers of the codes, limited to parcels that the transfer moved. Throws for a code that
   * matches none or several parcels (CODE_UNKNOWN, AMBIGUOUS_NUMBER), and for other parcels (NOT_OF_TRANSFER).
   */
  async function numbersOf(codes: readonly string[], transfer: Pick<TransferState, 'packages'>, context: Context) {
    const { packages, errors } = await resolve(codes, context);
    for (const { code, tracking_number } of errors)
      throw fieldError(code, 'tracking_numbers', { numbers: tracking_number });
    const moved = numbersMoved(transfer);
    const trackingNumbers = packages.map(({ tracking_number }) => tracking_number);
    const otherNumbers = trackingNumbers.filter((number) => !moved.includes(number));
    if (otherNumbers.length > 0)
      throw fieldError('NOT_OF_TRANSFER', 'tracking_numbers', {
        numbers: otherNumbers.slice(0, MAX_LISTED_NUMBERS).join(', '),
      });
    return trackingNumbers;
  }

  return { resolve, numbersOf };
}
