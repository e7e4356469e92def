/** EPCIS documents as other systems write them, and the carrier that pushes them. */
import type { Answer, CallOptions } from '../clients/http.js';
import { startTestService } from '../worlds/service.js';
import { storedEvents } from '../checks/stored-events.js';

export const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';

export type EpcisEvent = Readonly<Record<string, unknown>>;

export const documentOf = (...eventList: readonly unknown[]) => ({
  '@context': [CONTEXT, { ex: 'https://ex.example/ns/' }],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-01T12:00:00Z',
  epcisBody: { eventList },
});

let counter = 0;

/** One parcel in its spellings: the digits of its SSCC, the URN, and a Digital Link. */
export interface Parcel {
  readonly sscc: string;
  readonly urn: string;
  readonly link: string;
}

/** Returns an unused parcel: extension digit 3, company prefix 4012345, a serial of this process. */
export function newParcel(): Parcel {
  const serial = `${process.pid % 100_000}`.padStart(5, '0') + `${(counter += 1)}`.padStart(4, '0');
  const digits = `34012345${serial}`;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  const sscc = digits + String((10 - (sum % 10)) % 10);
  return { sscc, urn: `urn:epc:id:sscc:4012345.3${serial}`, link: `https://tracking.example/parcels/00/${sscc}?x=1` };
}

/** `hour`: hour of 2026-03-01, UTC. */
export const scan = (
  parcels: readonly string[],
  bizStep: string | undefined,
  hour: number,
  more: EpcisEvent = {},
): EpcisEvent => ({
  type: 'ObjectEvent',
  eventTime: `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`,
  eventTimeZoneOffset: '+00:00',
  action: 'OBSERVE',
  epcList: parcels,
  ...(bizStep !== undefined && { bizStep }),
  ...more,
});

interface Outcome {
  readonly outcome: string;
  readonly errors?: readonly { readonly code: string; readonly path: string; readonly field: string }[];
}

/** Returns the outcome of each event, or for a rejected event the code of its first error. */
export const outcomesOf = ({ json }: Answer): string[] =>
  json.events.map((one: Outcome) => (one.outcome === 'rejected' ? one.errors?.[0]?.code : one.outcome));

/** Later than the times of all events. */
const NOW = Date.UTC(2026, 10, 1, 12);
/** The document is captured completely or not at all. */
export const ROLLBACK = { headers: { 'GS1-Capture-Error-Behaviour': 'rollback' } } as const;

export type EpcisFixture = Awaited<ReturnType<typeof openEpcisFixture>>;

/** Starts a separate service with that clock. Pushes use the demo provider's key by default. */
export async function openEpcisFixture() {
  const t = await startTestService({ now: () => NOW });
  const { key } = t.demo.provider;
  return {
    t,
    stop: () => t.stop(),
    push: (document: unknown, options: CallOptions = {}) =>
      t.api('/otep/ingest/epcis', { key, body: document, ...options }),
    statuses: async (number: string, after?: Answer): Promise<string[]> =>
      (await t.read(number, after, { key })).json.events.map((one: { status_code: string }) => one.status_code),
    logSize: async () => (await storedEvents(t.service.engines.log)).length,
  };
}
