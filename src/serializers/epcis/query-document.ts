/** The response to an EPCIS query. */
import type { JsonRecord } from './records.js';
import { EPCIS_CONTEXT, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

/** Returns an EPCISQueryDocument, valid by the JSON Schema of EPCIS 2.0.1. `created`: RFC 3339. */
export function writeQueryDocument(events: readonly JsonRecord[], created: string): JsonRecord {
  return {
    '@context': [EPCIS_CONTEXT, { [OTEP_PREFIX]: OTEP_NAMESPACE }],
    type: 'EPCISQueryDocument',
    schemaVersion: '2.0',
    creationDate: created,
    epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList: events } } },
  };
}
