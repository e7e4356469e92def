/** Metrics of plans at /metrics. */
import { Counter, type Registry } from 'prom-client';
import type { Logger } from 'pino';

/** Called if a solution broke a rule. The plan fails, and the operator is alerted. */
export type ReportCheckFailure = (plan: {
  readonly planId: number;
  readonly business: number;
  /** `<engine>@<version>`. */
  readonly solver: string;
}) => void;

/** The alert of planning R9: logs an error and increments the counter of the solver. */
export function createCheckFailureReporter(registry: Registry, logger: Pick<Logger, 'error'>): ReportCheckFailure {
  const failed = new Counter({
    name: 'route_plan_checks_failed_total',
    help: 'Solutions of route plans that the checker rejected.',
    labelNames: ['solver'],
    registers: [registry],
  });
  return ({ planId, business, solver }) => {
    failed.inc({ solver });
    logger.error({ plan: planId, business, solver }, 'a solution broke a rule, so the plan failed');
  };
}
