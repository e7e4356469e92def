/** A kind of webhook: the events that trigger it, and its payload. */
import { z } from 'zod';
import type { JsonObject, StoredEvent } from '../events/core/log.js';
import type { WebhookFlags, WebhookType } from '../events/webhooks/events.js';

/** Input of a payload. `data` is decrypted as far as the business requests it and the keys allow. */
export interface PayloadInput {
  readonly event: StoredEvent;
  readonly data: JsonObject;
  /** The first event of the stream, which names the owner, with its data decrypted in the same way. */
  readonly first: StoredEvent;
  readonly firstData: JsonObject;
  /** Keys of personal data; empty if the payload must not contain personal data. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Events for a test webhook: the first event of a stream, and the event that triggers the webhook. */
export interface Example {
  readonly stream: string;
  readonly first: readonly [type: string, data: JsonObject];
  /** Absent: the first event triggers the webhook. */
  readonly trigger?: readonly [type: string, data: JsonObject];
}

export interface Kind {
  /** `type` of the payload. */
  readonly type: WebhookType;
  /** Version of the service that introduced the kind. */
  readonly since: string;
  readonly prefix: string;
  /** Types of the events that trigger the webhook. */
  readonly on: readonly string[];
  /** Filters these events; absent: all of them. */
  readonly only?: (event: StoredEvent, flags: WebhookFlags) => boolean;
  /** Members of `data`. New members may be added; existing ones are never removed. */
  readonly shape: z.ZodObject;
  readonly data: (input: PayloadInput) => JsonObject;
  /** The object that the common `id` identifies: the name of a member of the payload, or a function. */
  readonly objectId: string | ((input: PayloadInput) => string);
  /** The status of that object; absent: the payload's own `status`, if there is one. */
  readonly status?: (input: PayloadInput, own: JsonObject) => string | undefined;
  /** The previous status, if it follows from the event alone. */
  readonly previousStatus?: (input: PayloadInput) => string | undefined;
  /** Member of the event that contains the time of occurrence. */
  readonly occurred?: string;
  readonly example: Example;
  /** Receiving businesses; absent: the owner of the stream. */
  readonly businesses?: (event: StoredEvent) => readonly number[];
}

/** Name of the change for each event type. */
export type Changes = Readonly<Record<string, string>>;

/** Schema of a member that contains the change. */
export const oneOf = (changes: Changes): z.ZodType<string> => z.enum(Object.values(changes));

/** For kinds whose status has the same name as the change. */
export const byChange = (_input: PayloadInput, own: JsonObject): string => own['change'] as string;

/** Returns the listed members that the event has. */
export const given = (data: JsonObject, ...members: readonly string[]): JsonObject =>
  Object.fromEntries(members.filter((name) => data[name] !== undefined).map((name) => [name, data[name]!]));
