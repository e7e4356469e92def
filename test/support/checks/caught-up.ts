/** Waits until read models contain all events of the log, so that one user reads the writes of another. */
import type { EventLog } from '../../../src/events/core/log.js';
import type { Progress } from '../../../src/projections/core/progress.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

/** Throws if one of the read models has not caught up within the time (milliseconds). */
export async function expectCaughtUp(
  { engines, progress }: { readonly engines: { readonly log: Pick<EventLog, 'head'> }; readonly progress: Progress },
  names: readonly string[],
  within = WAIT_LIMIT_MS,
): Promise<void> {
  const head = await engines.log.head();
  for (const name of names)
    if (!(await progress.waitFor(name, head, within))) throw new Error(`${name} does not reach ${head}`);
}
