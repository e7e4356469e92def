/** The state of a tracking: the part of its past on which decisions about later events are based. */
import type { Subject } from '../../events/otep/model.js';
import { instantOf, type Instant } from '../../events/otep/time.js';
import {
  TrackingDeliveryPlanned,
  TrackingEventAmended,
  TrackingEventKept,
  TrackingEventMapped,
  TrackingEventRecorded,
  TrackingEventRetracted,
  TrackingRetractionWithdrawn,
  TrackingIdentified,
  TrackingOpened,
  TrackingWriterGranted,
  TrackingWriterRevoked,
  type Owner,
  type RecordedScan,
  type Retraction,
} from '../../events/trackings/events.js';
import { derivedKey, hasDerivedId } from '../../events/trackings/identity.js';
import { summaryOf, type ReportSummary } from '../../events/trackings/merging.js';
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
  /** Incident reason of the scan, if a report names one. */
  readonly reason?: string | undefined;
  readonly rawCode?: string | undefined;
  /** In the order of the log; empty for a retraction. */
  readonly reports: readonly ReportSummary[];
}

/** The members of a recorded scan that the state keeps. */
export const knownScan = (scan: RecordedScan): Known => ({
  provider: scan.provider,
  fingerprint: scan.fingerprint,
  hash: scan.cbv_hash,
  formerHash: scan.event_hash,
  scan: seen(scan),
  reason: scan.incident_reason?.code,
  rawCode: scan.raw?.code,
  reports: [summaryOf(scan)],
});

/** A known scan with another report. */
export const amended = (known: Known, scan: RecordedScan): Known => ({
  ...known,
  reason: known.reason ?? scan.incident_reason?.code,
  rawCode: known.rawCode ?? scan.raw?.code,
  reports: [...known.reports, summaryOf(scan)],
});

export interface TrackingState {
  owner: Owner | undefined;
  subject: Subject;
  readonly writers: Set<string>;
  /** When the access of former writers ended. */
  readonly formerWriters: Map<string, Instant>;
  /** Revision of the order's event that the current delivery plan comes from; -1 if there is none. */
  plannedBy: number;
  /** Number of grants and revocations so far. Makes the id of each event unique. */
  turns: number;
  /**
   * Scans (retracted or not) and retractions of the tracking, by event id. A producer may use the same id for one of
   * each.
   */
  readonly scans: Map<string, Known>;
  readonly retractions: Map<string, Known>;
  /** Ids of the scans without a producer's id, by their identity (`derivedKey`). */
  readonly derived: Map<string, readonly string[]>;
  /** Number of events with additional identifiers so far. Makes the id of each event unique. */
  identifications: number;
  /** Number of withdrawn retractions so far. Makes the id of each event unique. */
  withdrawals: number;
  /** Providers that retracted a scan, keyed by the event id of the scan. */
  readonly retracted: Map<string, Set<string>>;
}

export const initial = (): TrackingState => ({
  owner: undefined,
  subject: {},
  writers: new Set(),
  formerWriters: new Map(),
  plannedBy: -1,
  turns: 0,
  scans: new Map(),
  retractions: new Map(),
  derived: new Map(),
  identifications: 0,
  withdrawals: 0,
  retracted: new Map(),
});

export function evolve(state: TrackingState, { type, data, recordedAt = '' }: PastEvent): TrackingState {
  switch (type) {
    case TrackingOpened.type: {
      const opened = data as unknown as { owner: Owner; subject: Subject };
      state.owner = opened.owner;
      state.subject = opened.subject;
      break;
    }
    case TrackingIdentified.type:
      state.subject = { ...state.subject, ...(data as unknown as { subject: Subject }).subject };
      state.identifications++;
      break;
    case TrackingWriterGranted.type:
      state.writers.add(data['provider'] as string);
      state.formerWriters.delete(data['provider'] as string);
      state.turns++;
      break;
    case TrackingWriterRevoked.type:
      state.writers.delete(data['provider'] as string);
      if (data['refuses_all']) state.formerWriters.delete(data['provider'] as string);
      else state.formerWriters.set(data['provider'] as string, instantOf(recordedAt) ?? '');
      state.turns++;
      break;
    case TrackingDeliveryPlanned.type:
      state.plannedBy = data['order_revision'] as number;
      break;
    case TrackingEventMapped.type: {
      const scan = data as unknown as RecordedScan;
      state.scans.set(scan.event_id, knownScan(scan));
      break;
    }
    case TrackingEventKept.type:
    case TrackingEventRecorded.type: {
      const scan = data as unknown as RecordedScan;
      state.scans.set(scan.event_id, knownScan(scan));
      if (hasDerivedId(scan)) {
        const key = derivedKey(scan);
        state.derived.set(key, [...(state.derived.get(key) ?? []), scan.event_id]);
      }
      break;
    }
    case TrackingEventAmended.type: {
      const scan = data as unknown as RecordedScan;
      state.scans.set(scan.event_id, amended(state.scans.get(scan.event_id)!, scan));
      break;
    }
    case TrackingEventRetracted.type: {
      const { event_id, retracts, provider, fingerprint } = data as unknown as Retraction;
      state.retractions.set(event_id, { provider, fingerprint, reports: [] });
      state.retracted.set(retracts, (state.retracted.get(retracts) ?? new Set()).add(provider));
      break;
    }
    case TrackingRetractionWithdrawn.type:
      state.retracted.get(data['retracts'] as string)?.delete(data['provider'] as string);
      state.withdrawals++;
      break;
  }
  return state;
}
