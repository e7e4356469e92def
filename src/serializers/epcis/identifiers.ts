/** Converts between EPCs and parcels. Sources: GS1 General Specifications (keys), CBV 2.0 section 8 (private URNs). */
import { isSscc } from '../../events/otep/gs1.js';
import type { Subject } from '../../events/otep/model.js';
import { canonicalUri, keyOf } from '../../events/otep/digital-link.js';
import { decodePart, encodePart, isUri } from './uri.js';

/** Private URNs for the identifiers that are not URIs. `obj` marks an object in the CBV. */
const PRIVATE = {
  tracking_number: 'urn:otep:parcel:obj:',
  external_tracking_number: 'urn:otep:external:obj:',
  package_id: 'urn:otep:package:obj:',
  piece_id: 'urn:otep:piece:obj:',
  order_id: 'urn:otep:order:obj:',
  gs1_sscc: 'urn:otep:sscc:obj:',
} as const satisfies Partial<Record<keyof Subject, string>>;

const PRIVATE_MEMBERS = Object.keys(PRIVATE) as (keyof typeof PRIVATE)[];

/**
 * Returns the URI that names the parcel in an `epcList`: its SSCC, or else its piece id if that is a URI, or else a
 * private URN. Returns undefined for a subject without identifiers.
 */
export function epcOf(subject: Subject): string | undefined {
  if (subject.gs1_sscc !== undefined && isSscc(subject.gs1_sscc)) return `https://id.gs1.org/00/${subject.gs1_sscc}`;
  if (subject.piece_id !== undefined && isUri(subject.piece_id)) return subject.piece_id;
  for (const member of PRIVATE_MEMBERS) {
    const number = subject[member];
    if (number !== undefined) return PRIVATE[member] + encodePart(number);
  }
  return undefined;
}

/**
 * Returns the parcel that an EPC names. The URN and the Digital Link of one SSCC, on any domain, name the same parcel.
 * A private URN is decoded to its number. Every other EPC is a piece id in its canonical form.
 */
export function subjectOf(epc: string): Subject {
  for (const member of PRIVATE_MEMBERS) {
    if (epc.startsWith(PRIVATE[member])) return { [member]: decodePart(epc.slice(PRIVATE[member].length)) };
  }
  const key = keyOf(epc);
  if (key?.ai === '00' && isSscc(key.value)) return { gs1_sscc: key.value };
  return { piece_id: canonicalUri(epc) };
}

/** Returns whether an EPC names the parcel, in any spelling. */
export const names = (subject: Subject, epc: string): boolean =>
  Object.entries(subjectOf(epc)).some(([name, number]) => subject[name as keyof Subject] === number);
