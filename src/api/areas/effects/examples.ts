/** Examples for effects. */
import type { Examples } from '../../core/example.js';

export const EFFECT_EXAMPLES: Examples = {
  effectSettle: {
    path: { effect_id: '6f1c2f5e-3b0a-5d7e-8c41-0d2b7a9e4f10' },
    body: {
      happened: true,
      evidence: 'The label is on the carrier invoice 2026-0117',
      effect_result: { tracking_number: '1Z999AA10123456784' },
    },
  },
};
