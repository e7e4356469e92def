/** Questions to the captures read model. */
import { unseal } from '../../events/core/codec.js';
import type { CaptureEnd } from '../../events/captures/events.js';
import type { CaptureRow } from './read-model.js';
import type { Parts } from '../core/parts.js';

export interface CaptureJob extends Pick<CaptureRow, 'id' | 'provider' | 'behaviour' | 'created_at' | 'finished_at'> {
  /** Absent while it runs. */
  readonly end?: CaptureEnd;
}

export type CaptureQueries = ReturnType<typeof createCaptureQueries>;

export type CaptureQueriesOptions = Parts<'database' | 'keyRing' | 'log' | 'progress'>;

/** How long a question waits for the read model to reach the end of the log; then it answers with what there is. */
const FRESH_WAIT_MS = 2_000;

export function createCaptureQueries({ database, keyRing, log, progress }: CaptureQueriesOptions) {
  const fresh = async () => progress.waitFor('captures', await log.head(), FRESH_WAIT_MS);

  return {
    /** Of any provider: whose it is, is for the caller to check. */
    async byId(id: string): Promise<CaptureJob | undefined> {
      const row = await database
        .selectFrom('captures.captures')
        .selectAll()
        .where('id', '=', id)
        .where('provider', '<>', '')
        .executeTakeFirst();
      if (!row) return undefined;
      const { outcome, taken: _taken, event: _event, ...job } = row;
      if (!outcome) return job;
      return { ...job, end: unseal(outcome, outcome.id, await keyRing.existing([id])) as unknown as CaptureEnd };
    },

    /** Captures taken before a time (RFC 3339, UTC) whose trackings have not followed, oldest first, at most `limit`. */
    async unfinished(before: string, limit: number): Promise<string[]> {
      await fresh();
      const rows = await database
        .selectFrom('captures.captures')
        .select('id')
        .where('taken', '=', true)
        .where('finished_at', 'is', null)
        .where('created_at', '<', before)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Which of these names of events without a parcel occur in a capture, as of now. */
    async unattached(ids: readonly string[]): Promise<ReadonlySet<string>> {
      await fresh();
      const rows = await database
        .selectFrom('captures.unattached')
        .select('id')
        .where('id', 'in', [...ids])
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}
