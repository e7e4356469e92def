/** Decides commands on a proposal. It is decided once (approved, rejected or expired) and executed at most once. */
import type { z } from 'zod';
import type { Fact } from '../../events/core/codec.js';
import {
  ProposalApproved,
  ProposalExecuted,
  ProposalExpired,
  ProposalFailed,
  ProposalRejected,
  proposalSubject,
  WriteProposed,
  type ProposalStatus,
} from '../../events/approvals/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

/** `commandId`: UUID of the request; a retry sends the same UUID. `at`: milliseconds since 1970. */
export type ApprovalCommand = { readonly proposalId: string; readonly commandId: string } & (
  | { readonly do: 'propose'; readonly data: z.infer<typeof WriteProposed.schema> }
  | { readonly do: 'approve'; readonly at: number; readonly data: z.infer<typeof ProposalApproved.schema> }
  | { readonly do: 'reject'; readonly at: number; readonly data: z.infer<typeof ProposalRejected.schema> }
  /**
   * The subject of the proposal has changed, or the write is no longer allowed. Found before the approval was recorded.
   */
  | { readonly do: 'refuse'; readonly at: number; readonly data: z.infer<typeof ProposalFailed.schema> }
  | { readonly do: 'expire'; readonly at: number }
  | { readonly do: 'execute'; readonly data: z.infer<typeof ProposalExecuted.schema> }
  | { readonly do: 'fail'; readonly data: z.infer<typeof ProposalFailed.schema> }
);

export interface ApprovalState {
  status: ProposalStatus | undefined;
  /** Milliseconds since 1970. */
  expires: number;
  readonly done: Set<string>;
}

/** Replies with the status after the command. */
export const approvals: Decider<ApprovalState, ApprovalCommand, ProposalStatus> = {
  initial: () => ({ status: undefined, expires: 0, done: new Set() }),

  decide(state, command) {
    const id = factId(command);
    if (state.done.has(id)) return { facts: [], reply: state.status! };
    const decided = decideFact(state, command);
    return decided
      ? {
          facts: [{ id, subject: proposalSubject(command.proposalId), ...decided } as Fact],
          reply: STATUS_AFTER[decided.type.type]!,
        }
      : { facts: [], reply: state.status! };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    state.status = STATUS_AFTER[type] ?? state.status;
    if (type === WriteProposed.type) state.expires = Date.parse(data['expires_at'] as string);
    return state;
  },
};

export const STATUS_AFTER: Readonly<Record<string, ProposalStatus>> = {
  [WriteProposed.type]: 'pending',
  [ProposalApproved.type]: 'approved',
  [ProposalRejected.type]: 'rejected',
  [ProposalExpired.type]: 'expired',
  [ProposalExecuted.type]: 'executed',
  [ProposalFailed.type]: 'failed',
};

/**
 * The result of the execution is one event with a fixed id. It is recorded by the process that executes the proposal or
 * by the process that recovers from a crash, whichever is first.
 */
const factId = ({ do: what, proposalId, commandId }: ApprovalCommand): string =>
  what === 'execute' || what === 'fail'
    ? derivedId('proposal', proposalId, 'end')
    : derivedId('proposal', commandId, what);

export const approvedEventId = (commandId: string): string => derivedId('proposal', commandId, 'approve');

function decideFact(state: ApprovalState, command: ApprovalCommand): Pick<Fact, 'type' | 'data'> | undefined {
  const fact = (type: unknown, data: object = {}) => ({ type: type as Fact['type'], data });
  if (command.do === 'propose') {
    if (state.status !== undefined) throw new DomainError('CONFLICT');
    return fact(WriteProposed, command.data);
  }
  if (state.status === undefined) throw new DomainError('NOT_FOUND');
  switch (command.do) {
    case 'approve':
      onlyPending(state, command.at);
      return fact(ProposalApproved, command.data);
    case 'refuse':
      onlyPending(state, command.at);
      return fact(ProposalFailed, command.data);
    case 'reject':
      if (state.status === 'rejected') return undefined;
      onlyPending(state, command.at);
      return fact(ProposalRejected, command.data);
    case 'expire':
      return state.status === 'pending' && command.at >= state.expires ? fact(ProposalExpired) : undefined;
    case 'execute':
      return state.status === 'approved' ? fact(ProposalExecuted, command.data) : undefined;
    case 'fail':
      return state.status === 'approved' ? fact(ProposalFailed, command.data) : undefined;
  }
}

function onlyPending({ status, expires }: ApprovalState, at: number): void {
  const now = status === 'pending' && at >= expires ? 'expired' : status!;
  if (now !== 'pending') throw new DomainError('PROPOSAL_DECIDED', { status: now });
}
