/** One English line per event, for platforms that show a message. */
import { statusCode, type Code } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import { labelOf } from './label.js';

const MESSAGES = {
  information_submitted: 'Shipping information submitted',
  booking_confirmed: 'Booking confirmed',
  awaiting_pickup: 'Awaiting pickup',
  out_for_pickup: 'Out for pickup',
  picked_up: 'Picked up',
  pickup_failed: 'Pickup failed',
  pickup_rescheduled: 'Pickup rescheduled',
  received: 'Received at facility',
  arrival_scan: 'Arrived at facility',
  in_transit: 'In transit',
  package_outbound: 'Departed from facility',
  removed_from_route: 'Removed from route',
  route_cancelled: 'Route cancelled',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
  delivery_failed: 'Delivery attempt failed',
  delivery_rescheduled: 'Delivery rescheduled',
  return_to_sender: 'Returned to sender',
  rejected_by_recipient: 'Rejected by recipient',
  cancelled: 'Shipment cancelled',
} as const satisfies Record<Code, string>;

/** The event's own description, else the fixed text of its code; `x-customs_hold` reads `Customs hold`. */
export function messageOf({ description, status_code }: TimelineEvent): string {
  if (description) return description;
  return statusCode(status_code) ? MESSAGES[status_code as Code] : labelOf(status_code);
}
