/** The document of a rate card in requests. Its errors have the status 422, with JSON Pointers. */
import { z } from 'zod';
import { checkCard } from '../../../commands/pricing/check-card.js';
import { cardSchema, MAX_CARD_BYTES, type Card } from '../../../events/pricing/card.js';
import { canonical } from '../../../events/tree/canonical.js';
import { checkInput } from '../../core/check-input.js';
import type { Family } from '../../../events/pricing/families.js';
import { ApiError, fieldError, fieldOf } from '../../core/errors.js';
import type { Operation } from '../../core/operation.js';

/** Any object; `checkedCard` checks it. */
export const cardInput = z
  .record(z.string(), z.unknown())
  .describe('The rate card: services, zones, prices, surcharges and taxes. docs/pricing.md describes its members.');

const input = z.strictObject({ card: cardSchema });

/**
 * The card, if it is valid for the family. Throws RATE_CARD_INVALID (422) with at most 100 errors, and
 * BODY_TOO_LARGE.
 */
export function checkedCard(raw: unknown, family: Family): Card {
  const card = shapedCard(raw);
  const bytes = Buffer.byteLength(canonical(card));
  if (bytes > MAX_CARD_BYTES) throw fieldError('BODY_TOO_LARGE', 'card', { max: MAX_CARD_BYTES });
  const errors = checkCard(card, { family }).map(({ path, code, most }) => ({
    field: fieldOf(path),
    path: `/card${path}`,
    code,
    ...(most !== undefined && { params: { max: most } }),
  }));
  if (errors.length > 0) throw new ApiError('RATE_CARD_INVALID', { errors });
  return card;
}

function shapedCard(card: unknown): Card {
  try {
    return checkInput({ input } as unknown as Operation, { card })['card'] as Card;
  } catch (error) {
    throw error instanceof ApiError ? new ApiError('RATE_CARD_INVALID', { errors: error.errors }) : error;
  }
}
