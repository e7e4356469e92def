/** One kind of webhook: which events lead to it, and what it says. */
import { z } from 'zod';
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

/** Events that a test webhook is made from: the first of a stream, and the one that is told. */
export interface Example {
  readonly stream: string;
  readonly first: readonly [type: string, data: JsonObject];
  /** Absent: the first one is told itself. */
  readonly told?: readonly [type: string, data: JsonObject];
}

export interface Kind {
  /** `type` of the payload. */
  readonly type: string;
  /** Version of the service that first told it. */
  readonly since: string;
  readonly prefix: string;
  /** Types of the events that lead to it. */
  readonly on: readonly string[];
  /** Of these events only such; absent: all. */
  readonly only?: (event: StoredEvent, flags: WebhookFlags) => boolean;
  /** What `data` may hold. Members are added, none is taken away. */
  readonly shape: z.ZodObject;
  readonly data: (told: Told) => JsonObject;
  /** Whose `id` it tells: a member of what it says, or found out. */
  readonly thing: string | ((told: Told) => string);
  /** The status of that thing; absent: what it says of itself as `status`, if it does. */
  readonly status?: (told: Told, own: JsonObject) => string | undefined;
  /** The status before, where the event alone leaves no doubt. */
  readonly previously?: (told: Told) => string | undefined;
  /** Member of the event that says when it happened. */
  readonly occurred?: string;
  readonly example: Example;
  /** Whom it tells; absent: the business that the stream belongs to. */
  readonly businesses?: (event: StoredEvent) => readonly number[];
}

/** What an event makes of the thing, by the type of the event. */
export type Changes = Readonly<Record<string, string>>;

/** The shape of a member that says which change it was. */
export const oneOf = (changes: Changes): z.ZodType<string> => z.enum(Object.values(changes));

/** The status that each change leads to is named as the change is. */
export const byChange = (_told: Told, own: JsonObject): string => own['change'] as string;

/** Those of the members that the event has. */
export const given = (data: JsonObject, ...members: readonly string[]): JsonObject =>
  Object.fromEntries(members.filter((name) => data[name] !== undefined).map((name) => [name, data[name]!]));
