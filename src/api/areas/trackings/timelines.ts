/** Reading timelines: resolves a number for the caller, and represents the timeline in a format. */
import { createHash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Owner } from '../../../events/trackings/events.js';
import { openIdentifiers } from '../../../projections/trackings/naming.js';
import { instantAt } from '../../../events/otep/time.js';
import { changedAt, futureScans, journeyOfRow, type View } from '../../../projections/trackings/journeys.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import type { Journey } from '../../../events/otep/model.js';
import { isUser, isStaff, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Representation } from '../../core/operation.js';
import type { Language } from '../../core/messages/index.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Parts } from '../../core/parts.js';
import type { ParcelOrders } from './parcel-orders.js';
import type { Chosen } from './formats.js';

export interface TimelineReaderOptions extends Parts<'keyRing' | 'now' | 'baseUrl'> {
  readonly queries: TrackingQueries;
  readonly orders: ParcelOrders;
  /** Public name of an owner. */
  readonly nameOf: (owner: Owner) => Promise<string>;
  /** Maximum number of cached representations. Keys contain the revision, so entries are never stale. */
  readonly cacheSize?: number;
}

export interface Found {
  readonly head: TrackingHead;
  /** The carrier of the tracking: the id of a provider, or the code of the business that owns the order. */
  readonly carrier: string;
  /** Other carriers whose parcels have the same number. */
  readonly alternatives: readonly string[];
}

export interface TimelineReader {
  /**
   * Returns the tracking with `number`: that of `carrier` if given, else one that the caller opened, else the default
   * for everyone. Orders, pushes and grants of others do not change the default. Throws TRACKING_NOT_FOUND.
   */
  find(number: string, carrier: string | undefined, caller: Caller): Promise<Found>;
  /** The serialized timeline. The full view requires that the caller owns the tracking or received it. */
  represent(found: Found, chosen: Chosen, caller: Caller, language: Language): Promise<Representation>;
  /** The journey, with the row from which it was built. */
  journey(found: Found, caller: Caller): Promise<{ readonly row: TrackingRow; readonly journey: Journey }>;
  /** The order of the parcel, if the format includes orders and the caller may read it. */
  orderOf(row: TrackingRow, chosen: Chosen, caller: Caller): Promise<ParcelOrder | undefined>;
}

/** Limits the size of the `Link` header. */
const MAX_LINKS = 20;

export function createTimelineReader({
  queries,
  orders,
  keyRing,
  now,
  baseUrl,
  nameOf,
  cacheSize = 20_000,
}: TimelineReaderOptions): TimelineReader {
  const cache = new QuickLRU<string, Representation>({ maxSize: cacheSize });

  async function find(number: string, carrier: string | undefined, caller: Caller): Promise<Found> {
    const heads = await headsOf(number, caller);
    const names = await namesOf(heads);
    const head =
      carrier === undefined
        ? (heads.find((one) => isOwn(one, caller)) ?? heads[0])
        : heads.find((_, index) => names[index] === carrier);
    if (!head) throw heads.length === 0 ? notFound(number) : notOfCarrier(number, names);
    const own = names[heads.indexOf(head)]!;
    return { head, carrier: own, alternatives: [...new Set(names)].filter((name) => name !== own) };
  }

  /** Providers that have the same name as a business in the list get the prefix `provider:`. */
  async function namesOf(heads: readonly TrackingHead[]): Promise<string[]> {
    const names = await Promise.all(heads.map(({ owner }) => nameOf(owner)));
    const businesses = new Set(names.filter((_, index) => heads[index]!.owner.kind === 'business'));
    return names.map((name, index) =>
      heads[index]!.owner.kind === 'provider' && businesses.has(name) ? `provider:${name}` : name,
    );
  }

  /**
   * All trackings with a public identifier, sorted by time, so that identifiers of one kind do not hide those of
   * another. Order and package ids are guessable. They are used only for their owner, and only if no public identifier
   * matches.
   */
  async function headsOf(number: string, caller: Caller): Promise<readonly TrackingHead[]> {
    const found = await queries.byAnyIdentifier(openIdentifiers(number));
    if (found.length > 0 || caller.role === 'anonymous') return found;
    const own = await Promise.all([queries.byAnyIdentifier([`package:${number}`, `order:${number}`]), byOwnId(number)]);
    return own.flat().filter((head) => seesAll(head, caller));
  }

  /**
   * Finds a parcel without public identifiers by the id that its public view shows. The id derives from order and
   * package ids, so it is as guessable as they are.
   */
  async function byOwnId(number: string): Promise<readonly TrackingHead[]> {
    const id = /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(number)?.[1];
    const row = id === undefined ? undefined : await queries.byId(id);
    return row ? [{ ...row, since: row.opened_at }] : [];
  }

  async function represent(
    { head, carrier, alternatives }: Found,
    { format, representation }: Chosen,
    caller: Caller,
    requestedLanguage: Language,
  ): Promise<Representation> {
    // Documents without free text are the same in all languages.
    const language = format.hasText ? requestedLanguage : 'en';
    const full = seesAll(head, caller);
    const keyAt = (revision: number) =>
      `${head.id} ${revision} ${format.name} ${representation.mediaType} ${language} ${alternatives.join()}`;
    // Full views and orders depend on keys that can be destroyed, so only public representations are cached.
    const isPublic = !full && !(format.includesOrder && orders.mayRead(head, caller));
    const cached = isPublic ? cache.get(keyAt(head.revision)) : undefined;
    if (cached) return cached;
    const row = await rowOf(head);
    const view = await viewOf(row, full);
    const at = instantAt(now());
    const future = futureScans(row, at);
    const journey = { ...journeyOfRow(row, view, at), carrierMatch: { carrier, alternatives } };
    const order = await orderOf(row, { format, representation }, caller);
    const body = Buffer.from(
      JSON.stringify(representation.serialize(journey, { baseUrl: baseUrl(), language, order })),
    );
    const erased = view.kind === 'full' ? `k${view.keys.size}` : 'p';
    const response: Representation = {
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
        carrier,
        alternatives.join(),
        language,
        ...(order ? [order] : []),
      ]),
      lastModified: laterOf(changedAt(row, at), order?.updated_at),
      headers: {
        ...representation.headers,
        ...(format.hasText && { 'Content-Language': language }),
        Link: [
          ...[representation.headers?.['Link'] ?? []].flat(),
          ...links(head.number, format.name, carrier, alternatives),
        ].join(', '),
      },
    };
    if (isPublic && future === 0) cache.set(keyAt(row.revision), response);
    return response;
  }

  /** Links for every format: the carrier of this response, and its alternatives (RFC 8288). */
  function links(number: string, format: string, carrier: string, alternatives: readonly string[]): string[] {
    const to = (name: string, rel: string): string => {
      const query = new URLSearchParams({ carrier: name, ...(format !== 'otep' && { format }) });
      return `<${baseUrl()}/api/v1/otep/trackings/${encodeURIComponent(number)}?${query.toString()}>; rel="${rel}"`;
    };
    return [to(carrier, 'canonical'), ...alternatives.slice(0, MAX_LINKS).map((name) => to(name, 'alternate'))];
  }

  async function rowOf(head: TrackingHead): Promise<TrackingRow> {
    const row = await queries.byId(head.id);
    if (!row) throw new ApiError('TRACKING_NOT_FOUND', { params: { number: head.number } });
    return row;
  }

  async function viewOf(row: TrackingRow, full: boolean): Promise<View> {
    return full ? { kind: 'full', keys: await keyRing.existing([row.id]) } : { kind: 'public' };
  }

  async function journey(
    { head, carrier, alternatives }: Found,
    caller: Caller,
  ): Promise<{ row: TrackingRow; journey: Journey }> {
    const row = await rowOf(head);
    const visibleJourney = journeyOfRow(row, await viewOf(row, seesAll(head, caller)), instantAt(now()));
    return { row, journey: { ...visibleJourney, carrierMatch: { carrier, alternatives } } };
  }

  const orderOf: TimelineReader['orderOf'] = async (row, { format }, caller) =>
    format.includesOrder ? orders.read(row, caller) : undefined;

  return { find, represent, journey, orderOf };
}

/** The later of two times in RFC 3339, UTC. */
const laterOf = (time: string, other: string | undefined): string =>
  other !== undefined && Date.parse(other) > Date.parse(time) ? other : time;

/** The same error for an unknown number and for one that the caller may not see. */
export function notFound(number: string): ApiError {
  const params = { number: number.slice(0, 64) };
  const error = { field: 'tracking_number', path: '/tracking_number', code: 'TRACKING_NOT_FOUND', params } as const;
  return new ApiError('TRACKING_NOT_FOUND', { params, errors: [error] });
}

/**
 * The number exists, but not with the requested carrier. Any response lists the other carriers, so the error may too.
 */
function notOfCarrier(number: string, names: readonly string[]): ApiError {
  const allowed = [...new Set(names)].slice(0, MAX_LINKS).join(', ');
  const error = { field: 'carrier', path: '/carrier', code: 'INVALID_VALUE', params: { allowed } } as const;
  return new ApiError('TRACKING_NOT_FOUND', { params: { number: number.slice(0, 64) }, errors: [error] });
}

/** Whether the caller sees the shipment in full (G7). */
export function seesAll({ owner, writers }: Pick<TrackingHead, 'owner' | 'writers'>, caller: Caller): boolean {
  return isOwn({ owner }, caller) || (caller.role === 'provider' && writers.includes(caller.id));
}

/** Whether the caller, or the caller's business, opened the tracking. */
function isOwn({ owner }: Pick<TrackingHead, 'owner'>, caller: Caller): boolean {
  if (caller.role === 'provider') return owner.kind === 'provider' && owner.id === caller.id;
  // Drivers, contractors and customers see their part of a shipment through its order.
  return (
    isUser(caller) &&
    isStaff(caller) &&
    caller.scopes.has('orders:read') &&
    owner.kind === 'business' &&
    owner.id === String(caller.businessId)
  );
}

const etagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
