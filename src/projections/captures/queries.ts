/** Queries on the read model of captures. */
import { sql, type SqlBool } from 'kysely';
import { unseal } from '../../events/core/codec.js';
import type { CaptureEnd } from '../../events/captures/events.js';
import type { Position } from '../../events/core/log.js';
import { arrayOf } from '../../sql/rows.js';
import type { CaptureRow } from './read-model.js';
import type { Parts } from '../core/parts.js';

export interface CaptureJob extends Pick<CaptureRow, 'id' | 'provider' | 'behaviour' | 'created_at' | 'finished_at'> {
  /** Absent while the capture is running. */
  readonly end?: CaptureEnd;
}

export type CaptureQueries = ReturnType<typeof createCaptureQueries>;

export type CaptureQueriesOptions = Parts<'database' | 'keyRing' | 'log' | 'progress'>;

/**
 * Maximum wait until the read model reaches the end of the log, in milliseconds. After that, the query uses the current
 * rows.
 */
const FRESH_WAIT_MS = 2_000;

/**
 * How long captures share one reading of the log's end, in milliseconds. If each waited for the current end, the read
 * model would process an event at a time under load, and ingest would be a third slower.
 */
const RECENT_MS = 250;

/** How an event id begins that is a hash of the content. */
const HASH = 'ni:///';

export function createCaptureQueries({ database, keyRing, log, progress }: CaptureQueriesOptions) {
  const fresh = async () => progress.waitFor('captures', await log.head(), FRESH_WAIT_MS);
  const recentHead = shared(() => log.head(), RECENT_MS);

  return {
    /** Finds captures of all providers; the caller must check the provider. */
    async byId(id: string): Promise<CaptureJob | undefined> {
      const row = await database
        .selectFrom('captures.captures')
        .selectAll()
        .where('id', '=', id)
        .where('provider', '<>', '')
        .executeTakeFirst();
      if (!row) return undefined;
      const { outcome, taken: _taken, event: _event, unnamed: _unnamed, ...job } = row;
      if (!outcome) return job;
      return { ...job, end: unseal(outcome, outcome.id, await keyRing.existing([id])) as unknown as CaptureEnd };
    },

    /**
     * Captures stored before a time (RFC 3339, UTC) whose trackings are not complete, oldest first, at most `limit`.
     */
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

    /** Whether queries return all captures up to this position. */
    contains: (position: Position): boolean => progress.has('captures', position),

    /**
     * Returns which of these names occur in a capture. `since`: captures up to this position are included. `isExact`: all
     * captures that the log contains now are included; otherwise all that it contained `RECENT_MS` ago.
     */
    async recorded(
      names: readonly string[],
      { since, isExact }: { readonly since?: Position | undefined; readonly isExact: boolean },
    ): Promise<ReadonlySet<string>> {
      const head = isExact ? await log.head() : await recentHead();
      await progress.waitFor('captures', since === undefined || head > since ? head : since, FRESH_WAIT_MS);
      const rows = await database
        .selectFrom('captures.names')
        .select('id')
        .where(sql<SqlBool>`id = any (${arrayOf('uuid', names)}::uuid[])`)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * The hashes of the captured events of a provider with these ids, if captures recorded no names for them, as far as
     * the read model of EPCIS events has them: all captures record names since version 3 of their event, except for ids
     * that are hashes.
     */
    async hashesOf(provider: string, eventIds: readonly string[]) {
      const hashes = eventIds.filter((id) => id.startsWith(HASH));
      // The database computes the list before it reads the index, so an empty list costs almost nothing.
      const looked = sql`case when exists (select from captures.captures where unnamed and provider = ${provider})
                           then ${[...eventIds]}::text[] else ${hashes}::text[] end`;
      const rows = await database
        .selectFrom('epcis_events.events')
        .select(['event_id', 'hash'])
        .distinct()
        .where(sql<SqlBool>`event_id = any (${looked})`)
        .where('provider', '=', provider)
        .where('hash', 'is not', null)
        .execute();
      return rows.map(({ event_id, hash }) => ({ event_id, hash: hash! }));
    },
  };
}

/** Calls `load` at most once in `millis`, and returns the same result in between. */
function shared<T>(load: () => Promise<T>, millis: number): () => Promise<T> {
  let loaded: { readonly result: Promise<T>; readonly at: number } | undefined;
  return () => {
    if (loaded && performance.now() - loaded.at < millis) return loaded.result;
    const result = load();
    loaded = { result, at: performance.now() };
    result.catch(() => (loaded = undefined));
    return result;
  };
}
