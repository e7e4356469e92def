/**
 * Interprets a foreign EPCIS event for a parcel: which parcels it names, where it happened, and whether it is a
 * delivery.
 */
import { LIMITS } from '../../events/otep/check/limits.js';
import type { Location, Subject } from '../../events/otep/model.js';
import type { Prefixes } from './context.js';
import { canonicalUri, glnOf } from '../../events/otep/digital-link.js';
import { subjectOf } from './identifiers.js';
import { bareWord, PARTY_TYPE } from './names.js';
import { locationOf } from './places.js';
import { isRecord, recordsOf, textOf, type JsonRecord } from './records.js';
import { isUri } from './uri.js';

const EPC_LISTS = ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList'];

/**
 * Returns every parcel that the event names: observed objects, the parent and its children, inputs and outputs. Business
 * transactions are not parcels. Classes of goods (`quantityList`) count only if the event names no object, so that its
 * producer finds the event again.
 */
export function parcelsOf(event: JsonRecord): {
  readonly subjects: readonly Subject[];
  readonly names: readonly string[];
} {
  const parcels = new Map<string, { readonly subject: Subject; readonly name: string }>();
  const add = (epc: unknown, name: string) => {
    if (typeof epc !== 'string' || !isUri(epc)) return; // only in custom event types, which the schema does not check
    const subject = subjectOf(epc);
    const key = subjectKey(subject);
    if (!parcels.has(key)) parcels.set(key, { subject, name });
  };
  add(event['parentID'], '/parentID');
  for (const name of EPC_LISTS) {
    const list = event[name];
    if (Array.isArray(list)) list.forEach((epc, index) => add(epc, `/${name}/${index}`));
  }
  if (parcels.size === 0)
    recordsOf(event['quantityList']).forEach(({ epcClass }, index) => {
      if (textOf(epcClass)!.length <= LIMITS.identifier) add(epcClass, `/quantityList/${index}/epcClass`);
    });
  return {
    subjects: [...parcels.values()].map(({ subject }) => subject),
    names: [...parcels.values()].map(({ name }) => name),
  };
}

/** Returns the same key for the same parcel. */
export const subjectKey = (subject: Subject): string => JSON.stringify(Object.entries(subject).sort());

/** Returns the place of the event: the read point, or else the place where the parcel is afterwards. */
function placeIdOf(event: JsonRecord): string | undefined {
  return idOf(event['readPoint']) ?? idOf(event['bizLocation']);
}

/** A place id that is too long for a native event is stored in `x-epcis` only. */
export function foreignLocation(event: JsonRecord): Location | undefined {
  const place = placeIdOf(event);
  return place === undefined || place.length > LIMITS.code ? undefined : locationOf(place);
}

const idOf = (place: unknown): string | undefined => (isRecord(place) ? textOf(place['id']) : undefined);

/**
 * Returns whether the event happened where the business transfer ends. Every step of a transfer, at hubs too, repeats
 * the sources and destinations of the whole transfer. A consignee alone is therefore not enough: the place must be the
 * destination, or have the number of the party that takes possession there.
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

/** Compares GLNs without their extension, because a dock is part of its site. */
function isSamePlace(a: string, b: string): boolean {
  const gln = glnOf(a);
  return gln === null ? canonicalUri(a) === canonicalUri(b) : gln === glnOf(b);
}
