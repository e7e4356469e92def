/** Effects: calls to external systems that must take effect once, their credentials, and signed calls from them. */
import { EFFECT_EXAMPLES } from '../api/areas/effects/examples.js';
import { inboundOperations } from '../api/areas/effects/inbound.js';
import { effectReads } from '../api/areas/effects/reading.js';
import { effectSettling } from '../api/areas/effects/settling.js';
import { area } from './area.js';
import { createEffects } from './wiring/effects.js';

export const effects = area({
  name: 'effects',
  examples: EFFECT_EXAMPLES,
  errors: { PROVIDER_UNAVAILABLE: 503, BAD_SIGNATURE: 401 },
  services: createEffects,
  operations: (services) => [...effectReads(services), ...effectSettling(services), ...inboundOperations(services)],
  work: (services) => services.start(),
  // Messages do not name the persons whom they concern.
  forget:
    ({ inbox }) =>
    (_keys, { business }) =>
      inbox.forgetProcessed(business === undefined ? undefined : Number(business)),
  sweep: (services) => services.sweep(),
});
