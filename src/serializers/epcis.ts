/** GS1 EPCIS 2.0 with CBV 2.0, as JSON-LD: one event for every event of the timeline. */
import type { Format } from './format.js';
import { writeDocument, writeEvents } from './epcis/write.js';
import { OTEP_NAMESPACE, OTEP_PREFIX } from './epcis/vocabulary.js';

export const epcis: Format = {
  name: 'epcis',
  mediaType: 'application/ld+json',
  standard: 'GS1 EPCIS',
  version: '2.0',
  revision: 3,
  direction: 'in and out',
  lost: [
    'the planned delivery',
    'other parcels of an event that names several: an aggregation is returned for a child with its parent, and for a parent as an observation without its children',
    'the type of a transformation, which becomes an observation',
  ],
  headers: {
    'GS1-EPCIS-Version': '2.0',
    'GS1-CBV-Version': '2.0',
    'GS1-Extensions': `${OTEP_PREFIX}=${OTEP_NAMESPACE}`,
  },
  serialize: writeDocument,
  events: writeEvents,
};
