/**
 * The event hash of CBV 2.0: the same id for the same event, independent of its spelling. Sources: the rules and the
 * canonical property order of the published reference implementation (RalphTro/epcis-event-hash-generator, rules 1 to
 * 24), and openEPCIS.
 *
 * This module does whatever the rules and both implementations agree on. Where they differ:
 * - Certificates are part of the hash, since two certificates are two events.
 * - Measurements are terms of https://gs1.org/voc/, as in the 2.0.0 context.
 * - Strings are unchanged, since a string that looks like a number may be a postcode.
 *
 * docs/formats.md has the table. If other rules give an event other hashes, this service assigns one and recognizes the
 * others (`eventHashes`).
 */
import { createHash } from 'node:crypto';
import { expand, type Prefixes } from './context.js';
import { canonicalUri, numericalUri } from '../../events/otep/digital-link.js';
import { DESTINATIONS_FIRST, EVENT, UNCERTIFIED } from './hash-order.js';
import { MASTER_DATA, membersOf, type Form } from './hash-text.js';
import type { JsonRecord } from './records.js';
import { GS1 } from './vocabulary.js';

/** The hashes of one event: the one that this service assigns, and those that other rules produce. */
export interface EventHashes {
  readonly given: string;
  /**
   * Hash of an earlier version of this service: extensions inside their members, and a name for the list of sensor
   * elements.
   */
  readonly earlier: string;
  /**
   * Hash of the version before that: in addition without certificationInfo, with comments, and with short names
   * unchanged.
   */
  readonly former: string;
  /** Hashes of other software that differ from the three above. */
  readonly foreign: readonly string[];
}

/** Returns the hashes by which an event may be known. All but the first are computed on first access: most events are new. */
export function eventHashes(event: JsonRecord, prefixes: Prefixes): EventHashes {
  const text = preHash(event, prefixes);
  const given = hashed(text);
  const other = (form: Form & { readonly version?: string }) => {
    const hashInput = preHash(event, prefixes, form);
    return hashInput === text && form.version === undefined ? given : hashed(hashInput, form.version);
  };
  let earlier: string | undefined;
  let former: string | undefined;
  let foreign: readonly string[] | undefined;
  return {
    given,
    get earlier() {
      return (earlier ??= other(EARLIER));
    },
    get former() {
      return (former ??= other(FORMER));
    },
    get foreign() {
      return (foreign ??= [...new Set(FOREIGN.map(other))].filter((hash) => hash !== given));
    },
  };
}

/**
 * Returns `ni:///sha-256;<hex>?ver=CBV2.0` of an event. recordTime, eventID, errorDeclaration and comments are ignored.
 */
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

/** Rules of openEPCIS, and of the reference implementation, which uses another namespace for measurements. */
const OPEN_EPCIS: Form = { ...GIVEN, order: UNCERTIFIED, numbers: true };
const REFERENCE: Form = { ...OPEN_EPCIS, measurements: 'https://ref.gs1.org/voc/' };
const FOREIGN: readonly (Form & { readonly version?: string })[] = [
  // Earlier versions of the reference implementation and of openEPCIS, which had one layout only.
  { ...EARLIER, order: DESTINATIONS_FIRST },
  { ...EARLIER, order: UNCERTIFIED },
  OPEN_EPCIS,
  REFERENCE,
  { ...OPEN_EPCIS, masterData: MASTER_DATA.slice(0, -1) },
  { ...REFERENCE, masterData: MASTER_DATA.slice(0, -1) },
  // Hashes of both implementations for the draft of CBV 2.1.
  { ...OPEN_EPCIS, layout: '2.1', version: 'CBV2.1' },
  { ...REFERENCE, layout: '2.1', version: 'CBV2.1' },
];
