/** Read models that hold what is in the log now: what one person did is then what another one reads. */
import type { EventLog } from '../../../src/events/core/log.js';
import type { Progress } from '../../../src/projections/core/progress.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

/** Throws where one of them is not there within the time, milliseconds. */
export async function expectCaughtUp(
  { engines, progress }: { readonly engines: { readonly log: Pick<EventLog, 'head'> }; readonly progress: Progress },
  names: readonly string[],
  within = WAIT_LIMIT_MS,
): Promise<void> {
  const head = await engines.log.head();
  for (const name of names)
    if (!(await progress.waitFor(name, head, within))) throw new Error(`${name} does not reach ${head}`);
}
