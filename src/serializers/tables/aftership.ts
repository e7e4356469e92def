/**
 * Maps OTEP codes to AfterShip's delivery sub-statuses, only to codes that the vendor lists. The tag of a subtag is its
 * name before the underscore.
 */
import type { StatusTable } from '../support/vendor-status.js';

/** Sub-statuses that this table uses, with the vendor's message for each. */
export const SUBTAG_MESSAGES = {
  Pending_001: 'Pending',
  InfoReceived_001: 'Info Received',
  InTransit_001: 'In Transit',
  InTransit_002: 'Acceptance scan',
  InTransit_003: 'Arrival scan',
  InTransit_007: 'Departure Scan',
  OutForDelivery_001: 'Out for Delivery',
  Delivered_001: 'Delivered',
  Delivered_003: 'Sign by customer',
  AttemptFail_001: 'Failed Attempt',
  AttemptFail_002: 'Addressee not available',
  AttemptFail_003: 'Business Closed',
  Exception_001: 'Exception',
  Exception_003: 'Customer refused delivery',
  Exception_004: 'Delayed (Customs clearance)',
  Exception_005: 'Delayed (External factors)',
  Exception_006: 'Held for payment',
  Exception_007: 'Incorrect Address',
  Exception_010: 'Returning to sender',
  Exception_011: 'Returned to sender',
  Exception_012: 'Shipment damage',
  Exception_013: 'Shipment lost',
  Exception_016: 'Delayed (Processing issue)',
  Exception_017: 'Delayed (Extreme weather)',
  Exception_020: 'Shipment cancelled',
} as const;
export type Subtag = keyof typeof SUBTAG_MESSAGES;

type TagOf<Name extends Subtag> = Name extends `${infer Tag}_${string}` ? Tag : never;
export type Tag = TagOf<Subtag>;

export const tagOf = (subtag: Subtag): Tag => subtag.slice(0, subtag.indexOf('_')) as Tag;

const MISHAPS = {
  address_incorrect: 'Exception_007',
  address_incomplete: 'Exception_007',
  damaged: 'Exception_012',
  lost: 'Exception_013',
  customs: 'Exception_004',
  payment_due: 'Exception_006',
} as const;

const DELAYS = {
  ...MISHAPS,
  recipient_refused: 'Exception_003',
  weather: 'Exception_017',
  vehicle_breakdown: 'Exception_016',
  capacity: 'Exception_016',
  traffic: 'Exception_005',
  security: 'Exception_005',
} as const;

export const AFTERSHIP: StatusTable<Subtag> = {
  codes: {
    information_submitted: ['InfoReceived_001'],
    booking_confirmed: ['InfoReceived_001'],
    awaiting_pickup: ['InfoReceived_001'],
    out_for_pickup: ['InfoReceived_001'],
    picked_up: ['InTransit_002'],
    pickup_failed: ['Exception_001', DELAYS],
    pickup_rescheduled: ['Exception_005', DELAYS],
    received: ['InTransit_003', MISHAPS],
    arrival_scan: ['InTransit_003', MISHAPS],
    in_transit: ['InTransit_001', DELAYS],
    package_outbound: ['InTransit_007', MISHAPS],
    removed_from_route: ['Exception_016', DELAYS],
    route_cancelled: ['Exception_016', DELAYS],
    out_for_delivery: ['OutForDelivery_001'],
    delivered: ['Delivered_001'],
    delivery_failed: [
      'AttemptFail_001',
      {
        ...MISHAPS,
        recipient_absent: 'AttemptFail_002',
        business_closed: 'AttemptFail_003',
        recipient_refused: 'Exception_003',
      },
    ],
    delivery_rescheduled: ['Exception_005', DELAYS],
    return_to_sender: ['Exception_011'],
    rejected_by_recipient: ['Exception_003'],
    cancelled: ['Exception_020'],
  },
  phases: {
    pre_shipment: 'InfoReceived_001',
    pickup: 'InfoReceived_001',
    inbound: 'InTransit_003',
    transit: 'InTransit_001',
    out_for_delivery: 'OutForDelivery_001',
    delivered: 'OutForDelivery_001',
    exception: 'Exception_001',
    return: 'Exception_010',
  },
  information: 'Pending_001',
};
