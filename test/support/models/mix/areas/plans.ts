/** Random steps of plans: requested, solved, failed, discarded and committed, as jobs and operations report them. */
import { plans, type PlanCommand } from '../../../../../src/commands/plans/decider.js';
import {
  PlanCommitStarted,
  PlanCommitted,
  PlanProblemFixed,
  PlanRequested,
  PlanSolved,
  planStream,
} from '../../../../../src/events/plans/events.js';
import { generator, rarely, type Tools, type CommandBody } from '../generator.js';

const send = ({ send: to, business }: Tools, id: number, body: CommandBody<PlanCommand>) =>
  to(plans, planStream(id), { ...body, id, business });

export const MIX = generator({
  request: (tools, pick) => {
    const { plan_id: _plan, business: _business, ...request } = pick.like(PlanRequested.schema);
    return rarely(pick, 2, () =>
      send(tools, tools.fresh(), { do: 'request', request: { ...request, date: tools.date } }),
    );
  },
  fix: (tools, pick) => send(tools, tools.existing(pick), { do: 'fix', problem: pick.like(PlanProblemFixed.schema) }),
  solve: (tools, pick) => send(tools, tools.existing(pick), { do: 'solve', solved: pick.like(PlanSolved.schema) }),
  beginCommit: (tools, pick) =>
    send(tools, tools.existing(pick), { do: 'begin_commit', commit: pick.like(PlanCommitStarted.schema) }),
  endCommit: (tools, pick) =>
    send(tools, tools.existing(pick), { do: 'end_commit', outcome: pick.like(PlanCommitted.schema) }),
  fail: (tools, pick) => rarely(pick, 4, () => send(tools, tools.existing(pick), { do: 'fail', code: 'NO_ROUTE' })),
  discard: (tools, pick) => rarely(pick, 4, () => send(tools, tools.existing(pick), { do: 'discard', by: 1 })),
});
