/** Proposals: decided once, by a person or by expiry, and executed once. */
import { expect } from 'chai';
import { approvals, type ApprovalCommand } from '../../../src/commands/approvals/decider.js';
import { given } from '../../support/checks/given.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const END = NOW + 3_600_000;
const proposalId = '8f14e45f-ceea-467f-a8d9-4d2b9d0a6f10';
let commands = 0;
const base = () => ({ proposalId, commandId: `command ${(commands += 1)}` });

const propose = (): ApprovalCommand => ({
  ...base(),
  do: 'propose',
  data: {
    proposal_id: proposalId,
    business_id: 1,
    tool: 'hold_order',
    operation: 'orderHold',
    risk: 'high',
    required_scopes: ['orders:write'],
    arguments_hash: 'ab',
    source: 'propose_write',
    proposed_by: 5,
    token: 't',
    channel: 'mcp',
    targets: [],
    expires_at: new Date(END).toISOString(),
  },
});
const decision = { token: 't', channel: 'rest' };
const approve = (at = NOW): ApprovalCommand => ({
  ...base(),
  do: 'approve',
  at,
  data: { approved_by: 6, scopes: [], approved_at: new Date(at).toISOString(), ...decision },
});
const reject = (at = NOW): ApprovalCommand => ({ ...base(), do: 'reject', at, data: { rejected_by: 6, ...decision } });
const expire = (at: number): ApprovalCommand => ({ ...base(), do: 'expire', at });
const execute = (): ApprovalCommand => ({ ...base(), do: 'execute', data: {} });
const fail = (): ApprovalCommand => ({ ...base(), do: 'fail', data: { code: 'ORDER_CLOSED' } });

describe('the decider of proposals', () => {
  it('replies with the status after the command', () => {
    const pending = given(approvals).when(propose());
    expect(pending.reply).to.equal('pending');
    const approved = pending.then.when(approve());
    expect([approved.types, approved.reply]).to.deep.equal([['ProposalApproved'], 'approved']);
    const executed = approved.then.when(execute());
    expect([executed.types, executed.reply]).to.deep.equal([['ProposalExecuted'], 'executed']);
  });

  it('decides a proposal once', () => {
    const approved = given(approvals, propose(), approve());
    expect(approved.refusal(approve())).to.equal('PROPOSAL_DECIDED');
    expect(approved.refusal(reject())).to.equal('PROPOSAL_DECIDED');
    const rejected = given(approvals, propose(), reject());
    expect(rejected.when(reject()).types, 'rejected again').to.deep.equal([]);
    expect(rejected.when(execute()).types, 'never approved').to.deep.equal([]);
    expect(given(approvals).refusal(approve())).to.equal('NOT_FOUND');
  });

  it('expires a proposal on time, even before the timer runs', () => {
    const pending = given(approvals, propose());
    expect(pending.when(expire(END - 1)).types).to.deep.equal([]);
    expect(pending.when(expire(END)).types).to.deep.equal(['ProposalExpired']);
    expect(pending.when(approve(END - 1)).reply).to.equal('approved');
    expect(pending.refusal(approve(END))).to.equal('PROPOSAL_DECIDED');
  });

  it('ends a proposal once, whichever process is first', () => {
    const approved = given(approvals, propose(), approve());
    expect(approved.when(execute()).ids).to.deep.equal(approved.when(fail()).ids);
    expect(given(approvals, propose(), approve(), fail()).when(execute()).types).to.deep.equal([]);
  });
});
