/** Trackings: the journeys of parcels, in the Open Tracking Event Protocol (OTEP). */
import { TRACKING_EXAMPLES } from '../api/areas/trackings/examples.js';
import { otepCarriers } from '../api/areas/trackings/carriers.js';
import { otepCheck } from '../api/areas/trackings/check.js';
import { otepClient } from '../api/areas/trackings/client.js';
import { trackingFeed } from '../api/areas/trackings/feed.js';
import { otepIngest } from '../api/areas/trackings/ingest.js';
import { otepReading } from '../api/areas/trackings/reading.js';
import { otepStatus } from '../api/areas/trackings/status.js';
import { chooseFormat } from '../api/areas/trackings/formats.js';
import { createFreshness } from '../api/areas/trackings/freshness.js';
import { createSharedTimelines } from '../api/areas/trackings/shared.js';
import { createTimelineReader } from '../api/areas/trackings/timelines.js';
import { localizeFields } from '../api/core/problem.js';
import { TRACKING_EVENTS, TRACKING_PREFIX, type Owner } from '../events/trackings/events.js';
import { createBusinessCodes } from '../projections/businesses/codes.js';
import { createNetworkQuery } from '../projections/providers/queries.js';
import { ReadableOrders } from '../projections/orders/readable-orders.js';
import { createTrackingQueries } from '../projections/trackings/queries.js';
import { createKeptEventQueries, keptEvents } from '../projections/trackings/kept-events.js';
import { timeline } from '../projections/trackings/read-model.js';
import { alliances } from './alliances.js';
import { area } from './area.js';
import { providers } from './providers.js';
import { KEPT_EVENT_MAPPER, startKeptEventMapper } from './wiring/kept-event-mapper.js';
import { createParcelOrders } from './wiring/parcel-orders.js';

export const trackings = area({
  name: 'trackings',
  examples: TRACKING_EXAMPLES,
  streams: [{ prefix: TRACKING_PREFIX, events: TRACKING_EVENTS, tenant: 'owner', erasure: 'otherwise' }],
  readModels: [timeline, keptEvents],
  followers: [KEPT_EVENT_MAPPER],
  errors: {
    CARRIER_NOT_FOUND: 404,
    TRACKING_NOT_FOUND: 404,
    UNKNOWN_FORMAT: 400,
    TOO_MANY_EVENTS: 413,
    TOO_MANY_PARCELS: 413,
    NOT_ONE_PARCEL: 400,
    NOTHING_ACCEPTED: 422,
  },
  services({ engines: { log, pool, keyRing }, progress, database, now, baseUrl }) {
    const queries = createTrackingQueries(pool);
    const codeOf = createBusinessCodes(pool);
    const nameOf = ({ kind, id }: Owner) => (kind === 'business' ? codeOf(id) : Promise.resolve(id));
    const orders = createParcelOrders({ orders: new ReadableOrders(database, keyRing), trackings: queries, now });
    const freshness = createFreshness({ progress, log });
    const networksOf = createNetworkQuery(pool);
    return {
      queries,
      reader: createTimelineReader({ queries, freshness, orders, keyRing, now, baseUrl, nameOf, networksOf }),
    };
  },
  operations({ reader }, { commands: { ingest }, engines, metrics: { countEvents }, formats, now, baseUrl, of }) {
    const localize = localizeFields;
    const recordUnmapped = of(providers).unmapped.note;
    const shared = createSharedTimelines({
      access: of(alliances).access,
      keyRing: engines.keyRing,
      otep: () => chooseFormat(formats, 'otep', undefined),
      now,
      baseUrl,
    });
    return [
      ...otepReading({ reader, formats, baseUrl }),
      ...otepClient({ reader, shared, formats }),
      ...otepIngest({ ingest, now, localize, countEvents, recordUnmapped }),
      ...otepStatus({ ingest, localize, countEvents, recordUnmapped }),
      ...otepCarriers(),
      ...otepCheck({ formats, now, baseUrl, localize }),
    ];
  },
  work: (_services, { engines, commands, progress, logger, of }) => [
    startKeptEventMapper({
      engines,
      commands,
      providers: of(providers).queries,
      kept: createKeptEventQueries(engines.projectionPool),
      progress,
      logger,
    }),
  ],
  feeds: ({ reader }, { engines: { log }, progress, now }) => [trackingFeed({ reader, log, progress, now })],
});
