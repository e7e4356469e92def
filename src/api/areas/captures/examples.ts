/** Examples of GS1 EPCIS 2.0 documents. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

const DOCUMENT = {
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-11-19T12:00:00Z',
  epcisBody: {
    eventList: [
      {
        type: 'ObjectEvent',
        eventTime: '2026-11-19T11:00:00+01:00',
        eventTimeZoneOffset: '+01:00',
        epcList: ['urn:epc:id:sscc:4012345.1111111111'],
        action: 'OBSERVE',
        bizStep: 'arriving',
        disposition: 'in_progress',
      },
    ],
  },
};

export const CAPTURE_EXAMPLES: Examples = {
  otepIngestEpcis: { as: 'provider', body: DOCUMENT },
  epcisCapture: { as: 'provider', body: DOCUMENT },
};
