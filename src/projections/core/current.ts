/** Waiting for read models to hold what is in the log, for askers who bring no position of their own. */
import type { EventLog } from '../../events/core/log.js';
import type { Progress } from './progress.js';
import type { ReadModelName } from './projection.js';

/** How long an answer is held back for it. */
const WAIT_MS = 2_000;

/** Whether the read models hold all that was in the log when it was asked, after a moment at most. */
export const currentness =
  (names: readonly ReadModelName[], { log, progress }: { readonly log: EventLog; readonly progress: Progress }) =>
  async (): Promise<boolean> => {
    const head = await log.head();
    return (await Promise.all(names.map((name) => progress.waitFor(name, head, WAIT_MS)))).every(Boolean);
  };
