/** Describes event types: schema, version, personal members and upcasters of older versions. */
import { z } from 'zod';
import type { JsonObject } from './log.js';
import type { Timers } from './timers.js';

const personalFields = z.registry<{ personal: true }>();

/**
 * Marks a member as personal data: it is encrypted in the log, and erased permanently when its subject's key is
 * destroyed. Such members are optional.
 */
export function personal<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  const optional = schema.optional();
  personalFields.add(optional, { personal: true });
  return optional;
}

/** By name: `true` if the whole member is personal, otherwise the personal members inside it. */
export interface PersonalMembers {
  readonly [name: string]: true | PersonalMembers;
}

export interface EventType<T = unknown> {
  readonly type: string;
  readonly version: number;
  readonly schema: z.ZodType<T>;
  /** The personal members, derived from the schema. */
  readonly personal: PersonalMembers;
  /** `upcast[n]` converts data of version n to version n + 1. Stored events are never rewritten. */
  readonly upcast: Readonly<Record<number, (data: JsonObject) => JsonObject>>;
  /** The timers that it sets and clears. The function gets the data with its personal members encrypted. */
  readonly timers?: Timers<JsonObject>;
}

export interface EventTypeOptions<T> {
  readonly version?: number;
  readonly upcast?: EventType['upcast'];
  readonly timers?: Timers<T>;
}

/** Defines an event type. Throws at load if a version has no upcaster: a log must stay readable forever. */
export function eventType<S extends z.ZodObject>(
  type: string,
  schema: S,
  { version = 1, upcast = {}, timers }: EventTypeOptions<z.infer<S>> = {},
): EventType<z.infer<S>> {
  for (let old = 1; old < version; old++)
    if (!upcast[old])
      throw new Error(
        `${type} has no upcaster from version ${old}: add { upcast: { ${old}: (data) => data } } to its eventType() in src/events, where the function turns data of version ${old} into version ${old + 1}.`,
      );
  return {
    type,
    version,
    schema: schema as unknown as z.ZodType<z.infer<S>>,
    personal: personalMembers(schema),
    upcast,
    ...(timers && { timers: timers as unknown as Timers<JsonObject> }),
  };
}

function personalMembers(schema: z.ZodObject): PersonalMembers {
  const members = Object.entries(schema.shape).map(
    ([name, member]) => [name, personalIn(member as z.ZodType)] as const,
  );
  return Object.fromEntries(members.filter(([, personal]) => personal !== undefined)) as PersonalMembers;
}

function personalIn(schema: z.ZodType): true | PersonalMembers | undefined {
  if (personalFields.has(schema)) return true;
  if (schema instanceof z.ZodOptional) return personalIn(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return undefined;
  const inside = personalMembers(schema);
  return Object.keys(inside).length > 0 ? inside : undefined;
}

/** The reader is too old for the event. The event itself is valid: a newer process can read it. */
export class WrittenByNewerVersion extends Error {
  override readonly name = 'WrittenByNewerVersion';
}

/** The data of a stored event in the newest version of its type. */
export function upcast(type: EventType, version: number, data: JsonObject): JsonObject {
  if (version > type.version)
    throw new WrittenByNewerVersion(`${type.type} version ${version} was written by a newer version of the service.`);
  for (let at = version; at < type.version; at++) data = type.upcast[at]!(data);
  return data;
}
