/**
 * Converts between facts and stored events: upcasts events when they are read, and encrypts personal data from the
 * first event on. The personal members of an event are removed from its data and stored as one encrypted box
 * (AES-256-GCM) under the key of its subject. Destroying the key erases the person and leaves the log complete.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { upcast, type EventType, type PersonalMembers } from './event-types.js';
import type { Json, JsonObject, EncodedEvent, StoredEvent } from './log.js';
import { drawBytes } from './random.js';

/**
 * Keys per subject (a person, an order, a tracking), encrypted with the master key. A destroyed key cannot be restored.
 */
export interface KeyRing {
  /**
   * The subjects' 32-byte keys. Missing keys are created and are durable before the call returns. Destroyed keys are
   * absent.
   */
  keysFor(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** The existing keys; erased and unknown subjects are absent. */
  existing(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/**
 * An event before it is stored. `subject`: the key subject of its personal data, which names the key that encrypts it.
 * Absent if the type has no personal data.
 */
export interface Fact<T = unknown> {
  readonly id: string;
  readonly type: EventType<T>;
  readonly data: T;
  readonly subject?: string;
}

/** Replaces the personal members in stored data. */
interface Sealed {
  readonly subject: string;
  /** base64url of nonce (12 bytes), tag (16) and ciphertext. */
  readonly box: string;
  /** The content was compressed before encryption: whole documents are repetitive. */
  readonly deflated?: true;
}

/** Minimum number of characters for compression. */
const LONG = 8_192;

const ALGORITHM = 'aes-256-gcm';
const SEALED = '$sealed';

export const sealedOf = (data: JsonObject): Sealed | undefined => data[SEALED] as unknown as Sealed | undefined;

/** The encrypted part of the data only. */
export const onlySealed = (data: JsonObject): JsonObject =>
  data[SEALED] === undefined ? {} : { [SEALED]: data[SEALED] };

/**
 * Splits data into the public part and the personal members, with their nesting. Returns the data itself if there are
 * no personal members.
 */
function splitPersonal(
  personal: PersonalMembers,
  data: JsonObject,
): { open: JsonObject; secret: JsonObject | undefined } {
  let open: Record<string, Json | undefined> | undefined;
  let secret: Record<string, Json> | undefined;
  for (const name in personal) {
    const value = data[name];
    if (value === undefined) continue;
    const inside = personal[name]!;
    let left: JsonObject | undefined;
    let taken: Json | undefined = value;
    if (inside !== true) ({ open: left, secret: taken } = splitPersonal(inside, value as JsonObject));
    if (taken === undefined) continue;
    (secret ??= {})[name] = taken;
    // A copy with undefined members, which JSON omits: copying the other members one by one takes several times as
    // long.
    (open ??= { ...data })[name] = left;
  }
  return { open: (open as JsonObject | undefined) ?? data, secret };
}

/** The personal members of data, with their nesting; undefined if there are none. */
export const personalPart = ({ personal }: EventType, data: JsonObject): JsonObject | undefined =>
  splitPersonal(personal, data).secret;

const NONCE = 12;
const TAG = 16;

/**
 * Encrypts personal members. The event's id is authenticated with them, so that a box cannot be moved to another event.
 */
function seal(secret: JsonObject, subject: string, key: Buffer, eventId: string): Sealed {
  const nonce = drawBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(eventId, 'latin1'));
  const plain = JSON.stringify(secret);
  const deflated = plain.length >= LONG;
  const text = deflated ? cipher.update(deflateRawSync(plain, { level: 1 })) : cipher.update(plain, 'utf8');
  cipher.final();
  const box = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  return deflated ? { subject, box, deflated } : { subject, box };
}

/**
 * Serializes data with its encrypted box. It concatenates texts, which is faster than building one object only to
 * serialize it.
 */
function written(open: JsonObject, sealed: Sealed): string {
  const rest = JSON.stringify(open);
  return `${rest === '{}' ? '{' : `${rest.slice(0, -1)},`}"${SEALED}":${JSON.stringify(sealed)}}`;
}

/** Restores the personal members of the data. Without the key (erased), returns the data without them. */
export function unseal(data: JsonObject, eventId: string, keys: ReadonlyMap<string, Buffer>): JsonObject {
  const sealed = sealedOf(data);
  if (!sealed) return data;
  const { [SEALED]: _box, ...open } = data;
  const key = keys.get(sealed.subject);
  if (!key) return open;
  const box = Buffer.from(sealed.box, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, box.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(eventId, 'latin1'))
    .setAuthTag(box.subarray(NONCE, NONCE + TAG));
  const text = decipher.update(box.subarray(NONCE + TAG));
  decipher.final();
  return merge(open, JSON.parse((sealed.deflated ? inflateRawSync(text) : text).toString('utf8')) as JsonObject);
}

function merge(open: JsonObject, secret: JsonObject): JsonObject {
  const whole: Record<string, Json> = { ...open };
  for (const [name, value] of Object.entries(secret))
    whole[name] = isObject(whole[name]) && isObject(value) ? merge(whole[name], value) : value;
  return whole;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A fact and its metadata. */
export interface Occurrence {
  readonly fact: Fact;
  readonly metadata: JsonObject;
}

/**
 * Encodes facts as new events, with one key ring request for all subjects. Events of a subject whose key was destroyed
 * are still recorded, but without personal data.
 */
export async function encode(occurrences: readonly Occurrence[], keyRing: KeyRing): Promise<EncodedEvent[]> {
  const split = occurrences.map(({ fact: { type, data } }) => splitPersonal(type.personal, data as JsonObject));
  const subjects = new Set<string>();
  split.forEach(({ secret }, index) => secret && subjects.add(subjectOf(occurrences[index]!.fact)));
  const keys = subjects.size > 0 ? await keyRing.keysFor([...subjects]) : undefined;
  return occurrences.map(({ fact: { id, type, subject }, metadata }, index) => {
    const { open, secret } = split[index]!;
    const key = secret && keys!.get(subject!);
    return {
      id,
      type: type.type,
      version: type.version,
      json: secret && key ? written(open, seal(secret, subject!, key, id)) : JSON.stringify(open),
      metadata,
    };
  });
}

function subjectOf(fact: Fact): string {
  if (fact.subject === undefined) throw new Error(`${fact.type.type} contains personal data but names no subject.`);
  return fact.subject;
}

/** Event types by name, for reading the log. */
export type EventTypes = ReadonlyMap<string, EventType>;
export const eventTypes = (...groups: readonly (readonly EventType<never>[])[]): EventTypes =>
  new Map(groups.flat().map((type) => [type.type, type as unknown as EventType]));

/**
 * The stored data in the newest version of its type, still encrypted. Data of an unknown type is returned unchanged:
 * readers ignore it.
 */
export function decode(event: StoredEvent, types: EventTypes): JsonObject {
  const type = types.get(event.type);
  return type ? upcast(type, event.version, event.data) : event.data;
}

/**
 * The stored event with its data upcast. An upcast event has no `json`. An event of the current version is returned
 * unchanged, without parsing its data.
 */
export function decoded(event: StoredEvent, types: EventTypes): StoredEvent {
  if ((types.get(event.type)?.version ?? event.version) === event.version) return event;
  const { position, stream, revision, id, type, version, metadata } = event;
  return { position, stream, revision, id, type, version, metadata, data: decode(event, types) };
}
