/** Reading timelines: which tracking a number means for this caller, and its bytes in a format. */
import { createHash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { KeyRing } from '../../../events/core/codec.js';
import { normalizeNumber } from '../../../events/otep/check/subject.js';
import { instantAt } from '../../../events/otep/time.js';
import { changedAt, futureScans, journeyOfRow, type View } from '../../../projections/trackings/journeys.js';
import type { TrackingRow } from '../../../projections/trackings/read-model.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import type { Journey } from '../../../events/otep/model.js';
import { isUser, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Representation } from '../../core/operation.js';
import type { Chosen } from './formats.js';

export interface TimelineReaderOptions {
  readonly queries: TrackingQueries;
  readonly keyRing: KeyRing;
  readonly now: () => number;
  readonly baseUrl: () => string;
  /** Representations kept, by revision: an entry is never stale, only unused. */
  readonly cacheSize?: number;
}

export interface Found {
  readonly head: TrackingHead;
  /** Carriers whose parcels have the same number. */
  readonly alternatives: readonly string[];
}

export interface TimelineReader {
  /**
   * The tracking that `number` means: of `carrier` where given, else the most recently active one. Throws
   * TRACKING_NOT_FOUND.
   */
  find(number: string, carrier: string | undefined, caller: Caller): Promise<Found>;
  /** Its bytes. The full view only for a caller who owns the tracking or was given it. */
  represent(found: Found, chosen: Chosen, caller: Caller): Promise<Representation>;
  /** The journey itself with the row it came from. */
  journey(head: TrackingHead, caller: Caller): Promise<{ readonly row: TrackingRow; readonly journey: Journey }>;
}

export function createTimelineReader({
  queries,
  keyRing,
  now,
  baseUrl,
  cacheSize = 20_000,
}: TimelineReaderOptions): TimelineReader {
  const cache = new QuickLRU<string, Representation>({ maxSize: cacheSize });

  async function find(number: string, carrier: string | undefined, caller: Caller): Promise<Found> {
    const heads = await headsOf(number, caller);
    const head = heads.find(({ owner }) => carrier === undefined || owner.id === carrier);
    if (!head)
      throw new ApiError('TRACKING_NOT_FOUND', {
        params: { number: number.slice(0, 64) },
        errors: [
          {
            field: 'tracking_number',
            path: '/tracking_number',
            code: 'TRACKING_NOT_FOUND',
            params: { number: number.slice(0, 64) },
          },
        ],
      });
    const alternatives = [...new Set(heads.map(({ owner }) => owner.id))].filter((id) => id !== head.owner.id);
    return { head, alternatives };
  }

  /**
   * By the number first; an identifier of another kind only where no number is it. Order and package ids are guessable:
   * only for their owner.
   */
  async function headsOf(number: string, caller: Caller): Promise<readonly TrackingHead[]> {
    const normal = normalizeNumber(number);
    const byNumber = normal === undefined ? [] : await queries.byIdentifier(normal);
    if (byNumber.length > 0) return byNumber;
    const open = [`sscc:${number.replace(/^\(?00\)?(?=\d{18}$)/, '')}`, `piece:${number}`, `external:${number}`];
    const found = (await Promise.all(open.map(queries.byIdentifier))).flat();
    if (found.length > 0 || caller.role === 'anonymous') return found;
    const own = await Promise.all([
      ...[`package:${number}`, `order:${number}`].map(queries.byIdentifier),
      byOwnId(number),
    ]);
    return own.flat().filter((head) => seesAll(head, caller));
  }

  /**
   * What a public view calls a parcel that has order and package ids alone. It is derived from them, so it is as
   * guessable as they are.
   */
  async function byOwnId(number: string): Promise<readonly TrackingHead[]> {
    const id = /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(number)?.[1];
    const row = id === undefined ? undefined : await queries.byId(id);
    return row ? [row] : [];
  }

  async function represent(
    { head, alternatives }: Found,
    { format, representation }: Chosen,
    caller: Caller,
  ): Promise<Representation> {
    const full = seesAll(head, caller);
    const key = `${head.id} ${head.revision} ${format.name} ${representation.mediaType} ${alternatives.join()}`;
    // A full view depends on keys that may be destroyed: only the public one is kept.
    const kept = full ? undefined : cache.get(key);
    if (kept) return kept;
    const row = await rowOf(head);
    const view = await viewOf(row, full);
    const at = instantAt(now());
    const future = futureScans(row, at);
    const journey = journeyOfRow(row, view, at);
    const value = representation.serialize(journey, { baseUrl: baseUrl() });
    const body = Buffer.from(JSON.stringify(withAlternatives(value, format.name, alternatives)));
    const erased = view.kind === 'full' ? `k${view.keys.size}` : 'p';
    const made: Representation = {
      body,
      mediaType: representation.mediaType,
      etag: etagOf([
        head.id,
        row.revision,
        format.name,
        format.revision,
        representation.mediaType,
        baseUrl(),
        erased,
        future,
        alternatives.join(),
      ]),
      lastModified: changedAt(row, at),
      ...(representation.headers && { headers: representation.headers }),
    };
    if (!full && future === 0)
      cache.set(`${head.id} ${row.revision} ${format.name} ${representation.mediaType} ${alternatives.join()}`, made);
    return made;
  }

  async function rowOf(head: TrackingHead): Promise<TrackingRow> {
    const row = await queries.byId(head.id);
    if (!row) throw new ApiError('TRACKING_NOT_FOUND', { params: { number: head.number } });
    return row;
  }

  async function viewOf(row: TrackingRow, full: boolean): Promise<View> {
    return full ? { kind: 'full', keys: await keyRing.existing([row.id]) } : { kind: 'public' };
  }

  async function journey(head: TrackingHead, caller: Caller): Promise<{ row: TrackingRow; journey: Journey }> {
    const row = await rowOf(head);
    return { row, journey: journeyOfRow(row, await viewOf(row, seesAll(head, caller)), instantAt(now())) };
  }

  return { find, represent, journey };
}

const OFFICE: ReadonlySet<Caller['role']> = new Set(['client_admin', 'employee', 'auditor']);

/** Whether the tracking is the caller's own shipment (G7). */
export function seesAll({ owner, writers }: Pick<TrackingHead, 'owner' | 'writers'>, caller: Caller): boolean {
  if (caller.role === 'provider')
    return (owner.kind === 'provider' && owner.id === caller.id) || writers.includes(caller.id);
  // Drivers, contractors and customers see their part of a shipment through its order.
  return (
    isUser(caller) &&
    OFFICE.has(caller.role) &&
    caller.scopes.has('orders:read') &&
    owner.kind === 'business' &&
    owner.id === String(caller.businessId)
  );
}

/** Only the native document has a place for them. */
const withAlternatives = (value: unknown, format: string, alternatives: readonly string[]): unknown =>
  format === 'otep' && alternatives.length > 0 ? { ...(value as object), alternatives } : value;

const etagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
