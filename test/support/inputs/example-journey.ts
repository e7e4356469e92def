/** Hand-written journeys: one parcel from label to signature, and short journeys for single situations. */
import type { ParcelOrder } from '../../../src/serializers/format.js';
import { derivedId, journeyOf } from '../../../src/events/otep/identity.js';
import { OTEP_VERSION, type Journey, type TimelineEvent } from '../../../src/events/otep/model.js';
import { instantOf } from '../../../src/events/otep/time.js';
import { deriveTimeline } from '../../../src/events/otep/timeline.js';

export type Given = Pick<TimelineEvent, 'status_code'> &
  Partial<Pick<TimelineEvent, 'occurred_at' | 'phase' | 'location' | 'incident_reason' | 'description' | 'proof'>>;

/**
 * Returns a journey of `given` events. Events without a time happen on consecutive days of March 2026, 08:00 in Berlin.
 */
export function journeyWith(
  given: readonly Given[],
  { carrier = 'demo-carrier', order_id }: { carrier?: string; order_id?: string } = {},
): Journey {
  const scans = given.map((event, index) => {
    const occurred_at = event.occurred_at ?? `2026-03-${String(index + 1).padStart(2, '0')}T08:00:00+01:00`;
    return {
      instant: instantOf(occurred_at)!,
      event: {
        otep_version: OTEP_VERSION,
        event_id: derivedId('example', index),
        ...event,
        occurred_at,
        recorded_at: '2026-03-20T00:00:00.000Z',
      },
    };
  });
  const timeline = deriveTimeline(
    { tracking_number: 'OT123456789', ...(order_id !== undefined && { order_id }) },
    scans,
    instantOf('2026-06-01T00:00:00Z')!,
  );
  return { ...journeyOf(timeline), uuidOf: (event) => event.event_id, revision: scans.length, carrier };
}

/** An order whose only parcel is that of the journey. */
export const orderOf = ({ timeline }: Journey, more: Partial<ParcelOrder> = {}): ParcelOrder => ({
  id: 25,
  order_ref: '1000234',
  created_at: '2026-02-28T10:00:00.000Z',
  updated_at: '2026-03-01T07:30:00.000Z',
  third_party: null,
  delivery: null,
  delivery_instruction: null,
  packages: [{ tracking_number: timeline.subject.tracking_number ?? '' }],
  parcels: [timeline.events],
  ...more,
});

export const example = (): Journey =>
  journeyWith([
    { status_code: 'information_submitted' },
    {
      status_code: 'picked_up',
      location: {
        name: 'Depot Hamburg',
        city: 'Hamburg',
        region: 'HH',
        postal_code: '20095',
        country: 'DE',
        latitude: 53.55,
        longitude: 10,
      },
    },
    { status_code: 'out_for_delivery', location: { city: 'Berlin', country: 'DE' } },
    { status_code: 'delivery_failed', incident_reason: { code: 'recipient_absent' }, description: 'Nobody at home' },
    { status_code: 'delivered', proof: { kind: 'signature', url: 'https://carrier.example/proof/1' } },
  ]);
