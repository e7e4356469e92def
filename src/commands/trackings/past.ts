/** The past of a tracking, plus the events that the current command has added so far. */
import { UNMAPPED } from '../../events/otep/codes.js';
import { derivedId } from '../../events/otep/identity.js';
import type { RecordedScan, Retraction } from '../../events/trackings/events.js';
import { derivedKey, hasDerivedId, idOfReason, scansOf } from '../../events/trackings/identity.js';
import { addsTo, summaryOf } from '../../events/trackings/merging.js';
import type { Outcome, Pushed } from './command.js';
import { factId, maps, type Entry } from './entry.js';
import { hasContent, hashOf, isOtherwiseIdentical, isSameEvent, namesByContent } from './same-event.js';
import { scanWithSameStatus, wasInHand, type SeenScan } from './scan-rules.js';
import { amended, knownScan, type Known, type TrackingState } from './state.js';

/** The members of a push command that the judgement depends on. */
export interface PushContext {
  readonly provider: string;
  readonly admitted?: boolean;
}

/**
 * Maximum number of reports of one scan, and of scans that incident reasons separate: more would slow down every push and
 * read of the number.
 */
const MAX_REPORTS = 64;

export class Past {
  /** Scans that this command adds. What later events need to know of one is derived when one of them asks for it. */
  readonly #scans = new Map<string, Known | RecordedScan>();
  readonly #derived = new Map<string, string[]>();
  readonly #retractions = new Map<string, Known>();
  /** Whether a scan is retracted after this command, by `<provider> <event id>`; only if the command changes it. */
  readonly #retracted = new Map<string, boolean>();
  #withdrawals = 0;
  /** Stored ids of scans by the ids under which they are published; undefined until needed. */
  #published: Map<string, string> | undefined;

  constructor(
    readonly state: TrackingState,
    readonly tracking: string,
  ) {}

  scan(eventId: string): Known | undefined {
    const added = this.#scans.get(eventId);
    if (added === undefined) return this.state.scans.get(eventId);
    if (!('event_id' in added)) return added;
    const known = knownScan(added);
    this.#scans.set(eventId, known);
    return known;
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
      this.#retracted.set(`${provider} ${data.retracts}`, true);
      return;
    }
    const known = this.scan(event_id);
    this.#scans.set(event_id, known && known.scan?.status !== UNMAPPED ? amended(known, data) : data);
    if (!known && hasDerivedId(data)) {
      const key = derivedKey(data);
      this.#derived.set(key, [...(this.#derived.get(key) ?? []), event_id]);
    }
    if (this.#published) this.#name(event_id, this.#published);
  }

  /** Scans that are not retracted. */
  *activeScans(): Iterable<Known & { readonly scan: SeenScan }> {
    for (const [id, known] of this.state.scans) if (!this.#scans.has(id)) yield* this.#active(known);
    for (const id of this.#scans.keys()) yield* this.#active(this.scan(id)!);
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
    return this.#retracted.get(`${provider} ${eventId}`) ?? this.state.retracted.get(eventId)?.has(provider) ?? false;
  }

  /** The stored id of a retracted scan of the provider; undefined if it is not retracted. */
  retractedId(published: string, provider: string): string | undefined {
    const eventId = this.#idsByName().get(published) ?? published;
    return this.#retractedBy(eventId, provider) ? eventId : undefined;
  }

  /** Withdraws the retractions of a scan by its provider, or with `isRetracted` restores them. */
  withdraw(eventId: string, provider: string, isRetracted = false): void {
    this.#retracted.set(`${provider} ${eventId}`, isRetracted);
    this.#withdrawals += isRetracted ? -1 : 1;
  }

  /** Number of withdrawn retractions, with those of this command. */
  get withdrawals(): number {
    return this.state.withdrawals + this.#withdrawals;
  }

  /** Adjusts the event based on the past of the tracking. */
  understand(one: Pushed, { provider, admitted }: PushContext): Pushed {
    const { scan, retraction, rule } = one;
    if (retraction) return { ...one, retraction: this.#understandRetraction(retraction, one) };
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

  #understandRetraction(retraction: Retraction, { hashes }: Pushed): Retraction {
    const { retracts: published, provider, event_id } = retraction;
    const names = this.#idsByName();
    const stored = names.get(published) ?? (this.scan(published) ? published : this.#byHash(provider, hashes));
    const retracts = stored ?? published;
    // The derived id of a retraction was used before if an earlier one was withdrawn: the scan is retracted again.
    const isRepeated = this.known({ kind: 'retraction', data: retraction }) && !this.#retractedBy(retracts, provider);
    const isDerived = event_id === derivedId('retraction', provider, published);
    return {
      ...retraction,
      retracts,
      ...(isRepeated && isDerived && { event_id: derivedId('retraction', provider, published, this.withdrawals) }),
    };
  }

  /**
   * Stored ids of scans by their other names: the UUID under which other formats publish a scan, and the id of a scan
   * that an incident reason separates from others (see identity.ts).
   */
  #idsByName(): ReadonlyMap<string, string> {
    if (this.#published) return this.#published;
    const names = new Map<string, string>();
    for (const eventId of new Set([...this.state.scans.keys(), ...this.#scans.keys()])) this.#name(eventId, names);
    return (this.#published = names);
  }

  /** Adds the names of a scan, and of the scans that incident reasons separate from it. */
  #name(eventId: string, names: Map<string, string>): void {
    const { scan, provider, rawCode } = this.scan(eventId)!;
    const { instant, status: status_code } = scan!;
    names.set(`urn:uuid:${factId(this.tracking, 'scan', eventId)}`, eventId);
    const ids = this.#idsOf(derivedKey({ provider, instant, status_code, ...(rawCode && { raw: { code: rawCode } }) }));
    if (ids.length < 2 || !ids.includes(eventId)) return;
    for (const { event_id, reports } of scansOf(ids.map((one) => this.#reportOf(one)))) {
      const stored = reports.find(({ incident_reason }) => incident_reason)?.event_id;
      if (stored === undefined) continue;
      names.set(event_id, stored);
      names.set(`urn:uuid:${factId(this.tracking, 'scan', event_id)}`, stored);
    }
  }

  #reportOf(event_id: string) {
    const { provider, scan, reason, rawCode } = this.scan(event_id)!;
    return {
      event_id,
      provider,
      instant: scan!.instant,
      status_code: scan!.status,
      ...(rawCode !== undefined && { raw: { code: rawCode } }),
      ...(reason !== undefined && { incident_reason: { code: reason } }),
    };
  }

  #idsOf(key: string): readonly string[] {
    return [...(this.state.derived.get(key) ?? []), ...(this.#derived.get(key) ?? [])];
  }

  /** The id of the scan that an error declaration repeats, by the hash of its content. */
  #byHash(provider: string, hashes: Pushed['hashes']): string | undefined {
    if (!hashes) return undefined;
    for (const known of this.activeScans())
      if (known.provider === provider && hashOf(known, hashes) && hasContent(known, hashes)) return known.scan.eventId;
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
      if (!before || maps(before, entry)) fresh ||= !this.isRetracted(entry.data);
      else if (!admitted && !isSameEvent(before, provider, entry.data, one))
        return { outcome: 'rejected', code: 'EVENT_ID_REUSED' };
      else adds ||= this.amends(one, entry);
    }
    if ((adds && this.reportsOf(one.scan!.event_id) >= MAX_REPORTS) || (fresh && this.#hasTooManyReasons(one.scan)))
      return { outcome: 'rejected', code: 'TOO_MANY_REPORTS' };
    if (!fresh) return { outcome: adds ? 'updated' : 'duplicate' };
    const sameStatus = one.rule === 'status_change' && one.scan && scanWithSameStatus(one.scan, this.scans());
    return sameStatus ? { outcome: 'duplicate', event_id: sameStatus.eventId } : { outcome: 'accepted' };
  }

  #hasTooManyReasons(scan: RecordedScan | undefined): boolean {
    return (
      scan !== undefined &&
      hasDerivedId(scan) &&
      !this.scan(scan.event_id) &&
      this.#idsOf(derivedKey(scan)).length >= MAX_REPORTS
    );
  }

  /** Whether the entry is another report of a known scan, which adds members to it or corrects them (rule N10). */
  amends({ amends }: Pushed, { kind, data }: Entry): boolean {
    if (!amends || kind !== 'scan') return false;
    const known = this.scan(data.event_id);
    return (
      known?.scan !== undefined &&
      known.scan.status !== UNMAPPED &&
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
