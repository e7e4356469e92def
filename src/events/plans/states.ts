/** The states of a plan. Decider and read model share it. */
import {
  PlanCommitStarted,
  PlanCommitted,
  PlanDiscarded,
  PlanFailed,
  PlanProblemFixed,
  PlanRequested,
  PlanSolved,
} from './events.js';

export const PLAN_STATES = [
  'requested',
  'solving',
  'solved',
  'failed',
  'discarded',
  'committing',
  'committed',
] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** The state after each event type. */
export const STATE_AFTER: Readonly<Record<string, PlanState>> = {
  [PlanRequested.type]: 'requested',
  [PlanProblemFixed.type]: 'solving',
  [PlanSolved.type]: 'solved',
  [PlanFailed.type]: 'failed',
  [PlanDiscarded.type]: 'discarded',
  [PlanCommitStarted.type]: 'committing',
  [PlanCommitted.type]: 'committed',
};
