/** Reading timelines: the journey of a parcel that the caller found, and its representation in a format. */
import { createHash } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { namings, openIdentifiers } from '../../../projections/trackings/naming.js';
import { instantAt, type Instant } from '../../../events/otep/time.js';
import { changedAt, futureScans, journeyOfLife, type View } from '../../../projections/trackings/journeys.js';
import { currentLife, livesOf, type Life } from '../../../projections/trackings/lives.js';
import { livesOfNetwork, type NetworkLife } from '../../../projections/trackings/network-lives.js';
import type { Named } from '../../../projections/trackings/rank.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import type { TrackingHead } from '../../../projections/trackings/queries.js';
import type { CarrierMatch, Journey } from '../../../events/otep/model.js';
import type { Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Representation } from '../../core/operation.js';
import type { Language } from '../../core/messages/index.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Parts } from '../../core/parts.js';
import type { ParcelOrders } from './parcel-orders.js';
import type { Chosen } from './formats.js';
import {
  carrierMatchOf,
  createParcelFinder,
  type Found,
  type ParcelFinderOptions,
  type Selection,
} from './parcel-finder.js';
import { MAX_LINKS, seesAll } from './visibility.js';

export interface TimelineReaderOptions extends ParcelFinderOptions, Parts<'keyRing' | 'now' | 'baseUrl'> {
  readonly orders: ParcelOrders;
  /** Maximum number of cached representations. Keys contain the revision, so entries are never stale. */
  readonly cacheSize?: number;
}

export interface TimelineReader {
  /**
   * Returns the parcel with `number`: that of `carrier` if given, else the caller's own, else the default for everyone
   * (rules N5, N6 and N8 of the protocol). Throws TRACKING_NOT_FOUND.
   */
  find(number: string, selection: Selection, caller: Caller): Promise<Found>;
  /** The serialized timeline. The full view requires that the caller owns the tracking or received it. */
  represent(found: Found, chosen: Chosen, caller: Caller, language: Language): Promise<Representation>;
  /** The journey, with the life from which it was built. Throws TRACKING_NOT_FOUND if there is no such life. */
  journey(
    found: Found,
    caller: Caller,
  ): Promise<{ readonly life: Life; readonly journey: Journey & { readonly carrierMatch: CarrierMatch } }>;
  /** The order of the parcel, if the format includes orders and the caller may read it. */
  orderOf(life: Life, chosen: Chosen, caller: Caller): Promise<ParcelOrder | undefined>;
}

export function createTimelineReader({
  orders,
  keyRing,
  now,
  baseUrl,
  cacheSize = 20_000,
  ...options
}: TimelineReaderOptions): TimelineReader {
  const { queries } = options;
  const find = createParcelFinder(options);
  const cache = new QuickLRU<string, Representation>({ maxSize: cacheSize });

  async function represent(
    found: Found,
    { format, representation }: Chosen,
    caller: Caller,
    requestedLanguage: Language,
  ): Promise<Representation> {
    const { named } = found;
    // Documents without free text are the same in all languages.
    const language = format.hasText ? requestedLanguage : 'en';
    const full = seesAll(named, caller);
    const state = (trackings: readonly Pick<TrackingHead, 'id' | 'revision'>[]) =>
      trackings.map(({ id, revision }) => `${id} ${revision}`).join();
    const keyAt = (trackings: readonly Pick<TrackingHead, 'id' | 'revision'>[]) =>
      `${state(trackings)} ${found.life ?? ''} ${format.name} ${representation.mediaType} ${language} ${found.number} ${found.network ? `network ${memberNames(found).join()}` : found.carrier} ${found.names.join()}`;
    // Full views and orders depend on keys that can be destroyed, so only public representations are cached.
    const isPublic = !full && !(format.includesOrder && orders.mayRead(named, caller));
    const cached = isPublic ? cache.get(keyAt(parcelsIn(found).flatMap(({ trackings }) => trackings))) : undefined;
    if (cached) return cached;
    const { rows, lives } = await livesIn(found);
    const view = await viewOf(rows, full);
    const at = instantAt(now());
    const life = lifeOf(lives, found, at);
    const future = futureScans(lives, at);
    const match = carrierMatchOf(found, life);
    const journey = { ...journeyOfLife(life, view, at), carrierMatch: match };
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
        match.carrier,
        match.alternatives.join(),
        ...(match.carriers ? [memberNames(found).join()] : []),
        language,
        ...(order ? [order] : []),
      ]),
      lastModified: laterOf(changedAt(life, at), order?.updated_at),
      headers: {
        ...representation.headers,
        ...(format.hasText && { 'Content-Language': language }),
        Link: [...[representation.headers?.['Link'] ?? []].flat(), ...links(found, match, format.name)].join(', '),
      },
    };
    if (isPublic && future === 0) cache.set(keyAt(rows), response);
    return response;
  }

  /**
   * Links for every format: this response, and the timelines of other carriers (RFC 8288). The timeline of a network has
   * the address without a carrier, and each of its carriers has its own timeline.
   */
  function links({ number, life, network }: Found, { carrier, alternatives }: CarrierMatch, format: string): string[] {
    const to = (name: string | undefined, rel: string, of?: number): string => {
      const query = new URLSearchParams({
        ...(name !== undefined && { carrier: name }),
        ...(of !== undefined && { life: String(of) }),
        ...(format !== 'otep' && { format }),
      }).toString();
      const address = `${baseUrl()}/api/v1/otep/trackings/${encodeURIComponent(number)}`;
      return `<${address}${query === '' ? '' : `?${query}`}>; rel="${rel}"`;
    };
    return [
      to(network ? undefined : carrier, 'canonical', life),
      ...[...(network ? [carrier] : []), ...alternatives].slice(0, MAX_LINKS).map((name) => to(name, 'alternate')),
    ];
  }

  async function rowsOf({ number, trackings }: Named<TrackingHead>): Promise<readonly TrackingRow[]> {
    const rows = (await Promise.all(trackings.map(({ id }) => queries.byId(id)))).filter((row) => row !== undefined);
    if (rows.length === 0) throw new ApiError('TRACKING_NOT_FOUND', { params: { number } });
    return rows;
  }

  /** The lives of the number, with the trackings from which they were built. */
  async function livesIn(
    found: Found,
  ): Promise<{
    readonly rows: readonly TrackingRow[];
    readonly lives: readonly [Life & Partial<NetworkLife>, ...(Life & Partial<NetworkLife>)[]];
  }> {
    const { named, network, number } = found;
    if (!network) {
      const rows = await rowsOf(named);
      return { rows, lives: livesOf(rows) };
    }
    const parcels = await Promise.all(
      network.parcels.map(async ({ parcel, carrier }) => ({ carrier, rows: await rowsOf(parcel) })),
    );
    return {
      rows: parcels.flatMap(({ rows }) => rows),
      lives: livesOfNetwork(network.number, parcels, openIdentifiers(number)),
    };
  }

  async function viewOf(rows: readonly TrackingRow[], full: boolean): Promise<View> {
    return full ? { kind: 'full', keys: await keyRing.existing(rows.map(({ id }) => id)) } : { kind: 'public' };
  }

  const journey: TimelineReader['journey'] = async (found, caller) => {
    const { rows, lives } = await livesIn(found);
    const at = instantAt(now());
    const life = lifeOf(lives, found, at);
    const visibleJourney = journeyOfLife(life, await viewOf(rows, seesAll(found.named, caller)), at);
    return { life, journey: { ...visibleJourney, carrierMatch: carrierMatchOf(found, life) } };
  };

  const orderOf: TimelineReader['orderOf'] = async (life, { format }, caller) =>
    format.includesOrder ? orders.read(life, caller) : undefined;

  return { find, represent, journey, orderOf };
}

/** The parcels whose trackings the timeline shows. */
export const parcelsIn = ({ named, network }: Found): readonly Named<TrackingHead>[] =>
  network ? network.parcels.map(({ parcel }) => parcel) : [named];

const memberNames = ({ network }: Found): readonly string[] => network?.parcels.map(({ carrier }) => carrier) ?? [];

/**
 * The requested life; or the latest one with the identifier that the caller asked for, if that is not the number itself;
 * or the current one.
 */
function lifeOf<L extends Life>(lives: readonly [L, ...L[]], { life, number, named, network }: Found, at: Instant): L {
  if (life === undefined) {
    const asked = openIdentifiers(number);
    if (lives.length === 1 || network || asked.includes(named.number)) return currentLife(lives, at);
    const isNamed = ({ subject }: L) => namings(subject, named).some(({ identifier }) => asked.includes(identifier));
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

/** The later of two times in RFC 3339, UTC. */
const laterOf = (time: string, other: string | undefined): string =>
  other !== undefined && Date.parse(other) > Date.parse(time) ? other : time;

const etagOf = (parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`;
