/** Webhooks about writes that need a human's approval. */
import { z } from 'zod';
import {
  PROPOSAL_PREFIX,
  ProposalApproved,
  ProposalExecuted,
  ProposalExpired,
  ProposalFailed,
  ProposalRejected,
  WriteProposed,
} from '../events/approvals/events.js';
import { derivedId } from '../events/otep/identity.js';
import { given, oneOf, type Changes, type Kind } from './kind.js';

const DECISIONS: Changes = {
  [ProposalApproved.type]: 'approved',
  [ProposalRejected.type]: 'rejected',
  [ProposalExpired.type]: 'expired',
  [ProposalExecuted.type]: 'executed',
  [ProposalFailed.type]: 'failed',
};
const CARRIED_OUT: ReadonlySet<string> = new Set([ProposalExecuted.type, ProposalFailed.type]);

export const PROPOSAL_KINDS = {
  proposal_created: {
    type: 'proposal.created',
    since: '0.1.0',
    prefix: PROPOSAL_PREFIX,
    on: [WriteProposed.type],
    objectId: 'proposal_id',
    status: () => 'pending',
    shape: z.object({
      proposal_id: z.string(),
      tool: z.string(),
      operation: z.string(),
      risk: z.string(),
      source: z.string(),
      proposed_by: z.int(),
      expires_at: z.string(),
    }),
    data: ({ data }) => given(data, 'proposal_id', 'tool', 'operation', 'risk', 'source', 'proposed_by', 'expires_at'),
    example: {
      stream: `${PROPOSAL_PREFIX}${derivedId('example proposal')}`,
      first: [
        'WriteProposed',
        {
          proposal_id: derivedId('example proposal'),
          business_id: 0,
          tool: 'hold_order',
          operation: 'orderHold',
          risk: 'medium',
          source: 'header',
          proposed_by: 0,
          expires_at: '2026-01-06T09:30:00.000Z',
        },
      ],
    },
  },
  proposal_decided: {
    type: 'proposal.decided',
    since: '0.1.0',
    prefix: PROPOSAL_PREFIX,
    on: Object.keys(DECISIONS),
    objectId: 'proposal_id',
    previousStatus: ({ event }) => (CARRIED_OUT.has(event.type) ? 'approved' : 'pending'),
    data: ({ event, data, first, firstData }) => {
      const decided_by = data['approved_by'] ?? data['rejected_by'];
      return {
        proposal_id: first.stream.slice(PROPOSAL_PREFIX.length),
        ...given(firstData, 'tool', 'operation', 'risk', 'proposed_by'),
        status: DECISIONS[event.type]!,
        ...(decided_by !== undefined && { decided_by }),
        ...given(data, 'comment', 'code'),
      };
    },
    shape: z.object({
      proposal_id: z.string(),
      tool: z.string(),
      operation: z.string(),
      risk: z.string(),
      proposed_by: z.int(),
      status: oneOf(DECISIONS),
      decided_by: z.int().optional(),
      comment: z.string().optional(),
      code: z.string().optional(),
    }),
    example: {
      stream: `${PROPOSAL_PREFIX}${derivedId('example proposal')}`,
      first: [
        'WriteProposed',
        { business_id: 0, tool: 'hold_order', operation: 'orderHold', risk: 'medium', proposed_by: 0 },
      ],
      trigger: ['ProposalApproved', { approved_by: 0 }],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
