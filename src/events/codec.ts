/**
 * Between facts and the log: upcasts what is read, and encrypts what is personal from the first event on. The personal members
 * of an event leave its data and travel as one sealed box (AES-256-GCM) under the key of its subject; whoever destroys the key
 * leaves the log whole and the person gone.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { upcast, type EventType } from './event-types.js';
import type { Json, JsonObject, StoredEvent } from './log.js';

/** Keys per subject, wrapped by the master key; a destroyed key never comes back. */
export interface KeyRing {
  /** The subjects' 32-byte keys, made durable before the answer where they did not exist. A destroyed one is absent. */
  keysFor(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** The keys that exist; erased and unknown subjects are absent. */
  existing(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** A fact before it is stored. `subject` names whose personal data it holds; absent: the type has none. */
export interface Fact<T = unknown> {
  readonly id: string;
  readonly type: EventType<T>;
  readonly data: T;
  readonly subject?: string;
}

/** What replaces the personal members in stored data. */
interface Sealed {
  readonly subject: string;
  /** base64url of nonce (12 bytes), tag (16) and ciphertext. */
  readonly box: string;
}

const ALGORITHM = 'aes-256-gcm';
const SEALED = '$sealed';

export const sealedOf = (data: JsonObject): Sealed | undefined => data[SEALED] as unknown as Sealed | undefined;

/** Splits data into the public part and the personal members by path; no personal member: the data itself. */
export function splitPersonal(type: EventType, data: JsonObject): { open: JsonObject; personal: Record<string, Json> | undefined } {
  let open: JsonObject = data;
  let personal: Record<string, Json> | undefined;
  for (const path of type.personal) {
    const value = at(open, path);
    if (value === undefined) continue;
    (personal ??= {})[path.join('.')] = value;
    open = without(open, path);
  }
  return { open, personal };
}

/** Encrypts personal members; the event's id is authenticated with them, so that a box cannot be moved to another event. */
export function seal(open: JsonObject, personal: Record<string, Json>, subject: string, key: Buffer, eventId: string): JsonObject {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(eventId));
  const text = Buffer.concat([cipher.update(JSON.stringify(personal), 'utf8'), cipher.final()]);
  return { ...open, [SEALED]: { subject, box: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url') } };
}

/** The data with its personal members back in place; without the key (erased): the data without them. */
export function unseal(data: JsonObject, eventId: string, keys: ReadonlyMap<string, Buffer>): JsonObject {
  const sealed = sealedOf(data);
  if (!sealed) return data;
  const { [SEALED]: _box, ...open } = data;
  const key = keys.get(sealed.subject);
  if (!key) return open;
  const box = Buffer.from(sealed.box, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, 12)).setAAD(Buffer.from(eventId)).setAuthTag(box.subarray(12, 28));
  const personal = JSON.parse(decipher.update(box.subarray(28), undefined, 'utf8') + decipher.final('utf8')) as Record<string, Json>;
  return Object.entries(personal).reduce<JsonObject>((whole, [path, value]) => withMember(whole, path.split('.'), value), open);
}

/**
 * Facts as they go into the log, without metadata; one question to the key ring for all subjects with personal members. What
 * happens to a subject after its key was destroyed is still recorded, but nothing personal of it.
 */
export async function encode(facts: readonly Fact[], keyRing: KeyRing): Promise<{ id: string; type: string; version: number; data: JsonObject }[]> {
  const split = facts.map((fact) => ({ fact, ...splitPersonal(fact.type, fact.data as JsonObject) }));
  const subjects = new Set(split.flatMap(({ fact, personal }) => (personal ? [subjectOf(fact)] : [])));
  const keys = subjects.size > 0 ? await keyRing.keysFor([...subjects]) : undefined;
  return split.map(({ fact, open, personal }) => {
    const key = personal && keys!.get(subjectOf(fact));
    const data = personal && key ? seal(open, personal, subjectOf(fact), key, fact.id) : open;
    return { id: fact.id, type: fact.type.type, version: fact.type.version, data };
  });
}

function subjectOf(fact: Fact): string {
  if (fact.subject === undefined) throw new Error(`${fact.type.type} holds personal data but names no subject.`);
  return fact.subject;
}

/** Types by name, to read what the log holds. */
export type EventTypes = ReadonlyMap<string, EventType>;
export const eventTypes = (...groups: readonly (readonly EventType<never>[])[]): EventTypes =>
  new Map(groups.flat().map((type) => [type.type, type as unknown as EventType]));

/** The stored data in the newest version of its type, still sealed. An unknown type is returned as it is: readers ignore it. */
export function decode(event: StoredEvent, types: EventTypes): JsonObject {
  const type = types.get(event.type);
  return type ? upcast(type, event.version, event.data) : event.data;
}

function at(data: Json | undefined, path: readonly string[]): Json | undefined {
  for (const key of path) {
    if (data === null || typeof data !== 'object') return undefined;
    data = (data as JsonObject)[key];
  }
  return data;
}

function without(data: JsonObject, [key, ...rest]: readonly string[]): JsonObject {
  const { [key!]: member, ...others } = data;
  return rest.length === 0 ? others : { ...others, [key!]: without(member as JsonObject, rest) };
}

function withMember(data: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  return { ...data, [key!]: rest.length === 0 ? value : withMember((data[key!] as JsonObject | undefined) ?? {}, rest, value) };
}
