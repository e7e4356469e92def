/**
 * Which keys a log belongs to. Stream `key-master`, `key-signing`. Only a log that lies apart from the table of known
 * keys is told: there an empty database, or that of another installation, could be put beside it.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const KEY_PREFIX = 'key-';
export const KEY_STREAMS = { MASTER_KEY: `${KEY_PREFIX}master`, SIGNING_KEY: `${KEY_PREFIX}signing` } as const;
export type KeyName = keyof typeof KEY_STREAMS;

/** `fingerprint`: hexadecimal; tells nothing of the key. */
export const KeyTakenIntoUse = eventType('KeyTakenIntoUse', z.object({ fingerprint: z.string() }));

export const KEY_EVENTS = [KeyTakenIntoUse] as const;
