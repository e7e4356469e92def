/** What a tracking knows of its past: enough to judge what comes. */
import { statusCode } from '../../events/otep/codes.js';
import type { Subject } from '../../events/otep/model.js';
import type { Instant } from '../../events/otep/time.js';
import {
  TrackingDeliveryPlanned,
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
  /** CBV event hash, and the one by earlier rules. */
  readonly hash?: string | undefined;
  readonly formerHash?: string | undefined;
  /** Absent for a retraction. */
  readonly scan?: SeenScan;
}

/** A scan as it is known from then on. */
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
  /** Revision of the order's event that the delivery's plan follows from; -1 before the first. */
  plannedBy: number;
  /** Grants and revocations so far: each is a fact of its own. */
  turns: number;
  /**
   * By event id, what the tracking has seen: scans, retracted or not, and retractions. One producer's id may mean
   * both.
   */
  readonly scans: Map<string, Known>;
  readonly retractions: Map<string, Known>;
  /** Terminal scans that count, by event id. */
  readonly ends: Map<string, Instant>;
  /** Retractions by the scan's event id: the providers that took it back. */
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
