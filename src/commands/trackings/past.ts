/** The past of a tracking, plus the events that the current command has added so far. */
import { derivedId } from '../../events/otep/identity.js';
import type { RecordedScan, Retraction } from '../../events/trackings/events.js';
import { derivedKey, hasDerivedId, idOfReason, scansOf } from '../../events/trackings/identity.js';
import { addsTo, summaryOf } from '../../events/trackings/merging.js';
import type { Outcome, Pushed } from './command.js';
import type { Entry } from './entry.js';
import { factId } from './entry.js';
import { hasContent, hashOf, isOtherwiseIdentical, isSameEvent, namesByContent } from './same-event.js';
import { scanWithSameStatus, wasInHand, type SeenScan } from './scan-rules.js';
import { amended, knownScan, type Known, type TrackingState } from './state.js';

/** The members of a push command that the judgement depends on. */
export interface PushContext {
  readonly id: string;
  readonly provider: string;
  readonly admitted?: boolean;
}

export class Past {
  readonly #scans = new Map<string, Known>();
  readonly #derived = new Map<string, string[]>();
  readonly #retractions = new Map<string, Known>();
  /** `<provider> <event id>` of the scans whose retractions were withdrawn by this command. */
  readonly #withdrawn = new Set<string>();

  constructor(readonly state: TrackingState) {}

  scan(eventId: string): Known | undefined {
    return this.#scans.get(eventId) ?? this.state.scans.get(eventId);
  }

  known({ kind, data }: Entry): Known | undefined {
    return kind === 'scan'
      ? this.scan(data.event_id)
      : (this.#retractions.get(data.event_id) ?? this.state.retractions.get(data.event_id));
  }

  add({ kind, data }: Entry): void {
    const { event_id, provider, fingerprint } = data;
    if (kind === 'retraction') {
      this.#retractions.set(event_id, { provider, fingerprint, reports: [] });
      return;
    }
    const known = this.scan(event_id);
    this.#scans.set(event_id, known ? amended(known, data) : knownScan(data));
    if (known || !hasDerivedId(data)) return;
    const key = derivedKey(data);
    this.#derived.set(key, [...(this.#derived.get(key) ?? []), event_id]);
  }

  /** Scans that are not retracted. */
  *activeScans(): Iterable<Known & { readonly scan: SeenScan }> {
    for (const [id, known] of this.state.scans) if (!this.#scans.has(id)) yield* this.#active(known);
    for (const known of this.#scans.values()) yield* this.#active(known);
  }

  *#active({ scan, ...by }: Known): Iterable<Known & { readonly scan: SeenScan }> {
    if (scan && !this.#retractedBy(scan.eventId, by.provider)) yield { scan, ...by };
  }

  *scans(): Iterable<SeenScan> {
    for (const { scan } of this.activeScans()) yield scan;
  }

  /** Whether the same provider has already retracted the scan, under any id. Another retraction then adds nothing. */
  isRetracted(data: RecordedScan | Retraction): boolean {
    return 'retracts' in data && this.#retractedBy(data.retracts, data.provider);
  }

  #retractedBy(eventId: string, provider: string): boolean {
    return (
      (this.state.retracted.get(eventId)?.has(provider) ?? false) && !this.#withdrawn.has(`${provider} ${eventId}`)
    );
  }

  /**
   * Withdraws the retractions of a scan by its provider. Returns the stored id of the scan; undefined if it is not
   * retracted.
   */
  withdraw(published: string, provider: string): string | undefined {
    const eventId = this.#separated(published) ?? published;
    if (!this.#retractedBy(eventId, provider)) return undefined;
    this.#withdrawn.add(`${provider} ${eventId}`);
    return eventId;
  }

  /** Number of withdrawn retractions, with those of this command. */
  get withdrawals(): number {
    return this.state.withdrawals + this.#withdrawn.size;
  }

  /** Adjusts the event based on the past of the tracking. */
  understand(one: Pushed, { id, provider, admitted }: PushContext): Pushed {
    const { scan, retraction, rule } = one;
    if (retraction) {
      const retracts =
        this.#separated(retraction.retracts) ??
        (this.scan(retraction.retracts) ? retraction.retracts : this.#target(one, id));
      return retracts === undefined ? one : { ...one, retraction: { ...retraction, retracts } };
    }
    if (!scan) return one;
    if (hasDerivedId(scan)) {
      const event_id = this.#derivedIdOf(scan);
      if (event_id !== scan.event_id) return { ...one, scan: { ...scan, event_id } };
    }
    const before = this.scan(scan.event_id);
    if (!before) {
      const same = this.#byContent(one);
      if (same !== undefined) return { ...one, scan: { ...scan, event_id: same } };
      return rule === 'first_custody' && wasInHand(this.scans(), scan.instant)
        ? { ...one, scan: { ...scan, status_code: 'in_transit' } }
        : one;
    }
    // The producer used the id for different content at the same time, so both events are stored.
    return admitted && !isSameEvent(before, provider, scan, one)
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
   * The id of a scan without a producer's id (rule N9): that of the known scan with the same identity. Two scans of one
   * identity are different if both have an incident reason; the second one gets an id with its reason. A scan without a
   * reason joins the one with the smallest reason.
   */
  #derivedIdOf(scan: RecordedScan): string {
    const ids = this.#idsOf(derivedKey(scan));
    if (ids.length === 0) return scan.event_id;
    const reason = scan.incident_reason?.code;
    const reasonOf = (id: string): string | undefined => this.scan(id)!.reason;
    if (reason === undefined) return ids.toSorted((a, b) => ((reasonOf(a) ?? '') < (reasonOf(b) ?? '') ? -1 : 1))[0]!;
    return (
      ids.find((id) => reasonOf(id) === reason) ??
      ids.find((id) => reasonOf(id) === undefined) ??
      idOfReason(scan, reason)
    );
  }

  /**
   * The id under which a scan is stored, if it is published under another one. This happens only if several scans have
   * one identity and different incident reasons: then the reasons determine the published ids (see identity.ts).
   */
  #separated(published: string): string | undefined {
    for (const key of new Set([...this.state.derived.keys(), ...this.#derived.keys()])) {
      const ids = this.#idsOf(key);
      if (ids.length < 2) continue;
      const reports = ids.map((event_id) => {
        const { provider, scan, reason, rawCode } = this.scan(event_id)!;
        return {
          event_id,
          provider,
          instant: scan!.instant,
          status_code: scan!.status,
          ...(rawCode !== undefined && { raw: { code: rawCode } }),
          ...(reason !== undefined && { incident_reason: { code: reason } }),
        };
      });
      const found = scansOf(reports).find(({ event_id }) => event_id === published);
      if (found) return found.reports.find(({ incident_reason }) => incident_reason)?.event_id;
    }
    return undefined;
  }

  #idsOf(key: string): readonly string[] {
    return [...(this.state.derived.get(key) ?? []), ...(this.#derived.get(key) ?? [])];
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
    return namesByContent(scan!.event_id, hashes).find((name) => {
      const known = this.scan(name);
      return known?.provider === scan!.provider && hasContent(known, hashes!);
    });
  }

  judge(one: Pushed, entries: readonly Entry[], { provider, admitted }: PushContext): Outcome {
    const target = one.retraction && this.scan(one.retraction.retracts);
    // An admitted retraction is recorded even if the scan belongs to a different provider. It then has no effect.
    if (target && target.provider !== provider && !admitted) return { outcome: 'rejected', code: 'NOT_YOUR_EVENT' };
    if (target && !admitted && !isOtherwiseIdentical(one, target))
      return { outcome: 'rejected', code: 'EVENT_ID_REUSED' };
    let fresh = false;
    let adds = false;
    for (const entry of entries) {
      const before = this.known(entry);
      if (!before) fresh ||= !this.isRetracted(entry.data);
      else if (!admitted && !isSameEvent(before, provider, entry.data, one))
        return { outcome: 'rejected', code: 'EVENT_ID_REUSED' };
      else adds ||= this.amends(one, entry);
    }
    if (!fresh) return { outcome: adds ? 'updated' : 'duplicate' };
    const sameStatus = one.rule === 'status_change' && one.scan && scanWithSameStatus(one.scan, this.scans());
    return sameStatus ? { outcome: 'duplicate', event_id: sameStatus.eventId } : { outcome: 'accepted' };
  }

  /** Whether the entry is a further report of a known scan, which adds members to it or corrects them (rule N10). */
  amends({ amends }: Pushed, { kind, data }: Entry): boolean {
    if (!amends || kind !== 'scan') return false;
    const known = this.scan(data.event_id);
    return (
      known?.scan !== undefined &&
      !this.#retractedBy(data.event_id, known.provider) &&
      (data.fingerprint === undefined || data.fingerprint !== known.fingerprint) &&
      addsTo(known.reports, summaryOf(data))
    );
  }

  /** Number of reports of a known scan. */
  reportsOf(eventId: string): number {
    return this.scan(eventId)?.reports.length ?? 0;
  }
}
