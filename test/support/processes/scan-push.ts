/** Pushes many scans of a carrier, in requests with many parcels, over several connections. */
import { expect } from 'chai';
import { call } from '../clients/http.js';
import { recently, timelineOf } from '../inputs/pushes.js';

const PER_PUSH = 100;
const CONNECTIONS = 4;
/** Statuses of successive scans of a parcel. */
const JOURNEY = ['picked_up', 'out_for_delivery'] as const;

export interface ScanPushOptions {
  readonly url: string;
  /** Key of the provider. */
  readonly key: string;
  /** Tracking numbers, each scanned once before one is scanned again. */
  readonly numbers: readonly string[];
  /** Number of scans: at most two for each number. */
  readonly scans: number;
}

/** `acknowledged` returns the number of scans so far. `done` resolves when all scans were accepted. */
export function startScanPush({ url, key, numbers, scans }: ScanPushOptions) {
  let next = 0;
  let acknowledged = 0;
  const push = async (from: number): Promise<void> => {
    const timelines = Array.from({ length: Math.min(PER_PUSH, scans - from) }, (_, index) => {
      const round = Math.floor((from + index) / numbers.length);
      return timelineOf(numbers[(from + index) % numbers.length]!, [recently(JOURNEY[round]!, round)]);
    });
    const { status, json, text } = await call(`${url}/api/v1/otep/ingest`, { key, body: { timelines } });
    expect(status, text).to.equal(200);
    expect(json.accepted, text).to.equal(timelines.length);
    acknowledged += timelines.length;
  };
  const connection = async (): Promise<void> => {
    for (let from = next; from < scans; from = next) {
      next += PER_PUSH;
      await push(from);
    }
  };
  const done = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  // A failure is reported where `done` is awaited.
  done.catch(() => undefined);
  return { acknowledged: () => acknowledged, done };
}
