/** Reads the log for auditors: selects visible events, pages through them, and hides or decrypts personal data. */
import { decoded, sealedOf } from '../../../events/core/codec.js';
import type { Position, StoredEvent } from '../../../events/core/log.js';
import { instantAt, instantOf } from '../../../events/otep/time.js';
import { TRACKING_PREFIX } from '../../../events/trackings/events.js';
import { PLATFORM } from '../../../projections/audit/read-model.js';
import type { AuditFilter, AuditPage, AuditQueries } from '../../../projections/audit/queries.js';
import { journeyOfRow } from '../../../projections/trackings/journeys.js';
import { until, type Moment } from '../../../projections/rebuild/moment.js';
import type { Projection } from '../../../projections/core/projection.js';
import { statesOf, type States } from '../../../projections/rebuild/states.js';
import { trackingOf } from '../../../projections/trackings/fold.js';
import type { Timeline } from '../../../events/otep/model.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, explainedError, fieldError } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';
import { depthsOf } from './causation-depths.js';
import type { ParcelStreams } from './parcel-streams.js';
import { toEventResponses, type EventResponse } from './event-response.js';

export interface AuditReaderOptions extends Parts<'log' | 'keyRing' | 'types'> {
  readonly queries: AuditQueries;
  readonly areas: readonly { readonly name: string; readonly prefix: string }[];
  readonly projections: readonly Projection[];
  readonly parcels: ParcelStreams;
}

export interface EventPage {
  readonly events: readonly EventResponse[];
  /** Cursor of the next page. With oldest first, also set at the end, for events that are appended later. */
  readonly next: Position | undefined;
  readonly more: boolean;
}

export interface PastState {
  readonly last: StoredEvent;
  readonly states: States;
  /** For a tracking: the timeline that its readers saw. */
  readonly timeline?: Timeline;
}

/** Number of events per page of an export, which limits the events in memory. */
const EXPORT_PAGE = 500;
/** Maximum number of events of one request for which causal depths are computed. Additional events get depth 0. */
const MAX_CHAIN_LENGTH = 20_000;

export type AuditReader = ReturnType<typeof createAuditReader>;

export function createAuditReader({ queries, log, keyRing, types, areas, projections, parcels }: AuditReaderOptions) {
  const areaOf = (stream: string): string => areas.find(({ prefix }) => stream.startsWith(prefix))?.name ?? '';

  /** The tenant whose events the caller sees: its business; for platform staff, the events without a business. */
  const tenantOf = (caller: Caller): number =>
    userOf(caller).role === 'platform_admin' ? PLATFORM : businessOf(caller);

  /**
   * Whether to decrypt personal data: only on request, and only for client admins, who can see it elsewhere too.
   * Auditors check actions, not the affected persons.
   */
  function checkIncludePersonal(caller: Caller, requested: boolean): boolean {
    if (requested && userOf(caller).role !== 'client_admin')
      throw explainedError('FORBIDDEN', 'FIELD_NOT_ALLOWED', 'include_personal');
    return requested;
  }

  async function expectOwned(caller: Caller, stream: string): Promise<void> {
    if (!(await queries.owns(tenantOf(caller), stream)) && !(await isVisibleCarrierStream(caller, stream)))
      throw new ApiError('NOT_FOUND');
  }

  /** A carrier's own tracking belongs to no business. Platform staff may read it; the audit index has no row for it. */
  const isVisibleCarrierStream = async (caller: Caller, stream: string): Promise<boolean> =>
    tenantOf(caller) === PLATFORM && (await parcels.isCarrierStream(stream));

  /** A page of one stream; throws NOT_FOUND if the caller may not see the stream. */
  async function pageOf(caller: Caller, stream: string, paging: AuditPage, personal: boolean): Promise<EventPage> {
    await expectOwned(caller, stream);
    if (!(await isVisibleCarrierStream(caller, stream))) return page(caller, { streams: [stream] }, paging, personal);
    const decrypt = checkIncludePersonal(caller, personal);
    const { order, cursor, limit } = paging;
    const all = (await log.readMany([stream])).get(stream) ?? [];
    const rest = (order === 'newest' ? all.toReversed() : all).filter(
      ({ position }) => cursor === undefined || (order === 'newest' ? position < cursor : position > cursor),
    );
    return toPage(rest.slice(0, limit), rest.length > limit, paging, decrypt);
  }

  async function page(
    caller: Caller,
    filter: Omit<AuditFilter, 'tenant'>,
    { limit, ...rest }: AuditPage,
    personal: boolean,
  ): Promise<EventPage> {
    const decrypt = checkIncludePersonal(caller, personal);
    const found = await queries.find({ ...filter, tenant: tenantOf(caller) }, { ...rest, limit: limit + 1 });
    return toPage(await log.pick(found.slice(0, limit)), found.length > limit, { ...rest, limit }, decrypt);
  }

  async function toPage(
    stored: readonly StoredEvent[],
    more: boolean,
    { order, cursor }: AuditPage,
    decrypt: boolean,
  ): Promise<EventPage> {
    const events = await toEventResponses(stored, decrypt, { keyRing, areaOf });
    return { events, more, next: more || order === 'oldest' ? (stored.at(-1)?.position ?? cursor) : undefined };
  }

  /** Events that one request caused. Depths are computed over the whole chain, not only over the requested page. */
  async function chain(
    caller: Caller,
    correlation: string,
    { cursor, limit }: Pick<AuditPage, 'cursor' | 'limit'>,
    personal: boolean,
  ): Promise<EventPage & { readonly depths: ReadonlyMap<string, number> }> {
    const chainEntries = await queries.find(
      { tenant: tenantOf(caller), correlation },
      { order: 'oldest', limit: MAX_CHAIN_LENGTH },
    );
    if (chainEntries.length === 0) throw new ApiError('NOT_FOUND');
    return {
      ...(await page(caller, { correlation }, { order: 'oldest', cursor, limit }, personal)),
      depths: depthsOf(chainEntries),
    };
  }

  /** All matching events as lines of JSON, oldest first, up to the end of the log at the time of the call. */
  async function* lines(
    caller: Caller,
    filter: Omit<AuditFilter, 'tenant'>,
    personal: boolean,
  ): AsyncGenerator<string> {
    const head = await log.head();
    const upTo = filter.upTo !== undefined && filter.upTo < head ? filter.upTo : head;
    for (let cursor = filter.behind; ;) {
      const { events, more, next } = await page(
        caller,
        { ...filter, upTo },
        { order: 'oldest', cursor, limit: EXPORT_PAGE },
        personal,
      );
      yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
      if (!more) return;
      cursor = next;
    }
  }

  async function stateAt(
    caller: Caller,
    stream: string,
    moment: Moment | undefined,
    personal: boolean,
  ): Promise<PastState> {
    const decrypt = checkIncludePersonal(caller, personal);
    await expectOwned(caller, stream);
    const all = (await log.readMany([stream])).get(stream) ?? [];
    const events = moment ? until(all, moment) : all;
    const last = events.at(-1);
    if (!last) throw new ApiError('NOT_FOUND');
    const keys = decrypt ? await keyRing.existing(subjectsOf(events)) : NO_KEYS;
    const states = statesOf(events, { projections: projections.filter(({ background }) => !background), types, keys });
    return { last, states, ...(stream.startsWith(TRACKING_PREFIX) && { timeline: timelineOf(events, keys, moment) }) };
  }

  function timelineOf(
    events: readonly StoredEvent[],
    keys: ReadonlyMap<string, Buffer>,
    moment: Moment | undefined,
  ): Timeline {
    const row = trackingOf(events.map((event) => decoded(event, types)));
    // For a position, the timeline is seen from the time of the last event that was recorded up to it.
    const now =
      moment === undefined ? instantAt(Date.now()) : 'instant' in moment ? moment.instant : instantOf(row.recorded_at)!;
    return journeyOfRow(row, { kind: 'full', keys }, now).timeline;
  }

  /** Checks a log position. Throws INVALID_POSITION, and POSITION_AHEAD if it is beyond the end of the log. */
  async function parsePosition(text: string, field: string): Promise<Position> {
    if (text === '' || !log.isPosition(text)) throw fieldError('INVALID_POSITION', field);
    if (text > (await log.head())) throw fieldError('POSITION_AHEAD', field);
    return text;
  }

  return {
    page,
    pageOf,
    chain,
    lines,
    stateAt,
    expectOwned,
    tenantOf,
    parsePosition,
    prefixOf: (area: string) => areas.find(({ name }) => name === area)!.prefix,
    areaNames: areas.map(({ name }) => name),
  };
}

const NO_KEYS: ReadonlyMap<string, Buffer> = new Map();
const subjectsOf = (events: readonly StoredEvent[]): string[] => [
  ...new Set(events.flatMap(({ data }) => sealedOf(data)?.subject ?? [])),
];
