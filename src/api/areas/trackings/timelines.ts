/** Reading timelines: resolves a number for the caller, and represents the timeline in a format. */
import { createHash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import type { Owner } from '../../../events/trackings/events.js';
import { namings, openIdentifiers } from '../../../projections/trackings/naming.js';
import { instantAt, type Instant } from '../../../events/otep/time.js';
import { changedAt, futureScans, journeyOfLife, type View } from '../../../projections/trackings/journeys.js';
import { currentLife, livesOf, type Life } from '../../../projections/trackings/lives.js';
import { byOwnerAndNumber, type Named } from '../../../projections/trackings/rank.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import type { Journey } from '../../../events/otep/model.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Representation } from '../../core/operation.js';
import type { Language } from '../../core/messages/index.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Parts } from '../../core/parts.js';
import type { ParcelOrders } from './parcel-orders.js';
import type { Chosen } from './formats.js';
import type { Freshness } from './freshness.js';
import { isOwn, MAX_LINKS, notFound, notOfCarrier, seesAll } from './visibility.js';

export interface TimelineReaderOptions extends Parts<'keyRing' | 'now' | 'baseUrl'> {
  readonly queries: TrackingQueries;
  readonly freshness: Freshness;
  readonly orders: ParcelOrders;
  /** Public name of an owner. */
  readonly nameOf: (owner: Owner) => Promise<string>;
  /** Maximum number of cached representations. Keys contain the revision, so entries are never stale. */
  readonly cacheSize?: number;
}

export interface Found {
  /** The trackings of the parcel's number. */
  readonly named: Named<TrackingHead>;
  /** The carrier of the tracking: the id of a provider, or the code of the business that owns the order. */
  readonly carrier: string;
  /** Other carriers whose parcels have the same number. */
  readonly alternatives: readonly string[];
  /** The number that the caller asked for. Links use it, because another number may have other alternatives. */
  readonly number: string;
  /** The requested life of the number; undefined: the current one. */
  readonly life: number | undefined;
}

/** What a caller asks for. `life`: 1 is the oldest. */
export interface Selection {
  readonly carrier?: string | undefined;
  readonly life?: number | undefined;
}

export interface TimelineReader {
  /**
   * Returns the parcel with `number`: that of `carrier` if given, else the caller's own, else the default for everyone
   * (rules N5 and N6 of the protocol). Throws TRACKING_NOT_FOUND.
   */
  find(number: string, selection: Selection, caller: Caller): Promise<Found>;
  /** The serialized timeline. The full view requires that the caller owns the tracking or received it. */
  represent(found: Found, chosen: Chosen, caller: Caller, language: Language): Promise<Representation>;
  /** The journey, with the life from which it was built. Throws TRACKING_NOT_FOUND if there is no such life. */
  journey(found: Found, caller: Caller): Promise<{ readonly life: Life; readonly journey: Journey }>;
  /** The order of the parcel, if the format includes orders and the caller may read it. */
  orderOf(life: Life, chosen: Chosen, caller: Caller): Promise<ParcelOrder | undefined>;
}

export function createTimelineReader({
  queries,
  freshness,
  orders,
  keyRing,
  now,
  baseUrl,
  nameOf,
  cacheSize = 20_000,
}: TimelineReaderOptions): TimelineReader {
  const cache = new QuickLRU<string, Representation>({ maxSize: cacheSize });

  async function find(number: string, { carrier, life }: Selection, caller: Caller): Promise<Found> {
    const known: { parcels: readonly Named<TrackingHead>[]; names: readonly string[] } = { parcels: [], names: [] };
    const named = await freshness.read(caller, async () => {
      known.parcels = await parcelsOf(number, caller);
      known.names = await namesOf(known.parcels);
      return carrier === undefined
        ? known.parcels[0]
        : known.parcels.find((_, index) => known.names[index] === carrier);
    });
    const { parcels, names } = known;
    if (!named) throw parcels.length === 0 ? notFound(number) : notOfCarrier(number, names);
    const own = names[parcels.indexOf(named)]!;
    return { named, carrier: own, alternatives: [...new Set(names)].filter((name) => name !== own), number, life };
  }

  /** Providers that have the same name as a business in the list get the prefix `provider:`. */
  async function namesOf(parcels: readonly Named<TrackingHead>[]): Promise<string[]> {
    const names = await Promise.all(parcels.map(({ owner }) => nameOf(owner)));
    const businesses = new Set(names.filter((_, index) => parcels[index]!.owner.kind === 'business'));
    return names.map((name, index) =>
      parcels[index]!.owner.kind === 'provider' && businesses.has(name) ? `provider:${name}` : name,
    );
  }

  /**
   * The parcels that a number identifies, in the order of rule N5: the caller's own, by whatever identifier; those that
   * the caller was given; and those with a public identifier, the holder of the number first. No other client can
   * hide a caller's own parcel with another meaning of its number.
   */
  async function parcelsOf(number: string, caller: Caller): Promise<readonly Named<TrackingHead>[]> {
    const identifiers = openIdentifiers(number);
    const [open, closed] = await Promise.all([
      queries.byAnyIdentifier(identifiers),
      caller.role === 'anonymous' ? [] : byClosedIdentifiers(number, caller),
    ]);
    const own = open.filter((parcel) => isOwn(parcel, caller));
    return unique([
      ...own.filter((parcel) => identifiers.includes(parcel.number)),
      ...own,
      ...closed.filter((parcel) => isOwn(parcel, caller)),
      ...open.filter((parcel) => seesAll(parcel, caller)),
      ...closed,
      ...open,
    ]);
  }

  /**
   * Parcels that the caller may see in full, by their order id or package id, which are easy to guess; and by the
   * id that the public view of a parcel without public identifiers shows. That id is derived from order and package ids,
   * so it is equally easy to guess.
   */
  async function byClosedIdentifiers(number: string, caller: Caller): Promise<readonly Named<TrackingHead>[]> {
    const id = /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(number)?.[1];
    const [byIds, row] = await Promise.all([
      queries.byAnyIdentifier([`package:${number}`, `order:${number}`]),
      id === undefined ? undefined : queries.byId(id),
    ]);
    const byTrackingId = row ? byOwnerAndNumber([{ ...row, since: row.opened, since_at: row.opened_at }]) : [];
    return [...byIds, ...byTrackingId].filter((parcel) => seesAll(parcel, caller));
  }

  async function represent(
    found: Found,
    { format, representation }: Chosen,
    caller: Caller,
    requestedLanguage: Language,
  ): Promise<Representation> {
    const { named, carrier, alternatives } = found;
    // Documents without free text are the same in all languages.
    const language = format.hasText ? requestedLanguage : 'en';
    const full = seesAll(named, caller);
    const state = (trackings: readonly Pick<TrackingHead, 'id' | 'revision'>[]) =>
      trackings.map(({ id, revision }) => `${id} ${revision}`).join();
    const keyAt = (trackings: readonly Pick<TrackingHead, 'id' | 'revision'>[]) =>
      `${state(trackings)} ${found.life ?? ''} ${format.name} ${representation.mediaType} ${language} ${found.number} ${alternatives.join()}`;
    // Full views and orders depend on keys that can be destroyed, so only public representations are cached.
    const isPublic = !full && !(format.includesOrder && orders.mayRead(named, caller));
    const cached = isPublic ? cache.get(keyAt(named.trackings)) : undefined;
    if (cached) return cached;
    const rows = await rowsOf(named);
    const lives = livesOf(rows);
    const view = await viewOf(rows, full);
    const at = instantAt(now());
    const life = lifeOf(lives, found, at);
    const future = futureScans(lives, at);
    const journey = { ...journeyOfLife(life, view, at), carrierMatch: { carrier, alternatives } };
    const order = await orderOf(life, { format, representation }, caller);
    const body = Buffer.from(
      JSON.stringify(representation.serialize(journey, { baseUrl: baseUrl(), language, order })),
    );
    const erased = view.kind === 'full' ? `k${view.keys.size}` : 'p';
    const response: Representation = {
      body,
      mediaType: representation.mediaType,
      etag: etagOf([
        state(rows),
        life.index,
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
      lastModified: laterOf(changedAt(life, at), order?.updated_at),
      headers: {
        ...representation.headers,
        ...(format.hasText && { 'Content-Language': language }),
        Link: [...[representation.headers?.['Link'] ?? []].flat(), ...links(found, format.name)].join(', '),
      },
    };
    if (isPublic && future === 0) cache.set(keyAt(rows), response);
    return response;
  }

  /** Links for every format: the carrier of this response, and its alternatives (RFC 8288). */
  function links({ number, carrier, alternatives, life }: Found, format: string): string[] {
    const to = (name: string, rel: string, of?: number): string => {
      const query = new URLSearchParams({
        carrier: name,
        ...(of !== undefined && { life: String(of) }),
        ...(format !== 'otep' && { format }),
      });
      return `<${baseUrl()}/api/v1/otep/trackings/${encodeURIComponent(number)}?${query.toString()}>; rel="${rel}"`;
    };
    return [to(carrier, 'canonical', life), ...alternatives.slice(0, MAX_LINKS).map((name) => to(name, 'alternate'))];
  }

  async function rowsOf({ number, trackings }: Named<TrackingHead>): Promise<readonly TrackingRow[]> {
    const rows = (await Promise.all(trackings.map(({ id }) => queries.byId(id)))).filter((row) => row !== undefined);
    if (rows.length === 0) throw new ApiError('TRACKING_NOT_FOUND', { params: { number } });
    return rows;
  }

  async function viewOf(rows: readonly TrackingRow[], full: boolean): Promise<View> {
    return full ? { kind: 'full', keys: await keyRing.existing(rows.map(({ id }) => id)) } : { kind: 'public' };
  }

  async function journey(found: Found, caller: Caller): Promise<{ life: Life; journey: Journey }> {
    const { named, carrier, alternatives } = found;
    const rows = await rowsOf(named);
    const at = instantAt(now());
    const life = lifeOf(livesOf(rows), found, at);
    const visibleJourney = journeyOfLife(life, await viewOf(rows, seesAll(named, caller)), at);
    return { life, journey: { ...visibleJourney, carrierMatch: { carrier, alternatives } } };
  }

  const orderOf: TimelineReader['orderOf'] = async (life, { format }, caller) =>
    format.includesOrder ? orders.read(life, caller) : undefined;

  return { find, represent, journey, orderOf };
}

/**
 * The requested life; or the latest one with the identifier that the caller asked for, if that is not the number itself;
 * or the current one.
 */
function lifeOf(lives: readonly [Life, ...Life[]], { life, number, named }: Found, at: Instant): Life {
  if (life === undefined) {
    const asked = openIdentifiers(number);
    if (lives.length === 1 || asked.includes(named.number)) return currentLife(lives, at);
    const isNamed = ({ subject }: Life) => namings(subject, named).some(({ identifier }) => asked.includes(identifier));
    return lives.findLast(isNamed) ?? currentLife(lives, at);
  }
  const found = lives[life - 1];
  if (found) return found;
  const error = {
    field: 'life',
    path: '/life',
    code: 'INVALID_VALUE',
    params: { allowed: `1..${lives.length}` },
  } as const;
  throw new ApiError('TRACKING_NOT_FOUND', { params: { number: number.slice(0, 64) }, errors: [error] });
}

/** The parcels without repetitions, each at its first place. */
const unique = <T extends Pick<Named<TrackingHead>, 'owner' | 'number'>>(parcels: readonly T[]): T[] => {
  const seen = new Set<string>();
  return parcels.filter(({ owner, number }) => {
    const key = JSON.stringify([owner.kind, owner.id, number]);
    return !seen.has(key) && seen.add(key);
  });
};

/** The later of two times in RFC 3339, UTC. */
const laterOf = (time: string, other: string | undefined): string =>
  other !== undefined && Date.parse(other) > Date.parse(time) ? other : time;

const etagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
