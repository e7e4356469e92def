/** Guide for developers of OTEP clients. The status codes come from the registry. */
import { STATUS_CODES } from '../../../../events/otep/codes.js';
import type { GuideOptions } from './integration.js';

export function otepGuide({ baseUrl }: Pick<GuideOptions, 'baseUrl'>): string {
  return [
    '# OTEP: the open tracking timeline',
    '',
    'One document per parcel: its identity (`subject`), its state (`current_status`, `current_phase`, `terminal_status`) and its history (`events`, oldest first).',
    '',
    '## An event',
    '',
    '| member | format |',
    '|---|---|',
    '| `occurred_at` | RFC 3339 with offset; required |',
    '| `status_code` | one of the codes below; required unless `raw` is in your mapping table |',
    '| `event_id` | your own UUID or URI; if omitted, the service derives an id, so that a repeated push is a duplicate |',
    '| `location` | `name`, `code`, `city`, `region`, `postal_code`, `country`, `latitude`, `longitude` |',
    '| `retracts` | the `event_id` of an earlier event of yours that was wrong |',
    '| `raw` | `code` and `text` as recorded by your system |',
    '',
    '## Codes',
    '',
    '| code | phase |',
    '|---|---|',
    ...STATUS_CODES.map(({ code, phase }) => `| \`${code}\` | ${phase} |`),
    '',
    '## Push',
    '',
    `\`POST ${baseUrl}/api/v1/otep/ingest\` with a provider key: one timeline, or \`{"timelines": [...]}\`. The response contains an outcome per event: accepted, duplicate, or rejected with a reason. Accepted events are stored durably. You can safely repeat a push.`,
    '',
    '## Read',
    '',
    `\`GET ${baseUrl}/api/v1/otep/trackings/{tracking_number}\`, public. Only the full view contains names, phone numbers, streets and free text. It is for the owner of the shipment. Formats: \`GET ${baseUrl}/api/v1/otep/formats\`.`,
    '',
    '## Check',
    '',
    `\`POST ${baseUrl}/api/v1/otep/validate\` with a timeline or one event returns findings with their locations. Level 1 means conformant; level 2 also requires profile codes and an external identifier.`,
    '',
  ].join('\n');
}
