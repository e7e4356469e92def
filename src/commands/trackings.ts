/** What may happen to a tracking: open, record, retract, grant. Duplicates are judged here, by the state, per tracking. */
import type { Fact } from '../events/codec.js';
import { derivedId } from '../events/otep/identity.js';
import type { Subject } from '../events/otep/model.js';
import { statusCode } from '../events/otep/codes.js';
import type { Instant } from '../events/otep/time.js';
import {
  TrackingEventRecorded, TrackingEventRetracted, TrackingIdentified, TrackingOpened, TrackingWriterGranted, TrackingWriterRevoked,
  type Owner, type RecordedScan, type Retraction,
} from '../events/trackings.js';
import type { Decider, PastEvent } from './decider.js';
import { DomainError } from './domain-error.js';
import { open } from './opening.js';
import { push } from './push.js';
import { retractionKey, scanKey, seen, type SeenScan } from './scan-rules.js';

/** One pushed event, as facts in waiting: a scan, a retraction, or both. */
export interface Pushed {
  readonly scan?: RecordedScan;
  readonly retraction?: Retraction;
  /**
   * What the tracking's past has to say before the scan is recorded. `first_custody`: a pick-up, or a change of hands (`in_transit`)
   * where the carrier had the parcel before. `status_change`: from a source that knows the current status alone (rule 5 of the
   * protocol), so it is news only where the status is another one.
   */
  readonly rule?: 'first_custody' | 'status_change';
  /** CBV event hash of a foreign EPCIS event: another name for it. */
  readonly eventHash?: string;
}

/** `event_id`: under which the event stands, where that is not its own. */
export type Outcome = { readonly outcome: 'accepted' | 'duplicate'; readonly event_id?: string } | { readonly outcome: 'later_generation' } | { readonly outcome: 'rejected'; readonly code: RejectionCode };
export type RejectionCode = 'UNKNOWN_SHIPMENT' | 'NOT_YOUR_SHIPMENT' | 'NOT_YOUR_EVENT' | 'EVENT_ID_REUSED';

export interface Opening {
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly profile: string;
}

export type TrackingCommand =
  | { readonly kind: 'push'; readonly id: string; readonly provider: string; readonly subject: Subject; readonly pushed: readonly Pushed[]; /** Absent: only an open tracking is written. */ readonly opening?: Opening; /** Was judged before as a part of a whole: nothing of it is refused any more. */ readonly admitted?: boolean }
  | { readonly kind: 'open'; readonly id: string; readonly subject: Subject; readonly opening: Opening; readonly writers: readonly string[] }
  | { readonly kind: 'grant' | 'revoke'; readonly id: string; readonly provider: string };

export interface Known {
  readonly provider: string;
  readonly fingerprint: string | undefined;
  readonly eventHash?: string | undefined;
  /** Absent for a retraction. */
  readonly scan?: SeenScan;
}

export interface TrackingState {
  owner: Owner | undefined;
  subject: Subject;
  readonly writers: Set<string>;
  /** Grants and revocations so far: each is a fact of its own. */
  turns: number;
  /** By key: what the tracking has seen, retracted or not. */
  readonly known: Map<string, Known>;
  /** Terminal scans that count, by event id. */
  readonly ends: Map<string, Instant>;
  /** Retractions by the scan's event id: the providers that took it back. */
  readonly retracted: Map<string, Set<string>>;
}

export const trackings: Decider<TrackingState, TrackingCommand, readonly Outcome[]> = {
  initial: () => ({ owner: undefined, subject: {}, writers: new Set(), turns: 0, known: new Map(), ends: new Map(), retracted: new Map() }),

  decide(state, command) {
    switch (command.kind) {
      case 'push':
        return push(state, command);
      case 'open':
        return { facts: state.owner ? [] : open(command), reply: [] };
      case 'grant':
        if (!state.owner) throw new DomainError('NOT_FOUND', 'There is no such tracking.');
        return { facts: state.writers.has(command.provider) ? [] : [fact(command.id, TrackingWriterGranted, { provider: command.provider }, state)], reply: [] };
      case 'revoke':
        return { facts: state.writers.has(command.provider) ? [fact(command.id, TrackingWriterRevoked, { provider: command.provider }, state)] : [], reply: [] };
    }
  },

  evolve,
};

function fact(id: string, type: typeof TrackingWriterGranted, data: { provider: string }, state: TrackingState): Fact {
  return { id: derivedId(type.type, id, state.turns), type: type as Fact['type'], data };
}

function evolve(state: TrackingState, { type, data }: PastEvent): TrackingState {
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
    case TrackingEventRecorded.type: {
      const scan = data as unknown as RecordedScan;
      const { event_id, provider, fingerprint, event_hash, status_code, instant } = scan;
      state.known.set(scanKey(event_id), { provider, fingerprint, eventHash: event_hash, scan: seen(scan) });
      if (statusCode(status_code)?.terminal && !state.retracted.get(event_id)?.has(provider)) state.ends.set(event_id, instant);
      break;
    }
    case TrackingEventRetracted.type: {
      const { event_id, retracts, provider, fingerprint } = data as unknown as Retraction;
      state.known.set(retractionKey(event_id), { provider, fingerprint });
      state.retracted.set(retracts, (state.retracted.get(retracts) ?? new Set()).add(provider));
      if (state.known.get(scanKey(retracts))?.provider === provider) state.ends.delete(retracts);
      break;
    }
  }
  return state;
}
