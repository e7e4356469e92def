/** Reading timelines: which tracking a number means for this caller, and its bytes in a format. */
import { createHash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Owner } from '../../../events/trackings/events.js';
import { openIdentifiers } from '../../../projections/trackings/naming.js';
import { instantAt } from '../../../events/otep/time.js';
import { changedAt, futureScans, journeyOfRow, type View } from '../../../projections/trackings/journeys.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import type { Journey } from '../../../events/otep/model.js';
import { isUser, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Representation } from '../../core/operation.js';
import type { Language } from '../../core/messages/index.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Parts } from '../../core/parts.js';
import type { ParcelOrders } from './completing.js';
import type { Chosen } from './formats.js';

export interface TimelineReaderOptions extends Parts<'keyRing' | 'now' | 'baseUrl'> {
  readonly queries: TrackingQueries;
  readonly orders: ParcelOrders;
  /** What outsiders call an owner. */
  readonly nameOf: (owner: Owner) => Promise<string>;
  /** Representations kept, by revision: an entry is never stale, only unused. */
  readonly cacheSize?: number;
}

export interface Found {
  readonly head: TrackingHead;
  /** Whose tracking it is: a provider's id, or the code of the business whose order it belongs to. */
  readonly carrier: string;
  /** Others whose parcels have the same number. */
  readonly alternatives: readonly string[];
}

export interface TimelineReader {
  /**
   * The tracking that `number` means: of `carrier` where given, else one that the caller opened, else what it means to
   * anybody: nobody else's orders, pushes and grants change it. Throws TRACKING_NOT_FOUND.
   */
  find(number: string, carrier: string | undefined, caller: Caller): Promise<Found>;
  /** Its bytes. The full view only for a caller who owns the tracking or was given it. */
  represent(found: Found, chosen: Chosen, caller: Caller, language: Language): Promise<Representation>;
  /** The journey itself with the row it came from. */
  journey(found: Found, caller: Caller): Promise<{ readonly row: TrackingRow; readonly journey: Journey }>;
  /** Its order, for a format that tells orders, where the caller may read it. */
  orderOf(row: TrackingRow, chosen: Chosen, caller: Caller): Promise<ParcelOrder | undefined>;
}

/** A header has its limits. */
const MOST_LINKS = 20;

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

  /** A provider with the same name as a business among them is told apart. */
  async function namesOf(heads: readonly TrackingHead[]): Promise<string[]> {
    const names = await Promise.all(heads.map(({ owner }) => nameOf(owner)));
    const businesses = new Set(names.filter((_, index) => heads[index]!.owner.kind === 'business'));
    return names.map((name, index) =>
      heads[index]!.owner.kind === 'provider' && businesses.has(name) ? `provider:${name}` : name,
    );
  }

  /**
   * All that anybody may look a parcel up by, in one order of time: a number of one kind does not hide one of another.
   * Order and package ids are guessable: only for their owner, and only where nothing else is known.
   */
  async function headsOf(number: string, caller: Caller): Promise<readonly TrackingHead[]> {
    const found = await queries.byAnyIdentifier(openIdentifiers(number));
    if (found.length > 0 || caller.role === 'anonymous') return found;
    const own = await Promise.all([queries.byAnyIdentifier([`package:${number}`, `order:${number}`]), byOwnId(number)]);
    return own.flat().filter((head) => seesAll(head, caller));
  }

  /**
   * What a public view calls a parcel that has order and package ids alone. It is derived from them, so it is as
   * guessable as they are.
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
    asked: Language,
  ): Promise<Representation> {
    // Documents without free text are the same for everybody.
    const language = format.hasText ? asked : 'en';
    const full = seesAll(head, caller);
    const keyAt = (revision: number) =>
      `${head.id} ${revision} ${format.name} ${representation.mediaType} ${language} ${alternatives.join()}`;
    // A full view, and an order, depend on keys that may be destroyed: only what is public is kept.
    const isPublic = !full && !(format.tellsOrder && orders.mayRead(head, caller));
    const kept = isPublic ? cache.get(keyAt(head.revision)) : undefined;
    if (kept) return kept;
    const row = await rowOf(head);
    const view = await viewOf(row, full);
    const at = instantAt(now());
    const future = futureScans(row, at);
    const journey = { ...journeyOfRow(row, view, at), whose: { carrier, alternatives } };
    const order = await orderOf(row, { format, representation }, caller);
    const body = Buffer.from(
      JSON.stringify(representation.serialize(journey, { baseUrl: baseUrl(), language, order })),
    );
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
        carrier,
        alternatives.join(),
        language,
        ...(order ? [order] : []),
      ]),
      lastModified: later(changedAt(row, at), order?.updated_at),
      headers: {
        ...representation.headers,
        ...(format.hasText && { 'Content-Language': language }),
        Link: [
          ...[representation.headers?.['Link'] ?? []].flat(),
          ...links(head.number, format.name, carrier, alternatives),
        ].join(', '),
      },
    };
    if (isPublic && future === 0) cache.set(keyAt(row.revision), made);
    return made;
  }

  /** In every format: whose answer this is, and that there are others (RFC 8288). */
  function links(number: string, format: string, carrier: string, alternatives: readonly string[]): string[] {
    const to = (name: string, rel: string): string => {
      const query = new URLSearchParams({ carrier: name, ...(format !== 'otep' && { format }) });
      return `<${baseUrl()}/api/v1/otep/trackings/${encodeURIComponent(number)}?${query.toString()}>; rel="${rel}"`;
    };
    return [to(carrier, 'canonical'), ...alternatives.slice(0, MOST_LINKS).map((name) => to(name, 'alternate'))];
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
    const told = journeyOfRow(row, await viewOf(row, seesAll(head, caller)), instantAt(now()));
    return { row, journey: { ...told, whose: { carrier, alternatives } } };
  }

  const orderOf: TimelineReader['orderOf'] = async (row, { format }, caller) =>
    format.tellsOrder ? orders.read(row, caller) : undefined;

  return { find, represent, journey, orderOf };
}

/** Of two times in RFC 3339, UTC. */
const later = (time: string, other: string | undefined): string =>
  other !== undefined && Date.parse(other) > Date.parse(time) ? other : time;

/** The same for a number that is not there and one that is not shown. */
export function notFound(number: string): ApiError {
  const params = { number: number.slice(0, 64) };
  const error = { field: 'tracking_number', path: '/tracking_number', code: 'TRACKING_NOT_FOUND', params } as const;
  return new ApiError('TRACKING_NOT_FOUND', { params, errors: [error] });
}

/** The number is known, and not from the carrier that was asked for: from whom else any answer tells as well. */
function notOfCarrier(number: string, names: readonly string[]): ApiError {
  const allowed = [...new Set(names)].slice(0, MOST_LINKS).join(', ');
  const error = { field: 'carrier', path: '/carrier', code: 'INVALID_VALUE', params: { allowed } } as const;
  return new ApiError('TRACKING_NOT_FOUND', { params: { number: number.slice(0, 64) }, errors: [error] });
}

const OFFICE: ReadonlySet<Caller['role']> = new Set(['client_admin', 'employee', 'auditor']);

/** Whether the tracking is the caller's own shipment (G7). */
export function seesAll({ owner, writers }: Pick<TrackingHead, 'owner' | 'writers'>, caller: Caller): boolean {
  return isOwn({ owner }, caller) || (caller.role === 'provider' && writers.includes(caller.id));
}

/** Whether the caller, or its business, opened it. */
function isOwn({ owner }: Pick<TrackingHead, 'owner'>, caller: Caller): boolean {
  if (caller.role === 'provider') return owner.kind === 'provider' && owner.id === caller.id;
  // Drivers, contractors and customers see their part of a shipment through its order.
  return (
    isUser(caller) &&
    OFFICE.has(caller.role) &&
    caller.scopes.has('orders:read') &&
    owner.kind === 'business' &&
    owner.id === String(caller.businessId)
  );
}

const etagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
