/** Guide for developers of OTEP clients. The status codes come from the registry. */
import { STATUS_CODES } from '../../../../events/otep/codes.js';
import type { GuideOptions } from './integration.js';

export function otepGuide({ baseUrl }: Pick<GuideOptions, 'baseUrl'>): string {
  return [
    '# OTEP: the open tracking timeline',
    '',
    'One document per parcel: who it is (`subject`), where it stands (`current_status`, `current_phase`, `terminal_status`) and everything that happened (`events`, oldest first).',
    '',
    '## An event',
    '',
    '| member | form |',
    '|---|---|',
    '| `occurred_at` | RFC 3339 with offset; required |',
    '| `status_code` | one of the codes below; required unless `raw` is in your mapping table |',
    '| `event_id` | your own UUID or URI; without one an id is derived, so that a repeated push is a duplicate |',
    '| `location` | `name`, `code`, `city`, `region`, `postal_code`, `country`, `latitude`, `longitude` |',
    '| `retracts` | the `event_id` of an event of your own that was wrong |',
    '| `raw` | `code` and `text` as your system said it |',
    '',
    '## Codes',
    '',
    '| code | phase |',
    '|---|---|',
    ...STATUS_CODES.map(({ code, phase }) => `| \`${code}\` | ${phase} |`),
    '',
    '## Push',
    '',
    `\`POST ${baseUrl}/api/v1/otep/ingest\` with a provider key: one timeline, or \`{"timelines": [...]}\`. The answer has an outcome per event: accepted, duplicate or rejected with a reason. Accepted means durable. Repeat a push as often as you like.`,
    '',
    '## Read',
    '',
    `\`GET ${baseUrl}/api/v1/otep/trackings/{tracking_number}\`, public. Names, phones, streets and free text are only in the full view of whose shipment it is. Formats: \`GET ${baseUrl}/api/v1/otep/formats\`.`,
    '',
    '## Check',
    '',
    `\`POST ${baseUrl}/api/v1/otep/validate\` with a timeline or one event: findings with their place; level 1 is conformant, level 2 also has profile codes and an external identifier.`,
    '',
  ].join('\n');
}
