/**
 * Maps OTEP codes to the ten statuses that Shopify documents for a REST fulfillment event. Shopify has no status for a
 * return: it is written as `failure`, and the message gives the reason.
 */
import type { StatusTable } from '../support/vendor-status.js';

export type ShopifyStatus =
  | 'label_printed'
  | 'label_purchased'
  | 'attempted_delivery'
  | 'ready_for_pickup'
  | 'picked_up'
  | 'confirmed'
  | 'in_transit'
  | 'out_for_delivery'
  | 'delivered'
  | 'failure';

const GONE = { lost: 'failure', damaged: 'failure' } as const;

export const SHOPIFY: StatusTable<ShopifyStatus> = {
  codes: {
    information_submitted: ['label_purchased'],
    booking_confirmed: ['confirmed'],
    awaiting_pickup: ['confirmed'],
    out_for_pickup: ['confirmed'],
    // Shopify's `picked_up` means that the buyer collected the parcel. `carrier_picked_up` exists only in GraphQL.
    picked_up: ['in_transit'],
    pickup_failed: ['confirmed'],
    pickup_rescheduled: ['confirmed'],
    received: ['in_transit', GONE],
    arrival_scan: ['in_transit', GONE],
    in_transit: ['in_transit', GONE],
    package_outbound: ['in_transit', GONE],
    removed_from_route: ['in_transit', GONE],
    route_cancelled: ['in_transit', GONE],
    out_for_delivery: ['out_for_delivery'],
    delivered: ['delivered'],
    delivery_failed: ['attempted_delivery', GONE],
    delivery_rescheduled: ['in_transit', GONE],
    return_to_sender: ['failure'],
    rejected_by_recipient: ['failure'],
    cancelled: ['failure'],
  },
  phases: {
    pre_shipment: 'confirmed',
    pickup: 'confirmed',
    inbound: 'in_transit',
    transit: 'in_transit',
    out_for_delivery: 'out_for_delivery',
    delivered: 'out_for_delivery',
    exception: 'in_transit',
    return: 'failure',
  },
  information: 'confirmed',
};
