/**
 * Content of a foreign EPCIS event that has no native member is stored as `x-epcis`: business context, sensor readings,
 * extensions of other producers. This module extracts it from the event and writes it back.
 */
import { expand, prefixesOf, type Prefixes } from './context.js';
import { checkEvent } from './event-schema.js';
import { ownName } from './extension.js';
import { isRecord, recordsOf, type JsonRecord } from './records.js';
import { eventTimeOf } from './times.js';
import { GS1_PREFIXES, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

export const X_EPCIS = 'x-epcis';

/**
 * Members with a native counterpart, and lists of other parcels: a parcel's timeline does not name other parcels. The
 * capture contains the whole event.
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

/** Members that this service writes in every event, and members that only other event types have. */
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
 * Returns the members of a foreign event to store. Omits members that follow from `occurredAt`, the event's time in
 * native format.
 */
export function foreignContentOf(event: JsonRecord, occurredAt: string, prefixes: Prefixes): JsonRecord {
  const kept: Record<string, unknown> = {};
  for (const name in event) {
    if (!NOT_KEPT.has(name) && ownName(expand(name, prefixes)) === undefined) kept[name] = event[name];
  }
  if (kept['type'] === 'ObjectEvent') delete kept['type'];
  if (kept['eventTimeZoneOffset'] === eventTimeOf(occurredAt).eventTimeZoneOffset) delete kept['eventTimeZoneOffset'];
  if (event['eventTime'] !== occurredAt) kept['eventTime'] = event['eventTime'];
  return withPrefixes(kept, prefixes);
}

/**
 * Returns `kept` with an `@context` that declares only the prefixes that it uses. The GS1 prefixes need no declaration.
 */
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
  /** Members for the EPCIS event, including its type unless that is ObjectEvent. */
  readonly members: JsonRecord;
  /** Members that name the parcel in an event of that type; absent for an ObjectEvent about an object. */
  readonly naming?: JsonRecord;
  /** The part of `x-epcis` that the event cannot contain. */
  readonly rest: unknown;
}

/** The parcel that the event belongs to. */
export interface Own {
  readonly epc: string | undefined;
  /** Returns whether an EPC names the parcel, in any spelling. */
  readonly isIt: (epc: string) => boolean;
}

const FRAME = { eventTime: '2000-01-01T00:00:00Z', eventTimeZoneOffset: '+00:00', action: 'OBSERVE' };
const OBJECT = { type: 'ObjectEvent', epcList: [] };

/** Event types that can describe one parcel alone. The parcel is named as the parent or as one of the children. */
type Naming = (epc: string, isParent: boolean) => JsonRecord;
const NONE: JsonRecord = { epcList: [] };
const asChild: Naming = (epc, isParent) => (isParent ? {} : { childEPCs: [epc] });
const PARTS: ReadonlyMap<unknown, Naming> = new Map([
  ['AggregationEvent', asChild],
  ['AssociationEvent', asChild],
  ['TransactionEvent', (epc, isParent) => (isParent ? NONE : { epcList: [epc] })],
]);
/** Members that only these event types have. */
const OF_PARTS: ReadonlySet<string> = new Set(['type', 'parentID', 'childQuantityList']);

/**
 * Splits `x-epcis` into the members that the EPCIS event can have and the rest. Any producer can push an `x-epcis` with
 * arbitrary content. It is therefore written back only if the schema accepts it as a whole and it redefines no prefix
 * of this document.
 *
 * An aggregation remains an aggregation if the parcel's part of it is a valid one. Otherwise it becomes an observation
 * of the parcel and loses its action: an ObjectEvent with the action ADD would commission the parcel.
 */
export function restoreForeignContent(kept: unknown, own: Own): Given {
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
  return isClass(kept, own) && 'quantityList' in whole.members ? { ...whole, naming: NONE } : whole;
}

/** Members that have another meaning in an ObjectEvent than in events of other types. */
const OF_OTHERS: ReadonlySet<string> = new Set(['action', 'ilmd']);

function namingOf(kept: JsonRecord, own: Own): JsonRecord | undefined {
  const { type, parentID } = kept;
  if (own.epc === undefined) return undefined;
  if (type === 'TransactionEvent' && isClass(kept, own)) return NONE;
  return PARTS.get(type)?.(own.epc, typeof parentID === 'string' && own.isIt(parentID));
}

/** Whether the event names the parcel as a class of goods, which an EPC list cannot contain. */
const isClass = ({ quantityList }: JsonRecord, { isIt }: Own): boolean =>
  recordsOf(quantityList).some(({ epcClass }) => typeof epcClass === 'string' && isIt(epcClass));

function split(kept: JsonRecord, notGiven: (name: string) => boolean): Given {
  const members: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const name in kept) (notGiven(name) ? rest : members)[name] = kept[name];
  return { members, rest: Object.keys(rest).length > 0 ? rest : undefined };
}

/**
 * Returns the error declaration of a foreign retraction with the `@context` of its extensions; undefined if there is
 * none.
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
