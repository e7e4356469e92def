import type { StoredEvent } from './log.js';

/** Runs the work on a batch of events; an observer (tracing) wraps it. */
export type Around = (what: string, events: readonly StoredEvent[], work: () => Promise<void>) => Promise<void>;

export const plainly: Around = (_what, _events, work) => work();
