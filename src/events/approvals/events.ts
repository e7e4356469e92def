/** What happens to a proposal: a write that waits for a human. Stream `proposal-<id>`. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const PROPOSAL_PREFIX = 'proposal-';
export const proposalStream = (id: string): string => `${PROPOSAL_PREFIX}${id}`;
/** Whose key the personal members are under: arguments, reasons, comments and outcomes may name anybody. */
export const proposalSubject = proposalStream;

/**
 * `approved`: claimed, its execution follows. `failed`: refused at the approval, since what it is about had changed, or
 * it could not be carried out.
 */
export const PROPOSAL_STATUSES = ['pending', 'approved', 'executed', 'failed', 'rejected', 'expired'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

const text = z.string();

export const WriteProposed = eventType(
  'WriteProposed',
  z.object({
    proposal_id: z.uuid(),
    business_id: z.int(),
    /** What the proposer asked for; the operation's own name where no tool is it. */
    tool: text,
    operation: text,
    risk: text,
    /** What an approver must hold. */
    required_scopes: z.array(text),
    /** SHA-256, in hex, of operation and arguments in canonical JSON. */
    arguments_hash: text,
    /** Asked for in so many words, or by a connection that wants approvals. */
    source: z.enum(['propose_write', 'header']),
    proposed_by: z.int(),
    token: text,
    channel: text,
    /** Of the connection, where it named one. */
    profile: text.optional(),
    /** The streams that it would change, as they were. */
    targets: z.array(z.object({ stream: text, revision: z.int() })),
    /** RFC 3339, UTC. */
    expires_at: text,
    /** Of the operation, checked. */
    arguments: personal(z.record(text, z.unknown())),
    /** In the proposer's words. */
    reason: personal(text),
    /** What the client calls itself. */
    client: personal(text),
  }),
);

const decision = { token: text, channel: text, comment: personal(text) };

export const ProposalApproved = eventType(
  'ProposalApproved',
  z.object({
    approved_by: z.int(),
    /** Of the reviewer's token, as of then: the execution has these and no others. */
    scopes: z.array(text),
    /** RFC 3339, UTC: the time of the command that follows. */
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
