/** Finds the trackings that an identifier refers to, for ingest before it writes. */
import type { Parts } from '../core/parts.js';
import type { TrackingHead, TrackingQueries } from './queries.js';

/**
 * Maximum wait until the read model reaches the end of the log, in milliseconds. After that, the query uses the current
 * rows.
 */
const FRESH_WAIT_MS = 2_000;

export function createDirectory({ queries, log, progress }: Parts<'log' | 'progress'> & { queries: TrackingQueries }) {
  let pending: Promise<unknown> | undefined;
  /** Waits until the read model reaches the current end of the log. Simultaneous callers share one wait. */
  const current = (): Promise<unknown> =>
    (pending ??= new Promise(setImmediate).then(async () => {
      pending = undefined;
      await progress.waitFor('timeline', await log.head(), FRESH_WAIT_MS);
    }));

  return {
    async find(
      identifier: string,
      { fresh }: { readonly fresh: boolean } = { fresh: false },
    ): Promise<readonly TrackingHead[]> {
      if (fresh) await current();
      return queries.byIdentifier(identifier);
    },
  };
}
