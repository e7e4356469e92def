/**
 * Identifiers by which a parcel is found, in addition to the number of its stream. Different spellings of a number
 * count as the same number, so another user cannot claim it in lower case or with spaces.
 */
import { normalizeNumber, plainNumber } from '../../events/otep/check/subject.js';
import { ssccIn } from '../../events/otep/gs1.js';
import { gs1ParcelIn } from '../../events/otep/gs1-parcel.js';
import type { Subject } from '../../events/otep/model.js';
import { identifiersOf } from '../../events/trackings/events.js';

export interface Naming {
  readonly identifier: string;
  /** Position in the log since which the identifier refers to the tracking. */
  readonly since: string;
  /** Time of that event: RFC 3339, UTC. */
  readonly since_at: string;
}

/** The identifiers of `subject`, both as given and normalized. */
export function namings(subject: Subject, { since, since_at }: Omit<Naming, 'identifier'>): Naming[] {
  const { external_tracking_number: external, piece_id: piece } = subject;
  const identifiers = [
    ...identifiersOf(subject),
    ...(external === undefined ? [] : [externalOf(external), ...gs1Of(external)]),
    ...(piece === undefined ? [] : [`piece:${piece}`]),
  ];
  return [...new Set(identifiers)].map((identifier) => ({ identifier, since, since_at }));
}

/** Identifiers by which the public may look up a parcel. */
export function openIdentifiers(number: string): string[] {
  const sscc = ssccIn(number);
  // Earlier versions stored the whole barcode of a USPS label as the number.
  const numbers = [normalizeNumber(number), plainNumber(number)].filter((one) => one !== undefined);
  return [
    ...new Set([
      ...numbers,
      ...(sscc === undefined ? [] : [`sscc:${sscc}`]),
      ...gs1Of(number),
      `piece:${number}`,
      externalOf(number),
      ...numbers.map((one) => `external:${one}`),
    ]),
  ];
}

/** The identifier of the parcel that a GS1 identifier names, in any notation. */
function gs1Of(text: string): string[] {
  const parcel = gs1ParcelIn(text);
  return parcel ? identifiersOf(parcel) : [];
}

const externalOf = (number: string): string => `external:${normalizeNumber(number) ?? number}`;
