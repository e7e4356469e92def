/**
 * Decides on pushed events: the permission of the provider, duplicates, and rules that depend on the tracking's past.
 * Pure.
 */
import type { Fact } from '../../events/core/codec.js';
import { UNMAPPED } from '../../events/otep/codes.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Subject } from '../../events/otep/model.js';
import {
  TrackingEventAmended,
  mappedEventId,
  TrackingEventKept,
  TrackingEventMapped,
  TrackingEventRecorded,
  TrackingEventRetracted,
  TrackingIdentified,
  TrackingRetractionWithdrawn,
  writerName,
} from '../../events/trackings/events.js';
import { entriesOf, factId, maps, type Entry } from './entry.js';
import { open } from './opening.js';
import { Past } from './past.js';
import { plan } from './planning.js';
import type { Outcome, Pushed, RejectionCode, TrackingCommand } from './command.js';
import type { TrackingState } from './state.js';

type Push = Extract<TrackingCommand, { kind: 'push' }>;

export function push(state: TrackingState, command: Push): { facts: Fact[]; reply: Outcome[] } {
  const { id, provider, pushed, opening, admitted = false, onlyKnown = false } = command;
  const rejectAll = (code: RejectionCode) => ({
    facts: [],
    reply: pushed.map(() => ({ outcome: 'rejected', code }) as const),
  });
  if (!state.owner && !opening) return rejectAll('UNKNOWN_SHIPMENT');
  const access = state.owner && !admitted ? accessOf(state, provider) : ALWAYS;
  if (access === undefined) return rejectAll('NOT_YOUR_SHIPMENT');

  // Also contains the events that this command adds, because `decide` does not change the state.
  const past = new Past(state, id);
  const facts: Fact[] = [];
  const reply = pushed.map((given): Outcome => {
    // What happened after the end of the provider's access is another's matter.
    if (given.scan && given.scan.instant > access) return { outcome: 'rejected', code: 'NOT_YOUR_SHIPMENT' };
    const one = past.understand(given, command);
    const entries = entriesOf(one);
    if (onlyKnown && !isKnown(one, entries, past)) return { outcome: 'unknown_here' };
    const withdrawn = one.unretracts === undefined ? undefined : past.retractedId(one.unretracts, provider);
    if (withdrawn !== undefined) past.withdraw(withdrawn, provider);
    const judged = past.judge(one, entries, command);
    if (withdrawn !== undefined) {
      if (judged.outcome === 'rejected') past.withdraw(withdrawn, provider, true);
      else facts.push(withdrawal(id, provider, withdrawn, past.withdrawals));
    }
    if (judged.outcome === 'duplicate' && withdrawn !== undefined) return { ...judged, outcome: 'updated' };
    if (judged.outcome !== 'accepted' && judged.outcome !== 'updated') return judged;
    for (const entry of entries) {
      const isAmendment = past.amends(one, entry);
      const before = past.known(entry);
      const isMapped = maps(before, entry);
      if (past.isRetracted(entry.data) || (before && !isAmendment && !isMapped)) continue;
      facts.push(
        isMapped ? mappedFact(id, entry) : factOf(id, entry, isAmendment ? past.reportsOf(entry.data.event_id) : 0),
      );
      past.add(entry);
    }
    return one.scan && one.scan.event_id !== given.scan?.event_id ? { ...judged, event_id: one.scan.event_id } : judged;
  });
  facts.push(...plan(state, id, command.planned));
  if (facts.length === 0) return { facts, reply };
  if (!state.owner)
    return { facts: [...open({ id, subject: command.subject, opening: opening!, writers: [] }), ...facts], reply };
  const added = newIdentifiers(state, command);
  if (added)
    facts.push({
      id: derivedId('identified', id, JSON.stringify(added), state.identifications),
      type: TrackingIdentified as Fact['type'],
      data: { subject: added },
    });
  return { facts, reply };
}

/** Whether the tracking has the scan, or the scan that is retracted. */
const isKnown = ({ retraction, unretracts }: Pushed, entries: readonly Entry[], past: Past): boolean =>
  entries.some((entry) => past.known(entry)) ||
  (unretracts !== undefined && past.scan(unretracts) !== undefined) ||
  (retraction !== undefined && past.scan(retraction.retracts) !== undefined);

/** `reports`: number of reports of the scan that are already recorded. */
const factOf = (id: string, entry: Entry, reports: number): Fact => ({
  id:
    reports === 0
      ? factId(id, entry.kind, entry.data.event_id)
      : factId(id, 'amendment', `${entry.data.event_id} ${reports}`),
  type: (entry.kind === 'retraction'
    ? TrackingEventRetracted
    : reports === 0
      ? entry.data.status_code === UNMAPPED
        ? TrackingEventKept
        : TrackingEventRecorded
      : TrackingEventAmended) as Fact['type'],
  data: entry.data,
  subject: id,
});

const mappedFact = (id: string, { data }: Entry): Fact => ({
  id: mappedEventId(id, data.event_id),
  type: TrackingEventMapped as Fact['type'],
  data,
  subject: id,
});

/** `count`: number of withdrawn retractions of the tracking, with this one. */
const withdrawal = (id: string, provider: string, eventId: string, count: number): Fact => ({
  id: derivedId('retraction withdrawn', id, eventId, count),
  type: TrackingRetractionWithdrawn as Fact['type'],
  data: { provider, retracts: eventId, withdrawn: true },
});

/** Later than every instant. */
const ALWAYS = '~';

/** The last moment that the provider may report scans of; undefined: it never had access. */
const accessOf = ({ owner, writers, formerWriters }: TrackingState, provider: string): string | undefined =>
  (owner !== undefined && writerName(owner) === provider) || writers.has(provider)
    ? ALWAYS
    : formerWriters.get(provider);

/**
 * Identifiers that the tracking does not have yet. The owner may also change one: a reused number names another parcel,
 * with other identifiers. The tracking number itself stays.
 */
function newIdentifiers({ subject: has, owner }: TrackingState, { subject, provider }: Push): Subject | undefined {
  const isOwner = owner !== undefined && writerName(owner) === provider;
  const added = Object.entries(subject).filter(([name, value]) => {
    const known = has[name as keyof Subject];
    return known === undefined || (isOwner && name !== 'tracking_number' && known !== value);
  });
  return added.length > 0 ? (Object.fromEntries(added) as Subject) : undefined;
}
