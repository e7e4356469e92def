/** Examples for a write that needs approval. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const APPROVAL_EXAMPLES: Examples = {
  proposalCreate: {
    body: { tool: 'hold_order', arguments: { order_id: 10, reason: 'Address unclear' }, reason: 'The customer wrote.' },
  },
  proposalApprove: {
    path: { proposal_id: '3b0a4d52-93f5-5b5c-9f0e-3a4f0e5f5a11' },
    body: { comment: 'Confirmed by phone' },
  },
  proposalReject: { path: { proposal_id: '3b0a4d52-93f5-5b5c-9f0e-3a4f0e5f5a11' }, body: { comment: 'Not today' } },
};
