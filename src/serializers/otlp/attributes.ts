/** Attributes of spans: names of the semantic conventions if these define one, or else `otep.` and the native path. */
import { IDENTIFIERS, type Location, type Timeline, type TimelineEvent } from '../../events/otep/model.js';
import { nativeMembers } from '../support/members.js';
import { placeOf } from '../support/place.js';

export interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly doubleValue: number } | { readonly boolValue: boolean };
}

export const text = (key: string, stringValue: string): Attribute => ({ key, value: { stringValue } });
const double = (key: string, doubleValue: number): Attribute => ({ key, value: { doubleValue } });

const putMembers = nativeMembers('otep.');

const SUMMARY = [
  'profile',
  'current_status',
  'current_phase',
  'terminal_status',
] as const satisfies readonly (keyof Timeline)[];
const PLACE = [
  ['name', 'otep.location.name'],
  ['code', 'otep.location.code'],
  ['region', 'otep.location.region'],
  ['city', 'geo.locality.name'],
  ['postal_code', 'geo.postal_code'],
  ['country', 'geo.country.iso_code'],
] as const satisfies readonly (readonly [keyof Location, string])[];

export function eventAttributes(event: TimelineEvent): Attribute[] {
  const attributes: Attribute[] = [];
  putMembers(event, (key, value) => attributes.push(text(key, value)));
  const place = placeOf(event.location);
  if (!place) return attributes;
  for (const [member, key] of PLACE) {
    const value = place[member];
    if (value !== undefined) attributes.push(text(key, value));
  }
  if (place.latitude !== undefined) attributes.push(double('geo.location.lat', place.latitude));
  if (place.longitude !== undefined) attributes.push(double('geo.location.lon', place.longitude));
  return attributes;
}

export function journeyAttributes(timeline: Timeline): Attribute[] {
  const attributes: Attribute[] = [];
  for (const member of IDENTIFIERS) {
    const value = timeline.subject[member];
    if (value !== undefined) attributes.push(text(`otep.subject.${member}`, value));
  }
  for (const member of SUMMARY) {
    const value = timeline[member];
    if (value !== null) attributes.push(text(`otep.${member}`, value));
  }
  attributes.push({ key: 'otep.delivered', value: { boolValue: timeline.delivered } });
  return attributes;
}
