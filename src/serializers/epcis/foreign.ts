/**
 * What a foreign EPCIS event means to a parcel: which parcels it names, where it happened, whether it is a delivery.
 */
import { LIMITS } from '../../events/otep/check/limits.js';
import type { Location, Subject } from '../../events/otep/model.js';
import type { Prefixes } from './context.js';
import { canonicalUri, glnOf } from './digital-link.js';
import { subjectOf } from './identifiers.js';
import { bareWord, PARTY_TYPE } from './names.js';
import { locationOf } from './places.js';
import { isRecord, recordsOf, textOf, type JsonRecord } from './records.js';
import { isUri } from './uri.js';

const EPC_LISTS = ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList'];

/**
 * Every parcel that the event names: the observed objects, the parent and its children, what went in and what came out.
 * Classes of goods (quantity lists) and business transactions are no parcels.
 */
export function parcelsOf(event: JsonRecord): {
  readonly subjects: readonly Subject[];
  readonly names: readonly string[];
} {
  const parcels = new Map<string, { readonly subject: Subject; readonly name: string }>();
  const add = (epc: unknown, name: string) => {
    if (typeof epc !== 'string' || !isUri(epc)) return; // only in events of somebody else's type, where the schema does not look
    const subject = subjectOf(epc);
    const key = subjectKey(subject);
    if (!parcels.has(key)) parcels.set(key, { subject, name });
  };
  add(event['parentID'], '/parentID');
  for (const name of EPC_LISTS) {
    const list = event[name];
    if (Array.isArray(list)) list.forEach((epc, index) => add(epc, `/${name}/${index}`));
  }
  return {
    subjects: [...parcels.values()].map(({ subject }) => subject),
    names: [...parcels.values()].map(({ name }) => name),
  };
}

/** The same text for the same parcel. */
export const subjectKey = (subject: Subject): string => JSON.stringify(Object.entries(subject).sort());

/** Where the event happened: the read point, else the place where the parcel is after it. */
function placeIdOf(event: JsonRecord): string | undefined {
  return idOf(event['readPoint']) ?? idOf(event['bizLocation']);
}

/** A name too long for a native event is still in its `x-epcis`. */
export function foreignLocation(event: JsonRecord): Location | undefined {
  const place = placeIdOf(event);
  return place === undefined || place.length > LIMITS.code ? undefined : locationOf(place);
}

const idOf = (place: unknown): string | undefined => (isRecord(place) ? textOf(place['id']) : undefined);

/**
 * Whether the event's place is where the business transfer ends. Sources and destinations are the end points of a whole
 * transfer and are on every step of it, hubs included, so naming a consignee is not enough: the place must be the
 * destination, or bear the number of the party that takes possession there.
 */
export function isAtConsignee(event: JsonRecord, prefixes: Prefixes): boolean {
  const place = idOf(event['bizLocation']) ?? idOf(event['readPoint']);
  if (place === undefined) return false;
  return recordsOf(event['destinationList']).some(({ type, destination }) => {
    const role = typeof type === 'string' ? bareWord(type, PARTY_TYPE, prefixes) : undefined;
    return (
      (role === 'location' || role === 'possessing_party') &&
      typeof destination === 'string' &&
      isSamePlace(place, destination)
    );
  });
}

/** A dock of a site is at the site, so the number counts and its extension does not. */
function isSamePlace(a: string, b: string): boolean {
  const gln = glnOf(a);
  return gln === null ? canonicalUri(a) === canonicalUri(b) : gln === glnOf(b);
}
