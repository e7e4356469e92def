/**
 * FedEx scan codes ("Tracking-Status-Codes", movement group) as OTEP codes. Codes that say nothing of the parcel's movement (label
 * links, delivery option requests) are information: `x-` codes, which move no status. CA and EA mean other things in other
 * groups of that table; a scan event carries the movement group.
 */
import type { StatusMapping } from '../events/providers/events.js';

const rows: readonly (readonly [raw: string, status_code: string, note: string])[] = [
  ['OC', 'information_submitted', 'Order created'],
  ['PU', 'picked_up', 'Picked up'], ['PX', 'picked_up', 'Picked up (see details)'], ['AP', 'out_for_pickup', 'At pickup'], ['EP', 'out_for_pickup', 'Enroute to pickup'], ['PD', 'pickup_failed', 'Pickup delay'],
  ['DR', 'pickup_failed', 'Vehicle furnished but not used'],
  ['AR', 'arrival_scan', 'Arrived at FedEx location'], ['AF', 'arrival_scan', 'At local FedEx facility'], ['OF', 'arrival_scan', 'At FedEx origin facility'], ['FD', 'arrival_scan', 'At FedEx destination'],
  ['SF', 'arrival_scan', 'At sort facility'], ['AA', 'arrival_scan', 'At airport'], ['AC', 'arrival_scan', 'At Canada Post facility'], ['AX', 'arrival_scan', 'At USPS facility'], ['PL', 'arrival_scan', 'Plane landed'],
  ['DP', 'package_outbound', 'Departed'], ['LO', 'package_outbound', 'Left origin'], ['TR', 'package_outbound', 'Transfer'],
  ['IT', 'in_transit', 'In transit'], ['IX', 'in_transit', 'In transit (see details)'], ['PF', 'in_transit', 'Plane in flight'], ['EA', 'in_transit', 'Enroute to airport'], ['EO', 'in_transit', 'Enroute to origin airport'],
  ['PM', 'in_transit', 'In progress'], ['Ow', 'in_transit', 'On the way'], ['AO', 'in_transit', 'Shipment arriving on time'],
  ['OD', 'out_for_delivery', 'Out for delivery'], ['ED', 'out_for_delivery', 'Enroute to delivery'], ['AD', 'out_for_delivery', 'At delivery'], ['DS', 'out_for_delivery', 'Vehicle dispatched'],
  ['DL', 'delivered', 'Delivered'],
  ['DE', 'delivery_failed', 'Delivery exception'], ['DD', 'delivery_rescheduled', 'Delivery delay'], ['DY', 'delivery_rescheduled', 'Delay'], ['HL', 'x-held_at_location', 'Hold at location'], ['HP', 'x-ready_for_pickup', 'Ready for recipient pickup'],
  ['SE', 'x-shipment_exception', 'Shipment exception'], ['CH', 'x-location_changed', 'Location changed'], ['SP', 'x-split', 'Split status'], ['OX', 'x-sent_to_usps', 'Shipment information sent to USPS'],
  ['RR', 'x-delivery_option_requested', 'CDO requested'], ['RM', 'x-delivery_option_modified', 'CDO modified'], ['RC', 'x-delivery_option_cancelled', 'CDO cancelled'],
  ['RP', 'x-return_label_sent', 'Return label link emailed'], ['LP', 'x-return_label_cancelled', 'Return label link cancelled'], ['RG', 'x-return_label_expiring', 'Return label link expiring'], ['RD', 'x-return_label_expired', 'Return label link expired'],
  ['RS', 'return_to_sender', 'Return to shipper'], ['CA', 'cancelled', 'Shipment cancelled'],
];

export const FEDEX_STATUSES: StatusMapping = rows.map(([raw, status_code, note]) => ({ raw, status_code, note }));
