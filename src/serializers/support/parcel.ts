/** The number of a parcel, and the absolute address of its timeline for formats with links. */
import { IDENTIFIERS, type Journey, type Subject } from '../../events/otep/model.js';
import type { SerializeContext } from '../format.js';

/**
 * Returns the identifier that names the parcel best. Public and full view agree, because the first identifiers in the
 * list are public.
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
