/**
 * The event hash of CBV 2.0: one id for one event, however it is written. Source: the rules and the canonical property
 * order of the published reference implementation (RalphTro/epcis-event-hash-generator, rules 1 to 24).
 *
 * Where the sources disagree: the type of a transaction or party stands before its value; an extension inside a place
 * or a sensor element stays there (rule 21); sensorElementList is named (rule 11); measurements are words of
 * https://gs1.org/voc/, as in the 2.0.0 context; certificationInfo takes no part, for it has no place in the order.
 * Texts of extensions stay as they are: the reference turns those that look like numbers into numbers, which makes two
 * postcodes one. So hashes of events with EPCs, quantities, words, places and plain extensions can be compared with
 * other people's; every hash can be compared with our own.
 */
import { createHash } from 'node:crypto';
import { instantOf } from '../../events/otep/time.js';
import { expand, type Prefixes } from './context.js';
import { canonicalUri } from './digital-link.js';
import {
  BIZ_STEP,
  COMPONENT,
  DISPOSITION,
  MEASUREMENT,
  PARTY_TYPE,
  SENSOR_EXCEPTION,
  TRANSACTION_TYPE,
  webUri,
  type Vocabulary,
} from './names.js';
import { isRecord, type JsonRecord } from './records.js';
import { nativeTime } from './times.js';

/** `ni:///sha-256;<hex>?ver=CBV2.0` of an event; recordTime, eventID and errorDeclaration do not count. */
export const eventHash = (event: JsonRecord, prefixes: Prefixes): string =>
  `ni:///sha-256;${createHash('sha256').update(preHash(event, prefixes)).digest('hex')}?ver=CBV2.0`;

/** The text that is hashed. */
export const preHash = (event: JsonRecord, prefixes: Prefixes): string =>
  `eventType=${expand(String(event['type']), prefixes)}${membersOf(event, EVENT, UNCOUNTED, prefixes)}`;

/** What a member adds: its name and value, or nothing where it says nothing. */
type Say = (name: string, given: unknown, prefixes: Prefixes) => string;
type Order = ReadonlyMap<string, Say>;

/** A list is its items, sorted; JSON-LD makes no difference between one value and a list of one. */
function each(given: unknown, say: (item: unknown) => string): string {
  return Array.isArray(given) ? sorted(given.map(say)).join('') : say(given);
}

/** A single value: `name=value`. */
const value =
  (canonical: (text: string, prefixes: Prefixes) => string): Say =>
  (name, given, prefixes) =>
    each(given, (item) => {
      const text =
        typeof item === 'string'
          ? canonical(item.trim(), prefixes)
          : typeof item === 'number'
            ? plain(item)
            : typeof item === 'boolean'
              ? String(item)
              : '';
      return text === '' ? '' : `${name}=${text}`;
    });

const text = value((given) => given);
const uri = value((given, prefixes) => canonicalUri(expand(given, prefixes)));
const term = (vocabulary: Vocabulary) => value((given, prefixes) => webUri(given, vocabulary, prefixes));
const time = value(inMilliseconds);

/** The name once, then its items under a name of their own, which may be empty. */
const list =
  (inner: string, say: Say): Say =>
  (name, given, prefixes) =>
    named(name, say(inner, given, prefixes));

/** The name, then the members in the given order and everybody's extensions behind them. */
const record = (order: readonly (readonly [string, Say])[]): Say => {
  const ordered: Order = new Map(order);
  return (name, given, prefixes) =>
    each(given, (item) => (isRecord(item) ? named(name, membersOf(item, ordered, NONE, prefixes)) : ''));
};

/** Somebody's own member, of any form and depth; it counts even when it is empty. */
const extension: Say = (name, given, prefixes) =>
  each(given, (item) =>
    isRecord(item) ? name + membersOf(item, NO_ORDER, NONE, prefixes) : uri(name, item, prefixes) || name,
  );

const ownMembers: Say = (name, given, prefixes) =>
  isRecord(given) ? named(name, membersOf(given, NO_ORDER, NONE, prefixes)) : '';

const named = (name: string, said: string): string => (said === '' ? '' : name + said);

function membersOf(given: JsonRecord, order: Order, uncounted: ReadonlySet<string>, prefixes: Prefixes): string {
  let out = '';
  for (const [name, say] of order) if (given[name] !== undefined) out += say(name, given[name], prefixes);
  const others = Object.keys(given).filter((name) => !order.has(name) && !uncounted.has(name));
  return out + sorted(others.map((name) => extension(qualified(name, prefixes), given[name], prefixes))).join('');
}

const NO_ORDER: Order = new Map();
const NONE: ReadonlySet<string> = new Set();
const UNCOUNTED: ReadonlySet<string> = new Set([
  '@context',
  'type',
  'recordTime',
  'eventID',
  'errorDeclaration',
  'certificationInfo',
]);

/** `{namespace}local`, whether the name was compact or full; a name without namespace as it is. */
function qualified(name: string, prefixes: Prefixes): string {
  const full = expand(name, prefixes);
  const end = Math.max(full.lastIndexOf('/'), full.lastIndexOf('#'), full.lastIndexOf(':')) + 1;
  return end === 0 ? full : `{${full.slice(0, end)}}${full.slice(end)}`;
}

const place = record([['id', uri]]);
const quantities = list(
  'quantityElement',
  record([
    ['epcClass', uri],
    ['quantity', text],
    ['uom', text],
  ]),
);
const epcs = list('epc', uri);

const metadata = record([
  ['time', time],
  ['startTime', time],
  ['endTime', time],
  ['deviceID', uri],
  ['deviceMetadata', uri],
  ['rawData', uri],
  ['dataProcessingMethod', uri],
  ['bizRules', uri],
]);

const report = record([
  ['type', term(MEASUREMENT)],
  ['exception', term(SENSOR_EXCEPTION)],
  ['deviceID', uri],
  ['deviceMetadata', uri],
  ['rawData', uri],
  ['dataProcessingMethod', uri],
  ['time', time],
  ['microorganism', uri],
  ['chemicalSubstance', uri],
  ['value', text],
  ['component', term(COMPONENT)],
  ['stringValue', text],
  ['booleanValue', text],
  ['hexBinaryValue', text],
  ['uriValue', uri],
  ['minValue', text],
  ['maxValue', text],
  ['meanValue', text],
  ['sDev', text],
  ['percRank', text],
  ['percValue', text],
  ['uom', text],
  ['coordinateReferenceSystem', uri],
]);

const EVENT: Order = new Map<string, Say>([
  ['eventTime', time],
  ['eventTimeZoneOffset', text],
  ['epcList', epcs],
  ['parentID', uri],
  ['inputEPCList', epcs],
  ['childEPCs', epcs],
  ['quantityList', quantities],
  ['childQuantityList', quantities],
  ['inputQuantityList', quantities],
  ['outputEPCList', epcs],
  ['outputQuantityList', quantities],
  ['action', text],
  ['transformationID', uri],
  ['bizStep', term(BIZ_STEP)],
  ['disposition', term(DISPOSITION)],
  [
    'persistentDisposition',
    record([
      ['set', term(DISPOSITION)],
      ['unset', term(DISPOSITION)],
    ]),
  ],
  ['readPoint', place],
  ['bizLocation', place],
  [
    'bizTransactionList',
    list(
      '',
      record([
        ['type', term(TRANSACTION_TYPE)],
        ['bizTransaction', uri],
      ]),
    ),
  ],
  [
    'sourceList',
    list(
      '',
      record([
        ['type', term(PARTY_TYPE)],
        ['source', uri],
      ]),
    ),
  ],
  [
    'destinationList',
    list(
      '',
      record([
        ['type', term(PARTY_TYPE)],
        ['destination', uri],
      ]),
    ),
  ],
  [
    'sensorElementList',
    list(
      'sensorElement',
      record([
        ['sensorMetadata', metadata],
        ['sensorReport', report],
      ]),
    ),
  ],
  ['ilmd', ownMembers],
]);

/** By code point: the order of UTF-8 bytes, which is that of JavaScript unless there are surrogates. */
const sorted = (texts: string[]): string[] =>
  texts.some((text) => /[\ud800-\udfff]/.test(text))
    ? texts.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : texts.sort();

/** A number without exponent and without zeros at its end. */
function plain(number: number): string {
  const [shortest, exponent] = String(number).split('e') as [string, string?];
  if (exponent === undefined) return shortest;
  const [sign, whole, fraction = ''] = /^(-?)(\d)(?:\.(\d+))?$/.exec(shortest)!.slice(1) as [string, string, string?];
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
    : sign + whole + fraction.padEnd(shift, '0');
}

/** UTC with exactly three decimals, half a millisecond rounded up; what is no time stays as it is. */
function inMilliseconds(given: string): string {
  const native = nativeTime(given);
  const instant = native === null ? null : instantOf(native);
  if (instant === null) return given;
  const up = instant.charCodeAt(23) >= 53 ? 1 : 0;
  return new Date(Date.parse(`${instant.slice(0, 23)}Z`) + up).toISOString();
}
