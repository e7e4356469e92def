import type { StoredEvent } from './log.js';

/** Wraps the work on a batch of events; used for tracing. */
export type WrapBatch = (what: string, events: readonly StoredEvent[], work: () => Promise<void>) => Promise<void>;

export const unwrapped: WrapBatch = (_what, _events, work) => work();
