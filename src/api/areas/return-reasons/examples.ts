/** Example requests for return reasons. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const RETURN_REASON_EXAMPLES: Examples = {
  returnReasonSet: {
    path: { code: 'wrong_address' },
    body: {
      labels: { en: 'Wrong address', de: 'Falsche Adresse' },
      needs_note: true,
      reason_code: 'address_incorrect',
    },
  },
  returnReasonRetire: { path: { code: 'wrong_address' }, body: {} },
};
