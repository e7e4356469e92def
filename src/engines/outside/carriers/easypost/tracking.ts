/** Tracking events: by polling and by webhooks. Both derive the same ids, so that an event is stored once. */
import { createHash } from 'node:crypto';
import type { Outcome } from '../../adapter.js';
import type { CarrierTrackingEvent } from '../port.js';
import type { EasypostCall } from './account.js';
import type { EasypostClient } from './client.js';
import { trackersSchema, type Tracker } from './objects.js';
import { ACCESS_REFUSALS } from './refusals.js';
import { rawStatusOf } from './statuses.js';

/** Numbers of one request. */
const PAGE = 50;
/** A tracker has up to some hundred events. */
const MAX_BYTES = 8_388_608;

interface Tracked {
  readonly tracking_number: string;
  readonly remote_id: string;
}

/** The events of the parcels. A number without a tracker has none. */
export async function readTracking(
  client: EasypostClient,
  call: EasypostCall,
  numbers: readonly Tracked[],
): Promise<Outcome<readonly CarrierTrackingEvent[]>> {
  const events: CarrierTrackingEvent[] = [];
  let open = numbers;
  while (open.length > 0) {
    const asked = open.slice(0, PAGE);
    const read = await client.send({
      call,
      method: 'POST',
      path: 'trackers/batch',
      body: { tracking_codes: asked.map(({ tracking_number: number }) => number) },
      schema: trackersSchema,
      refusals: ACCESS_REFUSALS,
      maxBytes: MAX_BYTES,
    });
    if (read.is !== 'done') return read;
    const { trackers } = read.result;
    const found = new Set(trackers.map(({ tracking_code: code }) => code));
    const seen = asked.filter(({ tracking_number: number }) => found.has(number));
    for (const one of seen) events.push(...trackers.filter((tracker) => isOf(tracker, one)).flatMap(eventsOf));
    // EasyPost may return fewer trackers than requested. Numbers are given up only if it returns none of them.
    const done = new Set(seen.length > 0 ? seen : asked);
    open = open.filter((one) => !done.has(one));
  }
  return { is: 'done', result: events };
}

/** Carriers use numbers again: the tracker of another shipment is another parcel. */
const isOf = ({ tracking_code, shipment_id }: Tracker, { tracking_number, remote_id }: Tracked): boolean =>
  tracking_code === tracking_number && (!shipment_id || shipment_id === remote_id);

export const eventsOf = (tracker: Tracker): readonly CarrierTrackingEvent[] =>
  tracker.tracking_details.map((detail) => {
    const occurredAt = new Date(detail.datetime).toISOString();
    const rawStatus = rawStatusOf(detail);
    const { message, tracking_location: location } = detail;
    const { city, state, country } = location ?? {};
    const content = [
      tracker.tracking_code,
      occurredAt,
      detail.status,
      detail.status_detail,
      message,
      city,
      state,
      country,
    ];
    return {
      tracking_number: tracker.tracking_code,
      event_id: createHash('sha256')
        .update(JSON.stringify(content.map((part) => part ?? null)))
        .digest('hex')
        .slice(0, 32),
      occurred_at: occurredAt,
      raw_status: rawStatus,
      ...(message && { description: message }),
      ...((city || state || country) && {
        place: { ...(city && { city }), ...(state && { region: state }), ...(country && { country }) },
      }),
    };
  });
