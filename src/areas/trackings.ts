/** Trackings: the journeys of parcels, by the open tracking event protocol. */
import { otepCheck } from '../api/areas/trackings/check.js';
import { otepClient } from '../api/areas/trackings/client.js';
import { otepIngest } from '../api/areas/trackings/ingest.js';
import { TRACKING_MESSAGES } from '../api/areas/trackings/messages.js';
import { otepReading } from '../api/areas/trackings/reading.js';
import { otepStatus } from '../api/areas/trackings/status.js';
import { createTimelineReader } from '../api/areas/trackings/timelines.js';
import { localizeFields } from '../api/core/problem.js';
import { TRACKING_EVENTS, TRACKING_PREFIX } from '../events/trackings/events.js';
import { createTrackingQueries } from '../projections/trackings/queries.js';
import { timeline } from '../projections/trackings/read-model.js';
import { area } from './area.js';

export const trackings = area({
  name: 'trackings',
  streams: [{ prefix: TRACKING_PREFIX, events: TRACKING_EVENTS, tenant: 'owner', erasure: 'otherwise' }],
  readModels: [timeline],
  messages: TRACKING_MESSAGES,
  services({ engines: { pool, keyRing }, now, baseUrl }) {
    const queries = createTrackingQueries(pool);
    return { queries, reader: createTimelineReader({ queries, keyRing, now, baseUrl }) };
  },
  operations({ reader }, { commands: { ingest }, metrics: { countEvents }, formats, now, baseUrl }) {
    const localize = localizeFields;
    return [
      ...otepReading({ reader, formats, baseUrl }),
      ...otepClient({ reader, formats }),
      ...otepIngest({ ingest, now, localize, countEvents }),
      ...otepStatus({ ingest, localize, countEvents }),
      ...otepCheck({ formats, now, baseUrl, localize }),
    ];
  },
});
