/**
 * UN/CEFACT: the status report of the multimodal transport family (D23B JSON Schema; the JSON form of IFTSTA). `Accept:
 * application/ld+json` selects the same consignment as linked data in the UN/CEFACT web vocabulary.
 */
import { consignment } from './uncefact/linked-data.js';
import { statusReport } from './uncefact/status-report.js';
import type { Format } from './format.js';

export const uncefact: Format = {
  name: 'uncefact',
  mediaType: 'application/json',
  standard: 'UN/CEFACT Multimodal Transport Consignment Status Report (JSON Schema), status codes of Recommendation 24',
  version: 'D23B',
  revision: 3,
  direction: 'out',
  lost: [],
  serialize: statusReport,
  variants: [{ mediaType: 'application/ld+json', serialize: consignment }],
};
