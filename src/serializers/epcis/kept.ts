/**
 * What a foreign EPCIS event says that a native event has no member for travels as its `x-epcis`: business context,
 * sensor readings, other people's extensions. Here it is taken out of the event, and put back where it came from.
 */
import { expand, prefixesOf, type Prefixes } from './context.js';
import { checkEvent } from './event-schema.js';
import { ownName } from './extension.js';
import { isRecord, type JsonRecord } from './records.js';
import { eventTimeOf } from './times.js';
import { GS1_PREFIXES, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

export const KEPT = 'x-epcis';

/**
 * Members with a native place, and lists of other parcels: a parcel's timeline does not name its neighbours. The whole
 * event is in its capture.
 */
const NOT_KEPT: ReadonlySet<string> = new Set([
  '@context',
  'eventID',
  'eventTime',
  'recordTime',
  'errorDeclaration',
  'epcList',
  'childEPCs',
  'inputEPCList',
  'outputEPCList',
]);

/** Members that every event of ours writes itself, and members that only other event types have. */
const NOT_GIVEN: ReadonlySet<string> = new Set(
  [
    ...NOT_KEPT,
    'type',
    'parentID',
    'childQuantityList',
    'inputQuantityList',
    'outputQuantityList',
    'transformationID',
  ].filter((name) => name !== '@context'),
);

/**
 * The members of a foreign event to keep, without repeating what follows from `occurredAt`, its time as the native
 * event has it.
 */
export function keptFrom(event: JsonRecord, occurredAt: string, prefixes: Prefixes): JsonRecord {
  const kept: Record<string, unknown> = {};
  for (const name in event) {
    if (!NOT_KEPT.has(name) && ownName(expand(name, prefixes)) === undefined) kept[name] = event[name];
  }
  if (kept['type'] === 'ObjectEvent') delete kept['type'];
  if (kept['eventTimeZoneOffset'] === eventTimeOf(occurredAt).eventTimeZoneOffset) delete kept['eventTimeZoneOffset'];
  if (event['eventTime'] !== occurredAt) kept['eventTime'] = event['eventTime'];
  return withPrefixes(kept, prefixes);
}

/** `kept` with an `@context` that declares the prefixes it uses, and no others; the GS1 ones need no declaration. */
export function withPrefixes(kept: JsonRecord, prefixes: Prefixes): JsonRecord {
  const used = new Set<string>();
  collectPrefixes(kept, used);
  const context = Object.fromEntries(
    [...used]
      .filter((name) => prefixes.has(name) && !GS1_PREFIXES.has(name))
      .map((name) => [name, prefixes.get(name)!]),
  );
  return Object.keys(context).length === 0 ? kept : { '@context': context, ...kept };
}

function collectPrefixes(value: unknown, used: Set<string>): void {
  if (typeof value === 'string') collectPrefix(value, used);
  else if (Array.isArray(value)) for (const item of value) collectPrefixes(item, used);
  else if (isRecord(value)) {
    for (const name in value) {
      collectPrefix(name, used);
      collectPrefixes(value[name], used);
    }
  }
}

function collectPrefix(name: string, used: Set<string>): void {
  const colon = name.indexOf(':');
  if (colon > 0) used.add(name.slice(0, colon));
}

export interface Given {
  /** Members for the EPCIS event, its type among them where that is no ObjectEvent. */
  readonly members: JsonRecord;
  /** What names the parcel in an event of that type; absent: an ObjectEvent. */
  readonly naming?: JsonRecord;
  /** What of `x-epcis` has no place there. */
  readonly rest: unknown;
}

/** The parcel whose event it is. */
export interface Own {
  readonly epc: string | undefined;
  /** Whether an EPC names it, however it is written. */
  readonly isIt: (epc: string) => boolean;
}

const FRAME = { eventTime: '2000-01-01T00:00:00Z', eventTimeZoneOffset: '+00:00', action: 'OBSERVE' };
const OBJECT = { type: 'ObjectEvent', epcList: [] };

/**
 * Event types that one parcel's part can be told in, and how that is named there: as the parent, or as one of its own.
 */
type Naming = (epc: string, isParent: boolean) => JsonRecord;
const asChild: Naming = (epc, isParent) => (isParent ? {} : { childEPCs: [epc] });
const PARTS: ReadonlyMap<unknown, Naming> = new Map([
  ['AggregationEvent', asChild],
  ['AssociationEvent', asChild],
  ['TransactionEvent', (epc, isParent) => ({ epcList: isParent ? [] : [epc] })],
]);
/** Members that only these have. */
const OF_PARTS: ReadonlySet<string> = new Set(['type', 'parentID', 'childQuantityList']);

/**
 * Splits `x-epcis` into the members that the EPCIS event can have and the rest. Anybody can push an `x-epcis` of any
 * content, so it is given back only as a whole that the schema accepts, and never where it would redefine a prefix that
 * this document relies on. An aggregation stays one where the parcel's part of it is one on its own; else it becomes
 * an observation of the parcel, since an ObjectEvent that adds would commission it.
 */
export function giveBack(kept: unknown, own: Own): Given {
  if (!isRecord(kept)) return { members: {}, rest: kept };
  const naming = namingOf(kept, own);
  if (naming) {
    const part = split(kept, (name) => NOT_GIVEN.has(name) && !OF_PARTS.has(name));
    if (isGivable(part.members, naming)) return { ...part, naming };
  }
  const isOther = Object.hasOwn(kept, 'type');
  const whole = split(
    kept,
    (name) => NOT_GIVEN.has(name) || (name === 'ilmd' && kept['action'] !== 'ADD') || (isOther && OF_OTHERS.has(name)),
  );
  if (Object.keys(whole.members).length === 0 || !isGivable(whole.members, OBJECT)) return { members: {}, rest: kept };
  return whole;
}

/** What says something else in an ObjectEvent than in an event of another type. */
const OF_OTHERS: ReadonlySet<string> = new Set(['action', 'ilmd']);

function namingOf({ type, parentID }: JsonRecord, { epc, isIt }: Own): JsonRecord | undefined {
  if (epc === undefined) return undefined;
  return PARTS.get(type)?.(epc, typeof parentID === 'string' && isIt(parentID));
}

function split(kept: JsonRecord, notGiven: (name: string) => boolean): Given {
  const members: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const name in kept) (notGiven(name) ? rest : members)[name] = kept[name];
  return { members, rest: Object.keys(rest).length > 0 ? rest : undefined };
}

/**
 * The error declaration of a foreign retraction, with the `@context` of its extensions; undefined where there is none
 * to give back.
 */
export function giveBackDeclaration(
  kept: unknown,
): { readonly errorDeclaration: JsonRecord; readonly '@context'?: unknown } | undefined {
  if (!isRecord(kept) || !isRecord(kept['errorDeclaration'])) return undefined;
  const { errorDeclaration, '@context': context } = kept;
  const members = {
    ...(context !== undefined && { '@context': context }),
    errorDeclaration: errorDeclaration as JsonRecord,
  };
  return isGivable(members, OBJECT) ? members : undefined;
}

function isGivable(members: JsonRecord, naming: JsonRecord): boolean {
  const context = members['@context'] ?? {};
  if (!isRecord(context)) return false;
  const prefixes = prefixesOf(context);
  const harmless = Object.keys(context).every(
    (name) =>
      /^[A-Za-z][\w.-]*$/.test(name) &&
      name !== OTEP_PREFIX &&
      !GS1_PREFIXES.has(name) &&
      prefixes.get(name) === context[name] &&
      !prefixes.get(name)!.startsWith(OTEP_NAMESPACE),
  );
  return (
    harmless &&
    !Object.keys(members).some((name) => ownName(expand(name, prefixes)) !== undefined) &&
    checkEvent({ ...FRAME, ...naming, ...members }, '').length === 0
  );
}
