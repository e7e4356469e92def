/**
 * The event hash of CBV 2.0: one id for one event, however it is written. Source: the rules and the canonical property
 * order of the published reference implementation (RalphTro/epcis-event-hash-generator, rules 1 to 24), and openEPCIS.
 *
 * What the rules and both agree on is done so. Otherwise: certificates count, since two certificates are two events;
 * measurements are words of https://gs1.org/voc/, as in the 2.0.0 context; texts stay as they are, since those that look
 * like numbers may be postcodes. docs/formats.md has the table.
 *
 * Where one event has several hashes in the world, one is given and the others are known (`eventHashes`).
 */
import { createHash } from 'node:crypto';
import { expand, type Prefixes } from './context.js';
import { canonicalUri, numericalUri } from './digital-link.js';
import { DESTINATIONS_FIRST, EVENT, UNCERTIFIED } from './hash-order.js';
import { MASTER_DATA, membersOf, type Form } from './hash-text.js';
import type { JsonRecord } from './records.js';
import { GS1 } from './vocabulary.js';

/** The hashes of one event: the one that this service gives, and those that other rules give it. */
export interface EventHashes {
  readonly given: string;
  /** What this service gave before: extensions where they stand, the list of sensor elements named. */
  readonly earlier: string;
  /** What it gave before that: also without certificationInfo, with comments, short names as they are. */
  readonly former: string;
  /** What others give, as far as it is none of those. */
  readonly foreign: readonly string[];
}

/** The hashes by which an event may be known; those of others are made when they are asked for. */
export function eventHashes(event: JsonRecord, prefixes: Prefixes): EventHashes {
  const text = preHash(event, prefixes);
  const given = hashed(text);
  const other = (form: Form & { readonly version?: string }) => {
    const told = preHash(event, prefixes, form);
    return told === text && form.version === undefined ? given : hashed(told, form.version);
  };
  let foreign: readonly string[] | undefined;
  return {
    given,
    earlier: other(EARLIER),
    former: other(FORMER),
    get foreign() {
      return (foreign ??= [...new Set(FOREIGN.map(other))].filter((hash) => hash !== given));
    },
  };
}

/** `ni:///sha-256;<hex>?ver=CBV2.0` of an event; recordTime, eventID, errorDeclaration and comments do not count. */
export const eventHash = (event: JsonRecord, prefixes: Prefixes): string => hashed(preHash(event, prefixes));

const hashed = (text: string, version = 'CBV2.0'): string =>
  `ni:///sha-256;${createHash('sha256').update(text).digest('hex')}?ver=${version}`;

/** The text that is hashed. */
export const preHash = (event: JsonRecord, prefixes: Prefixes, form: Form = GIVEN): string =>
  `eventType=${expand(String(event['type']), prefixes)}${membersOf(event, form.order, UNCOUNTED, { prefixes, form })}`;

const UNCOUNTED: ReadonlySet<string> = new Set(['@context', 'type', 'recordTime', 'eventID', 'errorDeclaration']);

const GIVEN: Form = {
  order: EVENT,
  comments: false,
  canonicalUri,
  layout: '2.0',
  measurements: GS1,
  numbers: false,
  masterData: MASTER_DATA,
};

const EARLIER: Form = { ...GIVEN, layout: '2.1' };
const FORMER: Form = { ...EARLIER, order: UNCERTIFIED, comments: true, canonicalUri: numericalUri };

/** openEPCIS, and the reference implementation, which has another namespace for measurements. */
const OPEN_EPCIS: Form = { ...GIVEN, order: UNCERTIFIED, numbers: true };
const REFERENCE: Form = { ...OPEN_EPCIS, measurements: 'https://ref.gs1.org/voc/' };
const FOREIGN: readonly (Form & { readonly version?: string })[] = [
  // The reference implementation and openEPCIS before they knew two layouts.
  { ...EARLIER, order: DESTINATIONS_FIRST },
  { ...EARLIER, order: UNCERTIFIED },
  OPEN_EPCIS,
  REFERENCE,
  { ...OPEN_EPCIS, masterData: MASTER_DATA.slice(0, -1) },
  { ...REFERENCE, masterData: MASTER_DATA.slice(0, -1) },
  // What both give for the draft of CBV 2.1.
  { ...OPEN_EPCIS, layout: '2.1', version: 'CBV2.1' },
  { ...REFERENCE, layout: '2.1', version: 'CBV2.1' },
];
