/** Helpers for seeding objects of the demo business: command handlers, and ids that are the same on each run. */
import { createHandler } from '../../commands/core/handler.js';
import type { Decider } from '../../commands/core/decider.js';
import { EVENT_TYPES } from '../../areas/index.js';
import { createIds } from '../../engines/postgres/ids.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Service } from '../service.js';

export function seeding({ engines }: Pick<Service, 'engines'>, business: number) {
  const { pool, log, keyRing } = engines;
  const ids = createIds(pool);
  return {
    ids,
    handler: <S, C, R>(decider: Decider<S, C, R>) =>
      createHandler({ decider, log, types: EVENT_TYPES, keyRing, now: Date.now }),
    command: (what: string, id: number) => ({ id, business, commandId: derivedId('seed', what, id) }),
    /** The id of the object with that name, or a reserved id for an object that does not exist yet. */
    idOf: async (sequence: string, what: string, table: string, column: string): Promise<number> =>
      (
        await pool.query<{ id: number }>(
          `select id from ${table} where business = $1 and ${column} = $2 order by id limit 1`,
          [business, what],
        )
      ).rows[0]?.id ?? (await ids.reserve(sequence, 1, derivedId('seed', sequence, what), true))[0]!,
    /** Creates the id sequences. The service also creates them at startup, but seeding may run earlier. */
    async prepare(...sequences: readonly { readonly name: string }[]): Promise<void> {
      for (const { name } of sequences) await ids.prepare(name);
    },
  };
}
