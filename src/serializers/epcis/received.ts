/** Received events in the form that a caller may see or asks for. Pure. */
import { canonicalUri } from '../../events/otep/digital-link.js';
import { checkEvent } from './event-schema.js';
import type { JsonRecord } from './records.js';

/** Members with lists of parcels. */
const LISTS = ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList'] as const;

const epcsIn = (event: JsonRecord, name: string): readonly string[] =>
  Array.isArray(event[name]) ? (event[name] as readonly unknown[]).filter((epc) => typeof epc === 'string') : [];

/** The parcels in the lists of an event. The parent is not in a list. */
export const listedEpcs = (event: JsonRecord): readonly string[] => LISTS.flatMap((name) => epcsIn(event, name));

/**
 * Returns the event with only those parcels in its lists that the caller may see. The parent stays, as a part of the
 * history of its children. If the rest is no valid event of its type, it is returned as an observation of the visible
 * parcels.
 */
export function reduceToVisible(event: JsonRecord, isVisible: (epc: string) => boolean): JsonRecord {
  const reduced: Record<string, unknown> = { ...event };
  for (const name of LISTS) if (name in event) reduced[name] = epcsIn(event, name).filter(isVisible);
  const isEmpty = listedEpcs(reduced).length === 0;
  if (!isEmpty && checkEvent(reduced, '').length === 0) return reduced;
  const parent = event['parentID'];
  const epcList = [...listedEpcs(reduced), ...(typeof parent === 'string' && isVisible(parent) ? [parent] : [])];
  for (const name of NOT_OBSERVED) delete reduced[name];
  return { ...reduced, type: 'ObjectEvent', action: 'OBSERVE', epcList };
}

/** Members that an observation does not have, or that describe other parcels. */
const NOT_OBSERVED = [
  ...LISTS,
  'parentID',
  'quantityList',
  'childQuantityList',
  'inputQuantityList',
  'outputQuantityList',
  'transformationID',
  'ilmd',
];

/** Returns the event with its parcels named by Digital Links. Other URIs stay. */
export function toDigitalLinks(event: JsonRecord): JsonRecord {
  const translated: Record<string, unknown> = { ...event };
  for (const name of LISTS) if (name in event) translated[name] = [...new Set(epcsIn(event, name).map(canonicalUri))];
  if (typeof event['parentID'] === 'string') translated['parentID'] = canonicalUri(event['parentID']);
  return translated;
}
