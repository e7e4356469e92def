/** Plans: each step requires certain earlier states, and a plan is committed once. */
import { expect } from 'chai';
import { plans, type PlanCommand } from '../../../src/commands/plans/decider.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<PlanCommand>(7);
const request = () =>
  of({ do: 'request', request: { mode: 'build', date: '2026-03-01', options: {}, requested_by: 5, job_id: 'j1' } });
const fix = () =>
  of({
    do: 'fix',
    problem: {
      input_sha256: 'a',
      matrix_sha256: 'b',
      solver: 'local@1',
      seed: 1,
      threads: 1,
      orders: [],
      resources: [],
      excluded: [],
    },
  });
const solve = () =>
  of({
    do: 'solve',
    solved: {
      solution_sha256: 'c',
      trace: { legs: [], done: [] },
      iterations: 1,
      milliseconds: 1,
      stopped: false,
      routes: [],
      unassigned: [],
    },
  });
const fail = () => of({ do: 'fail', code: 'NO_ORDERS' });
const discard = () => of({ do: 'discard', by: 5 });
const begin = () => of({ do: 'begin_commit', commit: { indexes: [0], route_ids: [3] } });
const end = () => of({ do: 'end_commit', outcome: { placed: 1, moved: 0, refused: [], closed_route_ids: [] } });

describe('decider of plans', () => {
  it('goes from the request to the commit', () =>
    expect(given(plans, request(), fix(), solve(), begin(), end()).past.map(({ type }) => type.type)).to.deep.equal([
      'PlanRequested',
      'PlanProblemFixed',
      'PlanSolved',
      'PlanCommitStarted',
      'PlanCommitted',
    ]));

  it('rejects a step from another state', () => {
    const requested = given(plans, request());
    for (const step of [solve(), begin(), end()]) expect(requested.refusal(step)).to.equal('PLAN_NOT_READY');
    expect(given(plans, request(), fail()).refusal(fix())).to.equal('PLAN_NOT_READY');
    const committing = given(plans, request(), fix(), solve(), begin());
    for (const step of [begin(), discard()]) expect(committing.refusal(step)).to.equal('PLAN_NOT_READY');
  });

  it('discards a plan once, whatever its result, until it is committed', () => {
    for (const past of [[request()], [request(), fix()], [request(), fix(), solve()], [request(), fail()]])
      expect(given(plans, ...past).when(discard()).types).to.deep.equal(['PlanDiscarded']);
    expect(given(plans, request(), discard()).when(discard()).types).to.deep.equal([]);
  });

  it('rejects access to a plan of another business', () =>
    expect(given(plans, request()).refusal(as(2, { do: 'discard' }))).to.equal('PLAN_NOT_FOUND'));
});
