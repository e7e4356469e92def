/** Where a timeline is read: the absolute address that formats with links put into their documents. */
import type { Journey, Subject } from '../../events/otep/model.js';
import type { SerializeContext } from '../format.js';

/** The identifier that a timeline is read by: the tracking number, else the next of those that resolve to the same tracking. */
export const readingNumber = (subject: Subject): string =>
  subject.tracking_number ?? subject.external_tracking_number ?? subject.gs1_sscc ?? subject.package_id ?? subject.order_id ?? subject.piece_id ?? '';

/** `{baseUrl}/api/v1/otep/trackings/{number}`, without a query. */
export const trackingAddress = ({ timeline }: Journey, { baseUrl }: SerializeContext): string =>
  `${baseUrl}/api/v1/otep/trackings/${encodeURIComponent(readingNumber(timeline.subject))}`;
