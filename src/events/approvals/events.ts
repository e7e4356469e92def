/** Events of a proposal: a write that awaits approval by a person. Stream `proposal-<id>`. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const PROPOSAL_PREFIX = 'proposal-';
export const proposalStream = (id: string): string => `${PROPOSAL_PREFIX}${id}`;
/** Key subject of the personal members: arguments, reasons, comments and outcomes may contain any person's data. */
export const proposalSubject = proposalStream;

/**
 * `approved`: claimed, execution follows. `failed`: rejected at the approval because its targets had changed, or the
 * execution failed.
 */
export const PROPOSAL_STATUSES = ['pending', 'approved', 'executed', 'failed', 'rejected', 'expired'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

const text = z.string();

export const WriteProposed = eventType(
  'WriteProposed',
  z.object({
    proposal_id: z.uuid(),
    business_id: z.int(),
    /** The tool that the proposer called; the operation's name if there is no such tool. */
    tool: text,
    operation: text,
    risk: text,
    /** Scopes that an approver must have. */
    required_scopes: z.array(text),
    /** SHA-256, in hex, of operation and arguments in canonical JSON. */
    arguments_hash: text,
    /** The write was proposed explicitly, or by a connection that requires approvals. */
    source: z.enum(['propose_write', 'header']),
    proposed_by: z.int(),
    token: text,
    channel: text,
    /** Profile of the connection, if it named one. */
    profile: text.optional(),
    /** Streams that the write would change, at their revisions of that time. */
    targets: z.array(z.object({ stream: text, revision: z.int() })),
    /** RFC 3339, UTC. */
    expires_at: text,
    /** Validated arguments of the operation. */
    arguments: personal(z.record(text, z.unknown())),
    /** Free text of the proposer. */
    reason: personal(text),
    /** The name that the client gave itself. */
    client: personal(text),
  }),
);

const decision = { token: text, channel: text, comment: personal(text) };

export const ProposalApproved = eventType(
  'ProposalApproved',
  z.object({
    approved_by: z.int(),
    /** Scopes of the reviewer's token at the approval: the execution has exactly these. */
    scopes: z.array(text),
    /** RFC 3339, UTC: the time of the command that is executed. */
    approved_at: text,
    ...decision,
  }),
);
export const ProposalRejected = eventType('ProposalRejected', z.object({ rejected_by: z.int(), ...decision }));
export const ProposalExpired = eventType('ProposalExpired', z.object({}));
export const ProposalExecuted = eventType(
  'ProposalExecuted',
  z.object({ answer: personal(z.record(text, z.unknown())) }),
);
/** `code` as in the table of errors. */
export const ProposalFailed = eventType('ProposalFailed', z.object({ code: text, reason: personal(text) }));

export const PROPOSAL_EVENTS = [
  WriteProposed,
  ProposalApproved,
  ProposalRejected,
  ProposalExpired,
  ProposalExecuted,
  ProposalFailed,
] as const;
