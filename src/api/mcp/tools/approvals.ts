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
        .describe('Tool to propose. See `tools/list` for its arguments.'),
    },
    arguments: {
      arguments: { description: 'Arguments of the tool, without `confirm`. An unknown name returns the known ones.' },
    },
    example: {
      tool: 'cancel_order',
      arguments: { order_id: 142, reason: 'Ordered twice' },
      reason: 'The customer asked by mail.',
    },
    description:
      'Queue a call of a writing tool for human approval instead of executing it. Only the reviewer needs permission for that tool.',
  },
  {
    ...approvals,
    name: 'list_pending_approvals',
    title: 'List proposals',
    operation: 'proposals',
    fields: { 'proposals[]': 'id,status,tool,risk,summary,reason,created_at,expires_at,decision,execution.status' },
    description: "List proposals that wait for a decision; mine_only limits the list to the caller's proposals.",
  },
  {
    ...approvals,
    name: 'approve_pending_write',
    title: 'Approve a proposal',
    operation: 'proposalApprove',
    description: 'Approve a proposal and execute its call. The call is checked again first, and executed exactly once.',
  },
  {
    ...approvals,
    name: 'reject_pending_write',
    title: 'Reject a proposal',
    operation: 'proposalReject',
    description: 'Reject a proposal. Its call is not executed.',
  },
];
