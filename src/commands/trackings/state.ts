/** The state of a tracking: the part of its past on which decisions about later events are based. */
import { statusCode } from '../../events/otep/codes.js';
import type { Subject } from '../../events/otep/model.js';
import type { Instant } from '../../events/otep/time.js';
import {
  TrackingDeliveryPlanned,
  TrackingEventKept,
  TrackingEventMapped,
  TrackingEventRecorded,
  TrackingEventRetracted,
  TrackingIdentified,
  TrackingOpened,
  TrackingWriterGranted,
  TrackingWriterRevoked,
  type Owner,
  type RecordedScan,
  type Retraction,
} from '../../events/trackings/events.js';
import type { PastEvent } from '../core/decider.js';
import { seen, type SeenScan } from './scan-rules.js';

export interface Known {
  readonly provider: string;
  readonly fingerprint: string | undefined;
  /** CBV event hash, and the hash by earlier rules. */
  readonly hash?: string | undefined;
  readonly formerHash?: string | undefined;
  /** Absent for a retraction. */
  readonly scan?: SeenScan;
}

/** The members of a recorded scan that the state keeps. */
export const knownScan = (scan: RecordedScan): Known => ({
  provider: scan.provider,
  fingerprint: scan.fingerprint,
  hash: scan.cbv_hash,
  formerHash: scan.event_hash,
  scan: seen(scan),
});

export interface TrackingState {
  owner: Owner | undefined;
  subject: Subject;
  readonly writers: Set<string>;
  /** Revision of the order's event that the current delivery plan comes from; -1 if there is none. */
  plannedBy: number;
  /** Number of grants and revocations so far. Makes the event id of each one unique. */
  turns: number;
  /**
   * Scans (retracted or not) and retractions of the tracking, by event id. A producer may use the same id for one of
   * each.
   */
  readonly scans: Map<string, Known>;
  readonly retractions: Map<string, Known>;
  /** Terminal scans that are not retracted, by event id. */
  readonly ends: Map<string, Instant>;
  /** Providers that retracted a scan, keyed by the event id of the scan. */
  readonly retracted: Map<string, Set<string>>;
}

export const initial = (): TrackingState => ({
  owner: undefined,
  subject: {},
  writers: new Set(),
  plannedBy: -1,
  turns: 0,
  scans: new Map(),
  retractions: new Map(),
  ends: new Map(),
  retracted: new Map(),
});

export function evolve(state: TrackingState, { type, data }: PastEvent): TrackingState {
  switch (type) {
    case TrackingOpened.type: {
      const opened = data as unknown as { owner: Owner; subject: Subject };
      state.owner = opened.owner;
      state.subject = opened.subject;
      break;
    }
    case TrackingIdentified.type:
      state.subject = { ...state.subject, ...(data as unknown as { subject: Subject }).subject };
      break;
    case TrackingWriterGranted.type:
      state.writers.add(data['provider'] as string);
      state.turns++;
      break;
    case TrackingWriterRevoked.type:
      state.writers.delete(data['provider'] as string);
      state.turns++;
      break;
    case TrackingDeliveryPlanned.type:
      state.plannedBy = data['order_revision'] as number;
      break;
    case TrackingEventKept.type:
    case TrackingEventMapped.type:
    case TrackingEventRecorded.type: {
      const scan = data as unknown as RecordedScan;
      const { event_id, provider, status_code, instant } = scan;
      state.scans.set(event_id, knownScan(scan));
      if (statusCode(status_code)?.terminal && !state.retracted.get(event_id)?.has(provider))
        state.ends.set(event_id, instant);
      break;
    }
    case TrackingEventRetracted.type: {
      const { event_id, retracts, provider, fingerprint } = data as unknown as Retraction;
      state.retractions.set(event_id, { provider, fingerprint });
      state.retracted.set(retracts, (state.retracted.get(retracts) ?? new Set()).add(provider));
      if (state.scans.get(retracts)?.provider === provider) state.ends.delete(retracts);
      break;
    }
  }
  return state;
}
