/** Queries for captured events as they were received. */
import { unseal, sealedOf } from '../../events/core/codec.js';
import type { Parts } from '../../events/core/parts.js';
import { loadCapture, type StoredCapture } from '../../events/captures/stored.js';
import { fromBody, type ReceivedEvent } from '../../events/captures/text.js';
import type { Parts as ProjectionParts } from '../core/parts.js';

/** A captured event: the event that stored its capture, and its name in that capture. */
export interface CapturedRef {
  readonly cause: string;
  readonly name: string;
}

export type CapturedEvents = ReturnType<typeof createCapturedEvents>;

export type CapturedEventsOptions = Parts<'log' | 'types' | 'keyRing'> & ProjectionParts<'database'>;

export function createCapturedEvents({ database, log, types, keyRing }: CapturedEventsOptions) {
  return {
    /** The separately stored events among these. An event is null if its key was destroyed. */
    async find(refs: readonly CapturedRef[]): Promise<(ref: CapturedRef) => ReceivedEvent | null | undefined> {
      if (refs.length === 0) return () => undefined;
      const rows = await database
        .selectFrom('captures.events')
        .selectAll()
        .where('cause', 'in', [...new Set(refs.map(({ cause }) => cause))])
        .where('name', 'in', [...new Set(refs.map(({ name }) => name))])
        .execute();
      const keys = await keyRing.existing([...new Set(rows.flatMap(({ sealed }) => sealedOf(sealed)?.subject ?? []))]);
      const events = new Map(
        rows.map(({ cause, name, sealed }) => {
          const { body } = unseal(sealed, sealed.id, keys);
          return [`${cause} ${name}`, body === undefined ? null : fromBody(body as string)];
        }),
      );
      return ({ cause, name }) => events.get(`${cause} ${name}`);
    },

    /**
     * The capture that an event stored; undefined if the event stored none. For events that are stored only with their
     * document.
     */
    async captureOf(cause: string): Promise<StoredCapture<unknown> | undefined> {
      const row = await database
        .selectFrom('captures.captures')
        .select('id')
        .where('event', '=', cause)
        .executeTakeFirst();
      return row && loadCapture(row.id, { log, types, keyRing });
    },
  };
}
