/**
 * The event hash of CBV 2.0: one id for one event, however it is written. Source: the rules and the canonical property
 * order of the published reference implementation (RalphTro/epcis-event-hash-generator, rules 1 to 24).
 *
 * Where the sources disagree: the type of a transaction or party stands before its value; an extension inside a place
 * or a sensor element stays there (rule 21); sensorElementList is named (rule 11); measurements are words of
 * https://gs1.org/voc/, as in the 2.0.0 context. Texts of extensions stay as they are: the reference turns those that
 * look like numbers into numbers, which makes two postcodes one. So hashes of events with EPCs, quantities, words, places
 * and plain extensions can be compared with other people's; every hash can be compared with our own.
 *
 * Where one event has several hashes in the world, one is given and the others are known (`eventHashes`).
 */
import { createHash } from 'node:crypto';
import { expand, type Prefixes } from './context.js';
import { canonicalUri, numericalUri } from './digital-link.js';
import { DESTINATIONS_FIRST, EVENT, UNCERTIFIED } from './hash-order.js';
import { membersOf, type Form } from './hash-text.js';
import type { JsonRecord } from './records.js';

/** The hashes of one event: the one that this service gives, and those that other rules give it. */
export interface EventHashes {
  readonly given: string;
  /** What earlier versions of this service gave: without certificationInfo, with comments, short names as they are. */
  readonly former: string;
  /** What others give: the reference implementation (destinations before sources), openEPCIS (no certificationInfo). */
  readonly foreign: readonly string[];
}

/** The hashes by which an event may be known. */
export function eventHashes(event: JsonRecord, prefixes: Prefixes): EventHashes {
  const text = preHash(event, prefixes);
  const given = hashed(text);
  const other = (form: Form) => {
    const told = preHash(event, prefixes, form);
    return told === text ? given : hashed(told);
  };
  return { given, former: other(FORMER), foreign: FOREIGN.map(other).filter((hash) => hash !== given) };
}

/** `ni:///sha-256;<hex>?ver=CBV2.0` of an event; recordTime, eventID, errorDeclaration and comments do not count. */
export const eventHash = (event: JsonRecord, prefixes: Prefixes): string => hashed(preHash(event, prefixes));

const hashed = (text: string): string => `ni:///sha-256;${createHash('sha256').update(text).digest('hex')}?ver=CBV2.0`;

/** The text that is hashed. */
export const preHash = (event: JsonRecord, prefixes: Prefixes, form: Form = GIVEN): string =>
  `eventType=${expand(String(event['type']), prefixes)}${membersOf(event, form.order, UNCOUNTED, { prefixes, form })}`;

const UNCOUNTED: ReadonlySet<string> = new Set(['@context', 'type', 'recordTime', 'eventID', 'errorDeclaration']);

const GIVEN: Form = { order: EVENT, comments: false, canonicalUri };

const FORMER: Form = { order: UNCERTIFIED, comments: true, canonicalUri: numericalUri };
const FOREIGN: readonly Form[] = [
  { ...GIVEN, order: DESTINATIONS_FIRST },
  { ...GIVEN, order: UNCERTIFIED },
];
