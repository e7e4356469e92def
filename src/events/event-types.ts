/** How an event type is described: its schema, its version, what of it is personal, and how older versions are brought up. */
import { z } from 'zod';
import type { JsonObject } from './log.js';

const personalFields = z.registry<{ personal: true }>();

/** Marks a member as personal data: it is encrypted in the log, and gone for good when its subject's key is destroyed. Such members are optional. */
export function personal<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  const optional = schema.optional();
  personalFields.add(optional, { personal: true });
  return optional;
}

export interface EventType<T = unknown> {
  readonly type: string;
  readonly version: number;
  readonly schema: z.ZodType<T>;
  /** Paths of the personal members, from the schema. */
  readonly personal: readonly (readonly string[])[];
  /** `upcast[n]` brings data of version n to version n + 1. Stored events are never rewritten. */
  readonly upcast: Readonly<Record<number, (data: JsonObject) => JsonObject>>;
}

export interface EventTypeOptions {
  readonly version?: number;
  readonly upcast?: EventType['upcast'];
}

/** An event type. Throws at load when a version has no upcaster: a log must stay readable for ever. */
export function eventType<S extends z.ZodObject>(type: string, schema: S, { version = 1, upcast = {} }: EventTypeOptions = {}): EventType<z.infer<S>> {
  for (let old = 1; old < version; old++) if (!upcast[old]) throw new Error(`${type} has no upcaster from version ${old}.`);
  return { type, version, schema: schema as unknown as z.ZodType<z.infer<S>>, personal: [...personalPaths(schema)], upcast };
}

function* personalPaths(schema: z.ZodType, path: readonly string[] = []): Iterable<readonly string[]> {
  if (personalFields.has(schema)) return void (yield path);
  if (schema instanceof z.ZodOptional) return yield* personalPaths(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodObject) for (const [key, member] of Object.entries(schema.shape)) yield* personalPaths(member as z.ZodType, [...path, key]);
}

/** The reader is too old for the event, so nothing is wrong with the event: a newer process takes it. */
export class WrittenByNewerVersion extends Error {
  override readonly name = 'WrittenByNewerVersion';
}

/** The data of a stored event in the newest version of its type. */
export function upcast(type: EventType, version: number, data: JsonObject): JsonObject {
  if (version > type.version) throw new WrittenByNewerVersion(`${type.type} version ${version} was written by a newer version of the service.`);
  for (let at = version; at < type.version; at++) data = type.upcast[at]!(data);
  return data;
}
