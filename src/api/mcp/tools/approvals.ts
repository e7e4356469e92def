/** The approval queue: agents propose, humans decide. */
import type { ToolDefinition } from '../definition.js';

const approvals = { category: 'approvals' } as const;

export const APPROVAL_TOOLS: readonly ToolDefinition[] = [
  {
    ...approvals,
    name: 'propose_write',
    title: 'Propose a write',
    operation: 'proposalCreate',
    example: {
      tool: 'cancel_order',
      arguments: { order_id: 142, reason: 'Ordered twice' },
      reason: 'The customer asked by mail.',
    },
    description:
      'Queue the call of a writing tool for a human to approve, instead of making it. Needs no right to the tool itself: whoever approves needs it.',
  },
  {
    ...approvals,
    name: 'list_pending_approvals',
    title: 'List proposals',
    operation: 'proposals',
    description: "Proposals of the business that wait for a decision, or only the caller's own with mine_only.",
  },
  {
    ...approvals,
    name: 'approve_pending_write',
    title: 'Approve a proposal',
    operation: 'proposalApprove',
    description:
      'Approve a proposal and make its call. The proposal is claimed once, checked again, and carried out exactly once.',
  },
  {
    ...approvals,
    name: 'reject_pending_write',
    title: 'Reject a proposal',
    operation: 'proposalReject',
    description: 'Reject a proposal; nothing is carried out.',
  },
];
