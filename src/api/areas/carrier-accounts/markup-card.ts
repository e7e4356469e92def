/** Checks the rate card that turns the cost of a method into the price of a customer. */
import type { RateCardQueries } from '../../../projections/pricing/queries.js';
import { fieldError, invalidField } from '../../core/errors.js';

export const createExpectMarkupCard =
  (queries: Pick<RateCardQueries, 'byId'>) =>
  /** Throws RATE_CARD_NOT_FOUND, RATE_CARD_RETIRED, and INVALID_INPUT for a card of another family. */
  async (id: number, business: number, path: string): Promise<void> => {
    const row = await queries.byId(id, business);
    if (!row) throw fieldError('RATE_CARD_NOT_FOUND', 'markup_card', {}, path);
    if (row.retired) throw fieldError('RATE_CARD_RETIRED', 'markup_card', {}, path);
    if (row.family !== 'label_service') throw invalidField('OTHER_FAMILY', 'markup_card', path);
  };
