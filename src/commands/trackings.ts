/** What may happen to a tracking: open, record, retract, grant. Duplicates are judged here, by the state, per tracking. */
import type { Fact } from '../events/codec.js';
import { derivedId } from '../events/otep/identity.js';
import type { Subject } from '../events/otep/model.js';
import { statusCode } from '../events/otep/codes.js';
import { instantOf, millisOf, type Instant } from '../events/otep/time.js';
import {
  TrackingEventRecorded, TrackingEventRetracted, TrackingIdentified, TrackingOpened, TrackingWriterGranted, TrackingWriterRevoked,
  type Owner, type RecordedScan, type Retraction,
} from '../events/trackings.js';
import type { Decider, PastEvent } from './decider.js';
import { DomainError } from './domain-error.js';

/** How long after its end a number may stand for another parcel: carriers reuse numbers after some months. */
export const REUSE_AFTER_MS = 120 * 24 * 3_600_000;

/** One pushed event, as facts in waiting: a scan, a retraction, or both. */
export interface Pushed {
  readonly scan?: RecordedScan;
  readonly retraction?: Retraction;
}

export type Outcome = { readonly outcome: 'accepted' | 'duplicate' | 'later_generation' } | { readonly outcome: 'rejected'; readonly code: RejectionCode };
export type RejectionCode = 'UNKNOWN_SHIPMENT' | 'NOT_YOUR_SHIPMENT' | 'NOT_YOUR_EVENT' | 'EVENT_ID_REUSED';

export interface Opening {
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly profile: string;
}

export type TrackingCommand =
  | { readonly kind: 'push'; readonly id: string; readonly provider: string; readonly subject: Subject; readonly pushed: readonly Pushed[]; /** Absent: only an open tracking is written. */ readonly opening?: Opening }
  | { readonly kind: 'open'; readonly id: string; readonly subject: Subject; readonly opening: Opening; readonly writers: readonly string[] }
  | { readonly kind: 'grant' | 'revoke'; readonly id: string; readonly provider: string };

interface Known {
  readonly provider: string;
  readonly fingerprint: string | undefined;
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

const scanKey = (eventId: string): string => `scan ${eventId}`;
const retractionKey = (eventId: string): string => `retraction ${eventId}`;

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

function push(state: TrackingState, command: Extract<TrackingCommand, { kind: 'push' }>): { facts: Fact[]; reply: Outcome[] } {
  const { id, provider, pushed, opening } = command;
  const rejectAll = (code: RejectionCode) => ({ facts: [], reply: pushed.map(() => ({ outcome: 'rejected', code }) as const) });
  if (!state.owner && !opening) return rejectAll('UNKNOWN_SHIPMENT');
  if (state.owner && !mayWrite(state, provider)) return rejectAll('NOT_YOUR_SHIPMENT');

  const end = endOf(state);
  // What this command itself adds: decide leaves the state alone.
  const added = new Map<string, Known>();
  const known = (key: string): Known | undefined => state.known.get(key) ?? added.get(key);
  const facts: Fact[] = [];
  const reply = pushed.map((one): Outcome => {
    const judged = judge(one, provider, known);
    if (judged.outcome !== 'accepted') return judged;
    const moment = momentOf(one, known);
    if (end !== undefined && moment !== undefined && millisOf(moment) > millisOf(end) + REUSE_AFTER_MS) return { outcome: 'later_generation' };
    for (const [key, type, data] of keyed(one)) {
      if (known(key)) continue;
      added.set(key, { provider, fingerprint: data.fingerprint });
      facts.push({ id: derivedId('event', id, key), type: type as Fact['type'], data, subject: id });
    }
    return judged;
  });
  if (facts.length === 0) return { facts, reply };
  if (!state.owner) return { facts: [...open({ id, subject: command.subject, opening: opening!, writers: [] }), ...facts], reply };
  const news = newIdentifiers(state.subject, command.subject);
  if (news) facts.push({ id: derivedId('identified', id, JSON.stringify(news)), type: TrackingIdentified as Fact['type'], data: { subject: news } });
  return { facts, reply };
}

const mayWrite = (state: TrackingState, provider: string): boolean =>
  (state.owner?.kind === 'provider' && state.owner.id === provider) || state.writers.has(provider);

function* keyed({ scan, retraction }: Pushed): Iterable<[key: string, type: typeof TrackingEventRecorded | typeof TrackingEventRetracted, data: RecordedScan | Retraction]> {
  if (scan) yield [scanKey(scan.event_id), TrackingEventRecorded, scan];
  if (retraction) yield [retractionKey(retraction.event_id), TrackingEventRetracted, retraction];
}

function judge(one: Pushed, provider: string, known: (key: string) => Known | undefined): Outcome {
  if (one.retraction) {
    const target = known(scanKey(one.retraction.retracts));
    if (target && target.provider !== provider) return { outcome: 'rejected', code: 'NOT_YOUR_EVENT' };
  }
  let fresh = false;
  for (const [key, , data] of keyed(one)) {
    const before = known(key);
    if (!before) fresh = true;
    else if (before.provider !== provider || before.fingerprint !== data.fingerprint) return { outcome: 'rejected', code: 'EVENT_ID_REUSED' };
  }
  return { outcome: fresh ? 'accepted' : 'duplicate' };
}

/** The moment that tells to which life of the number it belongs; undefined: to the one that knows the scan it takes back. */
function momentOf({ scan, retraction }: Pushed, known: (key: string) => Known | undefined): Instant | undefined {
  if (scan) return scan.instant;
  return known(scanKey(retraction!.retracts)) ? undefined : (instantOf(retraction!.occurred_at) ?? undefined);
}

/** When the journey ended: its first terminal scan that was not taken back. */
function endOf(state: TrackingState): Instant | undefined {
  let first: Instant | undefined;
  for (const instant of state.ends.values()) if (first === undefined || instant < first) first = instant;
  return first;
}

function open({ id, subject, opening, writers }: Pick<Extract<TrackingCommand, { kind: 'open' }>, 'id' | 'subject' | 'opening' | 'writers'>): Fact[] {
  return [
    { id: derivedId('opened', id), type: TrackingOpened as Fact['type'], data: { ...opening, subject } },
    ...writers.map((provider) => ({ id: derivedId('opened', id, provider), type: TrackingWriterGranted as Fact['type'], data: { provider } })),
  ];
}

function fact(id: string, type: typeof TrackingWriterGranted, data: { provider: string }, state: TrackingState): Fact {
  return { id: derivedId(type.type, id, state.turns), type: type as Fact['type'], data };
}

/** Identifiers that the tracking does not have yet; what it has stays, whatever a later push says. */
function newIdentifiers(has: Subject, given: Subject): Subject | undefined {
  const news = Object.entries(given).filter(([name]) => has[name as keyof Subject] === undefined);
  return news.length > 0 ? (Object.fromEntries(news) as Subject) : undefined;
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
      const { event_id, provider, fingerprint, status_code, instant } = data as unknown as RecordedScan;
      state.known.set(scanKey(event_id), { provider, fingerprint });
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
