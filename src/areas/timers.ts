/** Timers of all areas: they send a command to a stream at a given time (docs/add-an-area.md). */
import { Gauge } from 'prom-client';
import { startTimers, type Expiring } from '../commands/timers/runner.js';
import { createTimerQueries } from '../projections/timers/queries.js';
import { area } from './area.js';

const READ_MODEL_WAIT_MS = 5_000;

export const timers = area({
  name: 'timers',
  services({ engines: { projectionPool, limits }, metrics: { registry }, now }) {
    const queries = createTimerQueries(projectionPool, limits);
    const backlog = () => queries.backlog(now()).catch(() => ({ due: Number.NaN, late: Number.NaN }));
    new Gauge({
      name: 'timers_due',
      help: 'Due timers that no process has taken yet.',
      registers: [registry],
      collect: async function () {
        this.set((await backlog()).due);
      },
    });
    new Gauge({
      name: 'timers_late_seconds',
      help: 'Waiting time of the oldest due timer.',
      registers: [registry],
      collect: async function () {
        this.set((await backlog()).late / 1_000);
      },
    });
    return { queries };
  },
  work({ queries }, context) {
    const { streams, engines, now, progress, logger } = context;
    const runner = startTimers({
      queries,
      expiring: new Map<string, Expiring>(
        streams.flatMap(({ prefix, expires }) => (expires ? [[prefix, expires(context)] as const] : [])),
      ),
      owner: engines.holder.id,
      every: engines.limits.timerEveryMs,
      now,
      settled: (position) => progress.waitFor('timers', position, READ_MODEL_WAIT_MS),
      onError: (error, timer) => logger.error({ ...timer, err: error }, 'a timer has not taken effect yet'),
    });
    return [() => runner.stop()];
  },
  sweep: ({ queries }) => queries.sweep(),
});
