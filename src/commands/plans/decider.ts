/**
 * Decides commands on a plan. Solving a plan changes no orders or routes. A commit does; it starts at most once and
 * always completes.
 */
import type { z } from 'zod';
import {
  PLAN_PREFIX,
  PlanCommitStarted,
  PlanCommitted,
  PlanDiscarded,
  PlanFailed,
  PlanProblemFixed,
  PlanRequested,
  PlanSolved,
} from '../../events/plans/events.js';
import { STATE_AFTER, type PlanState } from '../../events/plans/states.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

type Data<T extends { readonly schema: z.ZodType }> = z.infer<T['schema']>;

export type PlanCommand = EntityCommand & { readonly id: number } & (
    | ({ readonly do: 'request' } & { readonly request: Omit<Data<typeof PlanRequested>, 'plan_id' | 'business'> })
    | { readonly do: 'fix'; readonly problem: Data<typeof PlanProblemFixed> }
    | { readonly do: 'solve'; readonly solved: Data<typeof PlanSolved> }
    | { readonly do: 'fail'; readonly code: string }
    | { readonly do: 'discard'; readonly by?: number }
    | { readonly do: 'begin_commit'; readonly commit: Data<typeof PlanCommitStarted> }
    | { readonly do: 'end_commit'; readonly outcome: Data<typeof PlanCommitted> }
  );

/** Throws PLAN_NOT_READY with the current state, unless the state is one of `allowed`. */
const from = (state: PlanState, ...allowed: readonly PlanState[]): void => {
  if (!allowed.includes(state)) throw new DomainError('PLAN_NOT_READY', { state });
};

export const plans = entity<{ state: PlanState }, PlanCommand>({
  name: PLAN_PREFIX,
  makes: 'request',
  notFound: 'PLAN_NOT_FOUND',
  initial: () => ({ state: 'requested' }),
  decide({ state }, command) {
    switch (command.do) {
      case 'request':
        return newEvent(PlanRequested, { plan_id: command.id, business: command.business, ...command.request });
      case 'fix':
        from(state, 'requested');
        return newEvent(PlanProblemFixed, command.problem);
      case 'solve':
        from(state, 'solving');
        return newEvent(PlanSolved, command.solved);
      case 'fail':
        from(state, 'requested', 'solving');
        return newEvent(PlanFailed, { code: command.code });
      case 'discard':
        if (state === 'discarded') return undefined;
        from(state, 'requested', 'solving', 'solved', 'failed');
        return newEvent(PlanDiscarded, { discarded_by: command.by });
      case 'begin_commit':
        from(state, 'solved');
        return newEvent(PlanCommitStarted, command.commit);
      case 'end_commit':
        from(state, 'committing');
        return newEvent(PlanCommitted, command.outcome);
    }
  },
  evolve: (state, { type }) => ({ state: STATE_AFTER[type] ?? state.state }),
});
