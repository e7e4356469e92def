/**
 * What a parcel is called, and where its timeline is read: the absolute address that formats with links put into their
 * documents.
 */
import { IDENTIFIERS, type Journey, type Subject } from '../../events/otep/model.js';
import type { SerializeContext } from '../format.js';

/**
 * The identifier that names the parcel best. Of those that anyone may read by the first one, so that public and full
 * view agree.
 */
export function parcelNumber(subject: Subject): string {
  for (const name of IDENTIFIERS) {
    const number = subject[name];
    if (number !== undefined) return number;
  }
  return '';
}

/** `{baseUrl}/api/v1/otep/trackings/{number}`, without a query. */
export const trackingAddress = ({ timeline }: Journey, { baseUrl }: SerializeContext): string =>
  `${baseUrl}/api/v1/otep/trackings/${encodeURIComponent(parcelNumber(timeline.subject))}`;
