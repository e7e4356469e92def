/**
 * Records the keys of a log. Streams `key-master` and `key-signing`. Only written to a log outside the database with
 * the table of known keys: such a log could be combined with an empty database, or that of another installation.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const KEY_PREFIX = 'key-';
export const KEY_STREAMS = { MASTER_KEY: `${KEY_PREFIX}master`, SIGNING_KEY: `${KEY_PREFIX}signing` } as const;
export type KeyName = keyof typeof KEY_STREAMS;

/** `fingerprint`: hexadecimal; reveals nothing about the key. */
export const KeyTakenIntoUse = eventType('KeyTakenIntoUse', z.object({ fingerprint: z.string() }));

export const KEY_EVENTS = [KeyTakenIntoUse] as const;
