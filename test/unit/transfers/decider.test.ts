/** Transfers: a step begins when the previous one is done for all parcels. A rollback returns the moved parcels. */
import { expect } from 'chai';
import { transfers, type StepOutcome, type TransferCommand } from '../../../src/commands/transfers/decider.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<TransferCommand>(7);
const packages = [
  { order_id: 1, tracking_number: 'A' },
  { order_id: 2, tracking_number: 'B' },
];
const create = (mode: 'ship' | 'book' = 'ship') =>
  of({ do: 'create', from: 1, to: 2, mode, reason_code: 'relocation', packages, by: 5 });
const done = (step: StepOutcome['step'], numbers = ['A', 'B'], code?: string) =>
  of({ do: 'record', outcomes: numbers.map((tracking_number) => ({ tracking_number, step, ...(code && { code }) })) });
const ship = () => of({ do: 'ship', by: 5 });
const arrive = (...tracking_numbers: string[]) => of({ do: 'arrive', tracking_numbers, by: 5 });
const complete = () => of({ do: 'complete', by: 5 });
const rollback = (...numbers: string[]) =>
  of({ do: 'rollback', reason: 'wrong', by: 5, ...(numbers.length > 0 && { tracking_numbers: numbers }) });
const shipped = () => [create(), done('mark'), ship(), done('ship')];

describe('decider of transfers', () => {
  it('begins a step when the previous one is done', () => {
    expect(given(transfers, create()).refusal(ship())).to.equal('TRANSFER_UNDER_WAY');
    expect(given(transfers, create(), done('mark')).when(ship()).reply.status).to.equal('shipped');
    expect(given(transfers, create(), done('mark')).refusal(complete())).to.equal('TRANSFER_STATE');
    expect(given(transfers, ...shipped()).refusal(as(2, { do: 'look' }))).to.equal('TRANSFER_NOT_FOUND');
  });

  it('records the outcome of a step once', () => {
    const marked = given(transfers, create(), done('mark', ['A']));
    expect(marked.when(done('mark')).facts).to.deep.equal([
      { type: 'TransferPackageMarked', data: { tracking_number: 'B' } },
    ]);
    expect(marked.when(done('mark', ['B'], 'ORDER_CLOSED')).reply.packages['B']).to.deep.equal({
      order_id: 2,
      at: 'refused',
      code: 'ORDER_CLOSED',
    });
  });

  it('completes with arrived and missing parcels', () => {
    const arrived = given(transfers, ...shipped(), arrive('A', 'X'), done('arrive', ['A']));
    expect(arrived.when(arrive('A')).types, 'arrived already').to.deep.equal([]);
    expect(arrived.when(complete()).facts[0]!.data).to.deep.equal({ arrived: 1, missing: 1, by: 5 });
  });

  it('rolls back all parcels, or only named ones, once', () => {
    const moved = given(transfers, ...shipped());
    expect(moved.refusal(rollback('X'))).to.equal('NOT_OF_TRANSFER');
    const rollingBack = moved.when(rollback('A'));
    expect(rollingBack.facts[0]!.data).to.deep.include({ tracking_numbers: ['A'] });
    expect(rollingBack.then.when(rollback()).types).to.deep.equal([]);
    expect(rollingBack.then.when(done('back', ['A'])).types).to.deep.equal([
      'TransferPackageRolledBack',
      'TransferRolledBack',
    ]);
  });
});
