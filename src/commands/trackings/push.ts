/**
 * Decides on pushed events: the permission of the provider, duplicates, and rules that depend on the tracking's past.
 * Pure.
 */
import type { Fact } from '../../events/core/codec.js';
import { UNMAPPED } from '../../events/otep/codes.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Subject } from '../../events/otep/model.js';
import { instantOf, millisOf, type Instant } from '../../events/otep/time.js';
import {
  REUSE_AFTER_MS,
  TrackingEventKept,
  TrackingEventMapped,
  TrackingEventRecorded,
  TrackingEventRetracted,
  TrackingIdentified,
  writerName,
  type RecordedScan,
  type Retraction,
} from '../../events/trackings/events.js';
import { open } from './opening.js';
import { plan } from './planning.js';
import { scanWithSameStatus, wasInHand, type SeenScan } from './scan-rules.js';
import type { Outcome, Pushed, RejectionCode, TrackingCommand } from './command.js';
import { knownScan, type Known, type TrackingState } from './state.js';

type Push = Extract<TrackingCommand, { kind: 'push' }>;

export function push(state: TrackingState, command: Push): { facts: Fact[]; reply: Outcome[] } {
  const { id, provider, pushed, opening, admitted = false } = command;
  const rejectAll = (code: RejectionCode) => ({
    facts: [],
    reply: pushed.map(() => ({ outcome: 'rejected', code }) as const),
  });
  if (!state.owner && !opening) return rejectAll('UNKNOWN_SHIPMENT');
  if (state.owner && !admitted && !mayWrite(state, provider)) return rejectAll('NOT_YOUR_SHIPMENT');

  const end = endOf(state);
  // Also contains the events that this command adds, because `decide` does not change the state.
  const past = new Past(state);
  const facts: Fact[] = [];
  const reply = pushed.map((given): Outcome => {
    const one = past.understand(given, command);
    const entries = entriesOf(one);
    const judged = past.judge(one, entries, command);
    if (judged.outcome !== 'accepted') return judged;
    const moment = momentOf(one, past);
    const completes = entries.some((entry) => maps(past.known(entry), entry));
    if (!completes && end !== undefined && moment !== undefined && millisOf(moment) > millisOf(end) + REUSE_AFTER_MS)
      return { outcome: 'later_generation' };
    for (const entry of entries) {
      const before = past.known(entry);
      const mapped = maps(before, entry);
      if ((before && !mapped) || past.isRetracted(entry.data)) continue;
      past.add(entry);
      facts.push({
        id: mapped ? derivedId('mapped', id, entry.data.event_id) : factId(id, entry.kind, entry.data.event_id),
        type: (mapped ? TrackingEventMapped : entry.type) as Fact['type'],
        data: entry.data,
        subject: id,
      });
    }
    return one.scan && one.scan.event_id !== given.scan?.event_id ? { ...judged, event_id: one.scan.event_id } : judged;
  });
  facts.push(...plan(state, id, command.planned));
  if (facts.length === 0) return { facts, reply };
  if (!state.owner)
    return { facts: [...open({ id, subject: command.subject, opening: opening!, writers: [] }), ...facts], reply };
  const added = newIdentifiers(state.subject, command.subject);
  if (added)
    facts.push({
      id: derivedId('identified', id, JSON.stringify(added)),
      type: TrackingIdentified as Fact['type'],
      data: { subject: added },
    });
  return { facts, reply };
}

/**
 * The time that assigns the event to a generation of the tracking number. Undefined: the retraction belongs to the
 * generation with the retracted scan.
 */
function momentOf({ scan, retraction }: Pushed, past: Past): Instant | undefined {
  if (scan) return scan.instant;
  return past.scan(retraction!.retracts) ? undefined : (instantOf(retraction!.occurred_at) ?? undefined);
}

const mayWrite = (state: TrackingState, provider: string): boolean =>
  (state.owner !== undefined && writerName(state.owner) === provider) || state.writers.has(provider);

type Entry =
  | {
      readonly kind: 'scan';
      readonly type: typeof TrackingEventRecorded | typeof TrackingEventKept;
      readonly data: RecordedScan;
    }
  | { readonly kind: 'retraction'; readonly type: typeof TrackingEventRetracted; readonly data: Retraction };

function entriesOf({ scan, retraction }: Pushed): readonly Entry[] {
  const entries: Entry[] = [];
  if (scan)
    entries.push({
      kind: 'scan',
      type: scan.status_code === UNMAPPED ? TrackingEventKept : TrackingEventRecorded,
      data: scan,
    });
  if (retraction) entries.push({ kind: 'retraction', type: TrackingEventRetracted, data: retraction });
  return entries;
}

/** Whether the event gives a status to one of the same provider that was kept without it (rule N17). */
const maps = (before: Known | undefined, { kind, data }: Entry): boolean =>
  kind === 'scan' &&
  before?.scan?.status === UNMAPPED &&
  data.status_code !== UNMAPPED &&
  before.provider === data.provider;

const factId = (id: string, kind: Entry['kind'], eventId: string): string =>
  derivedId('event', id, `${kind} ${eventId}`);

/** The past of the tracking, plus the events that the current command has added so far. */
class Past {
  readonly #scans = new Map<string, Known>();
  readonly #retractions = new Map<string, Known>();

  constructor(readonly state: TrackingState) {}

  scan(eventId: string): Known | undefined {
    return this.#scans.get(eventId) ?? this.state.scans.get(eventId);
  }

  known({ kind, data }: Entry): Known | undefined {
    return kind === 'scan'
      ? this.scan(data.event_id)
      : (this.state.retractions.get(data.event_id) ?? this.#retractions.get(data.event_id));
  }

  add({ kind, data }: Entry): void {
    const { event_id, provider, fingerprint } = data;
    if (kind === 'scan') this.#scans.set(event_id, knownScan(data));
    else this.#retractions.set(event_id, { provider, fingerprint });
  }

  /** Scans that are not retracted. */
  *activeScans(): Iterable<Known & { readonly scan: SeenScan }> {
    for (const map of [this.state.scans, this.#scans]) {
      for (const { scan, ...by } of map.values())
        if (scan && !this.state.retracted.get(scan.eventId)?.has(by.provider)) yield { scan, ...by };
    }
  }

  *scans(): Iterable<SeenScan> {
    for (const { scan } of this.activeScans()) yield scan;
  }

  /** Whether the same provider has already retracted the scan, under any id. Another retraction then adds nothing. */
  isRetracted(data: RecordedScan | Retraction): boolean {
    return 'retracts' in data && (this.state.retracted.get(data.retracts)?.has(data.provider) ?? false);
  }

  /** Adjusts the event based on the past of the tracking. */
  understand(one: Pushed, { id, provider, admitted }: Push): Pushed {
    const { scan, retraction, rule } = one;
    if (retraction && !this.scan(retraction.retracts))
      return { ...one, retraction: { ...retraction, retracts: this.#target(one, id) ?? retraction.retracts } };
    if (!scan) return one;
    const before = this.scan(scan.event_id);
    if (!before) {
      const same = this.#byContent(one);
      if (same !== undefined) return { ...one, scan: { ...scan, event_id: same } };
      return rule === 'first_custody' && wasInHand(this.scans(), scan.instant)
        ? { ...one, scan: { ...scan, status_code: 'in_transit' } }
        : one;
    }
    // The producer used the id for different content at the same time, so both events are stored.
    return admitted && !agree(before, provider, scan, one)
      ? {
          ...one,
          scan: {
            ...scan,
            event_id: derivedId('again', provider, scan.event_id, scan.fingerprint ?? scan.cbv_hash ?? ''),
          },
        }
      : one;
  }

  /**
   * The id of the retracted scan. A retraction may name the scan by the hash of the event, or by the id under which
   * this service publishes it.
   */
  #target({ retraction, hashes }: Pushed, id: string): string | undefined {
    const { retracts, provider } = retraction!;
    for (const known of this.activeScans()) {
      const { eventId } = known.scan;
      const isNamed =
        (hashes && hashOf(known, hashes) && hasContent(known, hashes)) ||
        retracts === `urn:uuid:${factId(id, 'scan', eventId)}`;
      if (isNamed && known.provider === provider) return eventId;
    }
    return undefined;
  }

  /**
   * The id of a scan with the same content, if one of the two ids is a hash of that content. The hash rules differ
   * between producers.
   */
  #byContent({ scan, hashes }: Pushed): string | undefined {
    if (!hashes || !scan!.event_id.startsWith(HASH)) return undefined;
    const names = [hashes.given, hashes.earlier, hashes.former, ...hashes.foreign];
    if (!names.includes(scan!.event_id)) return undefined;
    return names.find((name) => {
      const known = this.scan(name);
      return known?.provider === scan!.provider && hasContent(known, hashes);
    });
  }

  judge(one: Pushed, entries: readonly Entry[], { provider, admitted }: Push): Outcome {
    const target = one.retraction && this.scan(one.retraction.retracts);
    // An admitted retraction is recorded even if the scan belongs to a different provider. It then has no effect.
    if (target && target.provider !== provider && !admitted) return { outcome: 'rejected', code: 'NOT_YOUR_EVENT' };
    let fresh = false;
    for (const entry of entries) {
      const before = this.known(entry);
      if (!before || maps(before, entry)) fresh ||= !this.isRetracted(entry.data);
      else if (!admitted && !agree(before, provider, entry.data, one))
        return { outcome: 'rejected', code: 'EVENT_ID_REUSED' };
    }
    if (!fresh) return { outcome: 'duplicate' };
    const sameStatus = one.rule === 'status_change' && one.scan && scanWithSameStatus(one.scan, this.scans());
    return sameStatus ? { outcome: 'duplicate', event_id: sameStatus.eventId } : { outcome: 'accepted' };
  }
}

type Hashes = NonNullable<Pushed['hashes']>;

const HASH = 'ni:///';

/**
 * The hash of a known scan, and the hashes that an equal event may have. Undefined if the scan does not come from a
 * foreign event.
 */
function hashOf(
  { hash, formerHash, scan }: Known,
  { given, earlier, former }: Hashes,
): readonly [string, readonly string[]] | undefined {
  if (hash !== undefined) return [hash, [given, earlier]];
  if (formerHash !== undefined) return [formerHash, [former]];
  return scan?.eventId.startsWith(HASH) ? [scan.eventId, [former]] : undefined;
}

/** Whether a known scan has the same content as an event, as far as they can be compared. */
function hasContent(known: Known, hashes: Hashes): boolean {
  const [before, now] = hashOf(known, hashes) ?? [];
  return before === undefined || now!.includes(before);
}

/**
 * Whether both are the same event, pushed twice. Without a fingerprint and a hash, the id is derived from the content
 * and suffices. Error declarations count by the event that they retract; other repeated members are ignored.
 */
const agree = (
  before: Known,
  provider: string,
  { fingerprint }: RecordedScan | Retraction,
  { hashes }: Pushed,
): boolean =>
  before.provider === provider &&
  (before.fingerprint === undefined || fingerprint === undefined || before.fingerprint === fingerprint) &&
  (hashes === undefined || before.scan === undefined || hasContent(before, hashes));

/** End of the journey: the time of the first terminal scan that is not retracted. */
function endOf(state: TrackingState): Instant | undefined {
  let first: Instant | undefined;
  for (const instant of state.ends.values()) if (first === undefined || instant < first) first = instant;
  return first;
}

/** Identifiers that the tracking does not have yet. A later push does not change existing ones. */
function newIdentifiers(has: Subject, given: Subject): Subject | undefined {
  const added = Object.entries(given).filter(([name]) => has[name as keyof Subject] === undefined);
  return added.length > 0 ? (Object.fromEntries(added) as Subject) : undefined;
}
