/** Example requests for timelines. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const TRACKING_EXAMPLES: Examples = {
  otepTrackingBatch: { body: { tracking_numbers: ['DEMO0000001', 'DEMOCOURIER0001'], format: 'shopify' } },
  otepIngest: {
    as: 'provider',
    body: {
      otep_version: '0.1',
      subject: { tracking_number: 'EXAMPLE-0001' },
      events: [
        {
          occurred_at: '2026-11-18T09:12:00+01:00',
          status_code: 'picked_up',
          location: { city: 'Hamburg', country: 'DE' },
        },
        { occurred_at: '2026-11-19T07:58:00+01:00', raw: { code: 'OD', text: 'On vehicle for delivery' } },
      ],
    },
  },
  otepIngestStatus: {
    as: 'provider',
    body: { tracking_number: 'EXAMPLE-0002', status_code: 'in_transit', occurred_at: '2026-11-19T11:00:00Z' },
  },
  otepValidate: {
    body: {
      otep_version: '0.1',
      subject: { tracking_number: 'EXAMPLE-0001' },
      occurred_at: '2026-11-18T09:12:00+01:00',
      status_code: 'picked_up',
      source: { type: 'carrier' },
    },
  },
  otepConvert: {
    query: { to: 'epcis' },
    body: {
      otep_version: '0.1',
      subject: { tracking_number: 'EXAMPLE-0001' },
      events: [{ occurred_at: '2026-11-18T09:12:00+01:00', status_code: 'picked_up', source: { type: 'carrier' } }],
    },
  },
};
