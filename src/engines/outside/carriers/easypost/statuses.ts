/**
 * Statuses of EasyPost's trackers. The raw status of an event is the status, or for parcels in transit and failures
 * `status/detail` if the detail distinguishes the event. EasyPost documents both lists.
 */
import { CARRIER_NOTICE, type Code } from '../../../../events/otep/codes.js';
import type { TrackingDetail } from './objects.js';

/** Statuses whose details distinguish events. The details of other statuses repeat the status or the place. */
const DETAILED = new Set(['in_transit', 'failure']);
/** Details that add nothing to the status. */
const VAGUE = new Set(['', 'unknown', 'status_update']);

export function rawStatusOf({
  status,
  status_detail: detail,
}: Pick<TrackingDetail, 'status' | 'status_detail'>): string {
  const isDetailed = DETAILED.has(status) && !VAGUE.has(detail ?? '') && detail !== status;
  return isDetailed ? `${status}/${detail}` : status;
}

/** The parcel waits for the recipient: no registered code means this, and the status of the timeline stays. */
const WAITING = 'x-ready_for_pickup';

/** Details of parcels in transit. */
const IN_TRANSIT: Readonly<Record<string, Code | typeof WAITING>> = {
  address_correction: 'delivery_rescheduled',
  arrived_at_destination: 'arrival_scan',
  arrived_at_facility: 'arrival_scan',
  arrived_at_pickup_location: WAITING,
  awaiting_information: 'delivery_rescheduled',
  cancelled: 'cancelled',
  damaged: 'delivery_failed',
  delayed: 'delivery_rescheduled',
  delivery_exception: 'delivery_failed',
  departed_facility: 'package_outbound',
  departed_origin_facility: 'package_outbound',
  expired: 'delivery_rescheduled',
  failure: 'delivery_failed',
  held: 'delivery_rescheduled',
  label_created: 'information_submitted',
  lost: 'delivery_failed',
  missorted: 'delivery_rescheduled',
  out_for_delivery: 'out_for_delivery',
  received_at_destination_facility: 'arrival_scan',
  received_at_origin_facility: 'received',
  refused: 'rejected_by_recipient',
  return: 'return_to_sender',
  transferred_to_destination_carrier: 'in_transit',
  transit_exception: 'delivery_rescheduled',
  weather_delay: 'delivery_rescheduled',
};

const rows = (status: string, codes: Readonly<Record<string, string>>) =>
  Object.entries(codes).map(([detail, code]) => ({ raw: `${status}/${detail}`, code }));

export const STATUS_MAPPING: readonly { readonly raw: string; readonly code: string }[] = [
  { raw: 'unknown', code: CARRIER_NOTICE },
  { raw: 'pre_transit', code: 'information_submitted' satisfies Code },
  { raw: 'in_transit', code: 'in_transit' satisfies Code },
  { raw: 'out_for_delivery', code: 'out_for_delivery' satisfies Code },
  { raw: 'delivered', code: 'delivered' satisfies Code },
  { raw: 'available_for_pickup', code: WAITING },
  { raw: 'return_to_sender', code: 'return_to_sender' satisfies Code },
  { raw: 'failure', code: 'delivery_failed' satisfies Code },
  { raw: 'cancelled', code: 'cancelled' satisfies Code },
  { raw: 'error', code: CARRIER_NOTICE },
  ...rows('in_transit', IN_TRANSIT),
  // A delivery that failed, whatever the detail says about the place or the reason.
  ...rows('failure', {
    ...Object.fromEntries(
      Object.keys(IN_TRANSIT)
        .filter((detail) => detail !== 'failure')
        .map((detail) => [detail, 'delivery_failed']),
    ),
    in_transit: 'delivery_failed',
    refused: 'rejected_by_recipient',
    return: 'return_to_sender',
    cancelled: 'cancelled',
  }),
];
