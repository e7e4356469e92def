/**
 * What a parcel is looked up by, in addition to the number of its stream. Numbers are one number however they are
 * written, so that nobody can use another's in small letters or with blanks.
 */
import { normalizeNumber } from '../../events/otep/check/subject.js';
import { ssccIn } from '../../events/otep/gs1.js';
import type { Subject } from '../../events/otep/model.js';
import { identifiersOf } from '../../events/trackings/events.js';

export interface Naming {
  readonly identifier: string;
  /** RFC 3339, UTC. */
  readonly since: string;
}

/** The identifiers of `subject`, as they were given and in their normal form. */
export function namings(subject: Subject, since: string): Naming[] {
  const { external_tracking_number: external } = subject;
  const normal = external === undefined ? [] : [externalOf(external)];
  return [...new Set([...identifiersOf(subject), ...normal])].map((identifier) => ({ identifier, since }));
}

/** What anybody may look a parcel up by. */
export function openIdentifiers(number: string): string[] {
  const normal = normalizeNumber(number);
  const sscc = ssccIn(number);
  return [
    ...(normal === undefined ? [] : [normal]),
    ...(sscc === undefined ? [] : [`sscc:${sscc}`]),
    `piece:${number}`,
    externalOf(number),
  ];
}

const externalOf = (number: string): string => `external:${normalizeNumber(number) ?? number}`;
