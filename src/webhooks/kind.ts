/** One kind of webhook: which events lead to it, and what it says. */
import type { JsonObject, StoredEvent } from '../events/core/log.js';
import type { WebhookFlags } from '../events/webhooks/events.js';

/** What a payload is made from. `data` is opened as far as the business wants it and the keys allow. */
export interface Told {
  readonly event: StoredEvent;
  readonly data: JsonObject;
  /** The first event of the stream, which says whose it is, with its data opened likewise. */
  readonly first: StoredEvent;
  readonly firstData: JsonObject;
  /** The keys of what is personal; empty where nothing personal is to be said. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

export interface Kind {
  /** `type` of the payload. */
  readonly type: string;
  readonly prefix: string;
  readonly fires: (event: StoredEvent, flags: WebhookFlags) => boolean;
  readonly data: (told: Told) => JsonObject;
  /** Whom it tells; absent: the business that the stream belongs to. */
  readonly businesses?: (event: StoredEvent) => readonly number[];
}

/** What an event makes of the thing, by the type of the event. */
export type Changes = Readonly<Record<string, string>>;

export const firesOn =
  (changes: Changes): Kind['fires'] =>
  ({ type }) =>
    type in changes;

/** Those of the members that the event has. */
export const given = (data: JsonObject, ...members: readonly string[]): JsonObject =>
  Object.fromEntries(members.filter((name) => data[name] !== undefined).map((name) => [name, data[name]!]));
