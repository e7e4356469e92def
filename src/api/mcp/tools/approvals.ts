/** The approval queue: agents propose, humans decide. */
import { z } from 'zod';
import type { ToolDefinition } from '../definition.js';

const approvals = { category: 'approvals' } as const;

/** `proposable`: names of the tools whose calls can be proposed. */
export const approvalTools = (proposable: readonly string[]): readonly ToolDefinition[] => [
  {
    ...approvals,
    name: 'propose_write',
    title: 'Propose a write',
    operation: 'proposalCreate',
    // Any name is accepted here: the operation reports an unknown name together with the known ones.
    shape: {
      tool: z
        .string()
        .min(1)
        .max(64)
        .meta({ enum: [...proposable] })
        .describe('Tool to propose. `tools/list` has its arguments, if the connection lists it.'),
    },
    arguments: {
      arguments: {
        description: 'Arguments of the tool, without `confirm`. A wrong name is answered with the known ones.',
      },
    },
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
    fields: { 'proposals[]': 'id,status,tool,risk,summary,reason,created_at,expires_at,decision,execution.status' },
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
