/** The response to an EPCIS query. */
import type { JsonRecord } from './records.js';

/**
 * Returns an EPCISQueryDocument, valid by the JSON Schema of EPCIS 2.0.1. `created`: RFC 3339. `context`: that of the
 * events.
 */
export function writeQueryDocument(
  events: readonly JsonRecord[],
  created: string,
  context: readonly unknown[],
): JsonRecord {
  return {
    '@context': context,
    type: 'EPCISQueryDocument',
    schemaVersion: '2.0',
    creationDate: created,
    epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList: events } } },
  };
}
