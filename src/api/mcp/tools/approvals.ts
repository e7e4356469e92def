/** The approval queue: agents propose, humans decide. */
import { z } from 'zod';
import type { ToolDefinition } from '../definition.js';

const approvals = { category: 'approvals' } as const;

/** The tool whose argument `tool` lists the tools that the caller can propose. */
export const PROPOSING_TOOL = 'propose_write';

/** Reasons and summaries are long: a page of 20 proposals would exceed the size of a default page. */
const PER_PAGE = z.int().min(1).max(200).default(10);

/** `proposable`: names of the tools whose calls can be proposed. */
export const approvalTools = (proposable: readonly string[]): readonly ToolDefinition[] => [
  {
    ...approvals,
    name: PROPOSING_TOOL,
    title: 'Propose a write',
    operation: 'proposalCreate',
    // Any name is accepted here: the operation reports an unknown name together with the known names.
    shape: {
      tool: z
        .string()
        .min(1)
        .max(64)
        .meta({ enum: [...proposable] })
        .describe('Name of the tool to call. `get_capabilities` lists its arguments.'),
    },
    arguments: {
      arguments: {
        description: 'Arguments of the tool, without `confirm`. For an unknown argument, the error lists valid names.',
      },
    },
    example: {
      tool: 'cancel_order',
      arguments: { order_id: 142, reason: 'Ordered twice' },
      reason: 'The customer requested it by e-mail.',
    },
    description:
      'Queue a call to a write tool for human approval instead of executing it. Only the reviewer needs permission to use that tool.',
  },
  {
    ...approvals,
    name: 'list_pending_approvals',
    title: 'List proposals',
    operation: 'proposals',
    shape: { per_page: PER_PAGE },
    fields: {
      'proposals[]':
        'id,status,url,tool,risk,summary,reason,created_at,expires_at,decision,execution.status,change_count,changes',
    },
    description: "List proposals that await a decision. Set mine_only to list only the caller's proposals.",
    arguments: {
      mine_only: { description: 'Only proposals of the caller.' },
      tool: { description: 'Only calls of this tool.' },
      risk: { description: 'Only calls with this risk.' },
      proposal_id: { description: 'Only this proposal. If it is decided, also set status=all.' },
      sort: { description: '`-created_at`: newest first. `expires_at`: next to expire first.' },
      include_changes: { description: 'Include `change_count` and the first change.' },
    },
  },
  {
    ...approvals,
    name: 'approve_pending_write',
    title: 'Approve a proposal',
    operation: 'proposalApprove',
    description:
      'Approve a proposal and execute its call exactly once. The service checks the call again before it executes it.',
  },
  {
    ...approvals,
    name: 'reject_pending_write',
    title: 'Reject a proposal',
    operation: 'proposalReject',
    description: 'Reject a proposal. The service does not execute its call.',
  },
];
