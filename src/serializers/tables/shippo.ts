/**
 * Maps OTEP codes to Shippo's tracking status and sub-status. The vendor lists 27 sub-statuses. This table contains the
 * sub-statuses that OTEP codes map to, with the vendor's texts.
 */
import type { StatusTable } from '../support/vendor-status.js';

const substatus = <Status extends string>(status: Status, text: string, action_required: boolean) =>
  ({ status, text, action_required }) as const;

export const SUBSTATUSES = {
  information_received: substatus('PRE_TRANSIT', 'Information about the package received.', false),
  address_issue: substatus('TRANSIT', 'Address information is incorrect. Contact carrier to ensure delivery.', true),
  delayed: substatus('TRANSIT', 'Delivery of package is delayed.', false),
  delivery_attempted: substatus(
    'TRANSIT',
    'Delivery of package has been attempted. Contact carrier to ensure delivery.',
    true,
  ),
  delivery_rescheduled: substatus('TRANSIT', 'Delivery of package has been rescheduled.', false),
  location_inaccessible: substatus(
    'TRANSIT',
    'Delivery location inaccessible to carrier. Contact carrier to ensure delivery.',
    true,
  ),
  out_for_delivery: substatus('TRANSIT', 'Package is out for delivery.', false),
  package_accepted: substatus('TRANSIT', 'Package has been accepted into the carrier network for delivery.', false),
  package_arrived: substatus(
    'TRANSIT',
    'Package has arrived at an intermediate location in the carrier network.',
    false,
  ),
  package_damaged: substatus('TRANSIT', 'Package has been damaged. Contact carrier for more details.', true),
  package_departed: substatus(
    'TRANSIT',
    'Package has departed from an intermediate location in the carrier network.',
    false,
  ),
  package_held: substatus('TRANSIT', 'Package held at carrier location. Contact carrier for more details.', true),
  package_processing: substatus(
    'TRANSIT',
    'Package is processing at an intermediate location in the carrier network.',
    false,
  ),
  delivered: substatus('DELIVERED', 'Package has been delivered.', false),
  return_to_sender: substatus('RETURNED', 'Package is to be returned to sender.', false),
  package_undeliverable: substatus('FAILURE', 'Package is not able to be delivered.', true),
  package_lost: substatus('FAILURE', 'Package has been lost. Contact carrier for more details.', true),
  other: substatus('UNKNOWN', 'Unrecognized carrier status.', false),
} as const;
export type Substatus = keyof typeof SUBSTATUSES;

const MISHAPS = {
  address_incorrect: 'address_issue',
  address_incomplete: 'address_issue',
  damaged: 'package_damaged',
  lost: 'package_lost',
  customs: 'package_held',
  payment_due: 'package_held',
  security: 'package_held',
} as const;

const DELAYS = {
  ...MISHAPS,
  weather: 'delayed',
  vehicle_breakdown: 'delayed',
  traffic: 'delayed',
  capacity: 'delayed',
} as const;

export const SHIPPO: StatusTable<Substatus> = {
  codes: {
    information_submitted: ['information_received'],
    booking_confirmed: ['information_received'],
    awaiting_pickup: ['information_received'],
    out_for_pickup: ['information_received'],
    picked_up: ['package_accepted'],
    pickup_failed: ['information_received'],
    pickup_rescheduled: ['information_received'],
    received: ['package_arrived', MISHAPS],
    arrival_scan: ['package_arrived', MISHAPS],
    in_transit: ['package_processing', DELAYS],
    package_outbound: ['package_departed', MISHAPS],
    removed_from_route: ['delayed', MISHAPS],
    route_cancelled: ['delayed', MISHAPS],
    out_for_delivery: ['out_for_delivery'],
    delivered: ['delivered'],
    delivery_failed: [
      'delivery_attempted',
      { ...MISHAPS, access_denied: 'location_inaccessible', business_closed: 'location_inaccessible' },
    ],
    delivery_rescheduled: ['delivery_rescheduled', MISHAPS],
    return_to_sender: ['return_to_sender'],
    rejected_by_recipient: ['package_undeliverable'],
    cancelled: ['package_undeliverable'],
  },
  phases: {
    pre_shipment: 'information_received',
    pickup: 'information_received',
    inbound: 'package_arrived',
    transit: 'package_processing',
    out_for_delivery: 'out_for_delivery',
    delivered: 'out_for_delivery',
    exception: 'delayed',
    return: 'return_to_sender',
  },
  information: 'other',
};
