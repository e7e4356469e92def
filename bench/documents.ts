/** Pushes in the form of a carrier's pushes: each event has a place, a source, and the carrier's own code and text. */
const JOURNEY = [
  'information_submitted',
  'picked_up',
  'arrival_scan',
  'package_outbound',
  'in_transit',
  'arrival_scan',
  'package_outbound',
  'received',
  'out_for_delivery',
  'delivered',
];
const PLACES = [
  {
    name: 'Hub Hamburg',
    code: 'DEHAM',
    city: 'Hamburg',
    postal_code: '20095',
    country: 'DE',
    latitude: 53.5511,
    longitude: 9.9937,
  },
  {
    name: 'Hub Hannover',
    code: 'DEHAJ',
    city: 'Hannover',
    postal_code: '30159',
    country: 'DE',
    latitude: 52.3759,
    longitude: 9.732,
  },
  {
    name: 'Depot London East',
    code: 'GBLON',
    city: 'London',
    postal_code: 'E16 2QU',
    country: 'GB',
    latitude: 51.5074,
    longitude: 0.0278,
  },
];

let count = 0;

/** Returns a number that is new in this process. */
export const nextNumber = (): string => `BN${process.pid}X${Date.now().toString(36).toUpperCase()}X${count++}`;

export function timelineOf(number: string, events: number): Record<string, unknown> {
  const first = Date.UTC(2026, 9, 1) + (count % 1_000) * 60_000;
  return {
    otep_version: '0.1',
    subject: { tracking_number: number },
    events: Array.from({ length: events }, (_, index) => ({
      occurred_at: new Date(first + index * 3_600_000).toISOString().replace('Z', '+00:00'),
      status_code: JOURNEY[index % JOURNEY.length],
      location: PLACES[index % PLACES.length],
      source: { type: 'carrier', provider: 'demo-carrier' },
      raw: { code: `C${index}`, text: 'Processed at the facility' },
    })),
  };
}

/** Returns the body of one push, and its tracking numbers. */
export function push(trackings = 10, events = 10): { readonly body: Buffer; readonly numbers: readonly string[] } {
  const numbers = Array.from({ length: trackings }, nextNumber);
  return {
    body: Buffer.from(JSON.stringify({ timelines: numbers.map((number) => timelineOf(number, events)) })),
    numbers,
  };
}
