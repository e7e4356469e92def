/** Captures: EPCIS documents that the service receives, and queries over the resulting EPCIS events. */
import { CAPTURE_EXAMPLES } from '../api/areas/captures/examples.js';
import { epcisEvents } from '../api/areas/captures/event-operations.js';
import { epcisCapture } from '../api/areas/captures/operations.js';
import { readCapture } from '../api/areas/captures/read.js';
import { localizeFields } from '../api/core/problem.js';
import { createCapture } from '../commands/captures/capture.js';
import { startRepair } from '../commands/core/repair.js';
import { CAPTURE_EVENTS, CAPTURE_PREFIX } from '../events/captures/events.js';
import { epcisEvents as epcisEventRows } from '../projections/captures/epcis-events.js';
import { createCapturedEvents } from '../projections/captures/captured-events.js';
import { createWaitUntilCurrent } from '../projections/core/wait-until-current.js';
import { createEpcisQueries } from '../projections/captures/epcis-queries.js';
import { createCaptureQueries } from '../projections/captures/queries.js';
import { captures as captureRows } from '../projections/captures/read-model.js';
import { area } from './area.js';
import { trackings } from './trackings.js';

/** Maximum number of interrupted captures that one round of the repair finishes. */
const BATCH_SIZE = 100;

export const captures = area({
  name: 'captures',
  examples: CAPTURE_EXAMPLES,
  // Captures contain documents of providers, so no business may see them.
  streams: [{ prefix: CAPTURE_PREFIX, events: CAPTURE_EVENTS, tenant: 'nobody', erasure: 'mentions' }],
  readModels: [captureRows, epcisEventRows],
  errors: { STANDARD_VERSION: 406, INVALID_EPCIS: 400, ROLLED_BACK: 422 },
  services({ database, engines: { keyRing, log }, progress, commands, types }) {
    const queries = createCaptureQueries({ database, keyRing, log, progress });
    const { captures: handle, ingest } = commands;
    const capture = createCapture({ handle, ingest, log, types, keyRing, directory: queries, read: readCapture });
    const isCurrent = createWaitUntilCurrent(['timeline', 'captures', 'epcis_events'], { log, progress });
    return { queries, capture, isCurrent };
  },
  operations(
    { queries, capture, isCurrent },
    { database, engines: { keyRing, log }, types, metrics: { countEvents }, of, now, baseUrl },
  ) {
    return [
      ...epcisCapture({ capture, captures: queries, isCurrent, localize: localizeFields, countEvents }),
      ...epcisEvents({
        queries: createEpcisQueries(database),
        captured: createCapturedEvents({ database, log, types, keyRing }),
        trackings: of(trackings).queries,
        isCurrent,
        keyRing,
        now,
        baseUrl,
      }),
    ];
  },
  work({ queries, capture }, { now, logger, engines: { limits } }) {
    const repair = startRepair({
      unfinished: (millis) => queries.unfinished(new Date(millis).toISOString(), BATCH_SIZE),
      finish: capture.resume,
      now,
      limits,
      onError: (error, id) => logger.error({ capture: id, err: error }, 'a capture is not finished yet'),
    });
    return [() => repair.stop()];
  },
});
