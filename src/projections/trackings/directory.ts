/** What ingest asks before it writes: which trackings an identifier names. */
import type { Parts } from '../core/parts.js';
import type { TrackingHead, TrackingQueries } from './queries.js';

/** How long a question waits for the read model to reach the end of the log; then it answers with what there is. */
const FRESH_WAIT_MS = 2_000;

export function createDirectory({ queries, log, progress }: Parts<'log' | 'progress'> & { queries: TrackingQueries }) {
  let asked: Promise<unknown> | undefined;
  /** Waits for the end of the log as it is from now on; who asks in the same moment asks together. */
  const current = (): Promise<unknown> =>
    (asked ??= new Promise(setImmediate).then(async () => {
      asked = undefined;
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
