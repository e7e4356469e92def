/** Queries for captured events as they were received. */
import { sql } from 'kysely';
import { captureStream, type CapturedEventData } from '../../events/captures/events.js';
import { decode, unseal, sealedOf } from '../../events/core/codec.js';
import type { EventName, StoredEvent } from '../../events/core/log.js';
import type { Parts } from '../../events/core/parts.js';
import { loadCapture, type StoredCapture } from '../../events/captures/stored.js';
import { fromBodies, type ReceivedEvent } from '../../events/captures/text.js';
import { arrayOf } from '../../sql/rows.js';
import type { Parts as ProjectionParts } from '../core/parts.js';

/** A captured event: the event that stored its capture, and its name in that capture. */
export interface CapturedRef {
  readonly cause: string;
  readonly name: string;
}

export type CapturedEvents = ReturnType<typeof createCapturedEvents>;

export type CapturedEventsOptions = Parts<'log' | 'types' | 'keyRing'> & ProjectionParts<'database'>;

export function createCapturedEvents({ database, log, types, keyRing }: CapturedEventsOptions) {
  /** Where the separately stored events are in the log, in its order. */
  async function placesOf(refs: readonly CapturedRef[]): Promise<readonly (CapturedRef & EventName)[]> {
    const uuids = (of: (ref: CapturedRef) => string) => sql`${arrayOf('uuid', [...new Set(refs.map(of))])}::uuid[]`;
    const { rows } = await sql<CapturedRef & { readonly capture: string; readonly revision: number }>`
      select e.cause, n.name, c.id as capture, n.revision
        from captures.events e
        join captures.captures c on c.event = e.cause
       cross join unnest(e.names, e.revisions) with ordinality n (name, revision, place)
       where e.cause = any (${uuids(({ cause }) => cause)}) and n.name = any (${uuids(({ name }) => name)})
       order by e.cause, n.place`.execute(database);
    return rows.map(({ capture, ...row }) => ({ ...row, stream: captureStream(capture) }));
  }

  /** The events of a stored event by their names. They are null if its key was destroyed. */
  function eventsIn(stored: StoredEvent, keys: ReadonlyMap<string, Buffer>) {
    const { events, body } = unseal(decode(stored, types), stored.id, keys) as unknown as CapturedEventData;
    const received = body === undefined ? undefined : fromBodies(body);
    return new Map(events.map(({ name }, at) => [name, received ? received[at]! : null]));
  }

  return {
    /** The separately stored events among these. An event is null if its key was destroyed. */
    async find(refs: readonly CapturedRef[]): Promise<(ref: CapturedRef) => ReceivedEvent | null | undefined> {
      if (refs.length === 0) return () => undefined;
      const places = await placesOf(refs);
      const stored = new Map<string, StoredEvent>();
      for (const events of inChunks(distinct(places), MAX_PICKED))
        for (const event of await log.pick(events)) stored.set(placeOf(event), event);
      const keys = await keyRing.existing([
        ...new Set([...stored.values()].flatMap(({ data }) => sealedOf(data)?.subject ?? [])),
      ]);
      const opened = new Map([...stored].map(([place, event]) => [place, eventsIn(event, keys)]));
      const events = new Map<string, ReceivedEvent | null | undefined>();
      // A repeated request may have stored an event again: the first event counts.
      for (const { cause, name, ...place } of places.toReversed())
        events.set(`${cause} ${name}`, opened.get(placeOf(place))?.get(name));
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

/** Maximum number of events that are read from the log at once. */
const MAX_PICKED = 200;

const placeOf = ({ stream, revision }: EventName): string => `${stream} ${revision}`;
const distinct = (events: readonly EventName[]): readonly EventName[] => [
  ...new Map(events.map((event) => [placeOf(event), event])).values(),
];
const inChunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
