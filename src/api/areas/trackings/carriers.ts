/** Reading the tables of carriers' status codes. They are public, and the same for all callers. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { carrierTable, tableNamed } from '../../../engines/carrier-tables.js';
import { CARRIERS } from '../../../events/otep/carriers/carriers.js';
import { EVERYBODY } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';

/** Maximum number of tables in the list, which has no pages. */
const MAX_CARRIERS = 500;

const carrierSchema = z
  .object({
    code: z.string().meta({ description: 'Value of `carrier_codes` and `source.carrier`.', examples: ['ups'] }),
    name: z.string(),
    code_count: z.int().meta({ description: 'Number of rows of the table.' }),
    mapped_count: z.int().meta({ description: 'Number of rows with a status.' }),
  })
  .meta({ id: 'OtepCarrier', description: 'A carrier with a table of status codes.' });

const codeSchema = z
  .object({
    raw_code: z
      .string()
      .nullable()
      .meta({ description: 'Code of the carrier. Upper and lower case do not matter. Null: only the text counts.' }),
    raw_text_pattern: z
      .string()
      .nullable()
      .meta({
        description:
          'Regular expression that the event text must match. Upper and lower case do not matter. Null: only the code counts.',
      }),
    status_code: z.string().nullable().meta({ description: 'Status code. Null: the code changes no status.' }),
    incident_reason_code: z
      .string()
      .nullable()
      .meta({ description: 'Incident reason for events that contain no incident reason.' }),
    note: z.string().meta({ description: 'Meaning of the code, or reason why it changes no status, in English.' }),
  })
  .meta({ id: 'OtepCarrierCode', description: 'A row of the table of a carrier.' });

export function otepCarriers(): Operation[] {
  return [
    operation({
      name: 'otepCarriers',
      area: 'OTEP',
      summary: 'List carriers with a table of status codes',
      description:
        'A provider chooses the table for all its events with `providerSettingsUpdate`. A single event chooses a table with `source.carrier`. Events then need only `raw.code`, and `raw.text` if the table has text patterns.',
      rest: { method: 'get', path: '/v1/otep/carriers' },
      callers: EVERYBODY,
      input: z.object({}),
      output: z.object({ result: z.boolean(), carriers: z.array(carrierSchema).max(MAX_CARRIERS) }),
      async run() {
        const carriers = [];
        for (const { name, title } of CARRIERS) {
          const { rows, mapped } = carrierTable(name);
          carriers.push({ code: name, name: title, code_count: rows.length, mapped_count: mapped });
          // The first call reads all tables, and must not delay other requests.
          await setImmediate();
        }
        return { result: true, carriers };
      },
    }),

    operation({
      name: 'otepCarrierCodes',
      area: 'OTEP',
      summary: 'List the status codes of a carrier',
      description:
        'Returns the rows in the sequence in which the service tries them. For a raw code, the service uses the first row with this code and a matching text. If there is none, it uses the row with this code and no text pattern, or else the first row without a code whose text matches.',
      rest: { method: 'get', path: '/v1/otep/carriers/:carrier/codes' },
      callers: EVERYBODY,
      input: z.object({
        carrier: z.string().min(1).max(64).meta({ description: 'Code of the carrier, from `code` in `otepCarriers`.' }),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, codes: z.array(codeSchema) }),
      answers: { 404: '`CARRIER_NOT_FOUND`: the carrier has no table.' },
      run: ({ carrier, ...page }) => {
        const table = tableNamed(carrier);
        if (!table) throw fieldError('CARRIER_NOT_FOUND', 'carrier');
        const { offset, limit, after } = rangeOf(page);
        // Tables never change while the service runs, so the place of a row is its number.
        const from = after ? Number(after.key?.[0] ?? 0) : offset;
        const next = from + limit < table.rows.length ? { key: [from + limit], seen: [] } : undefined;
        const codes = table.rows
          .slice(from, from + limit)
          .map((row) => ({
            raw_code: row.raw_code || null,
            raw_text_pattern: row.raw_text_pattern || null,
            status_code: row.status_code || null,
            incident_reason_code: row.incident_reason || null,
            note: row.note,
          }));
        return Promise.resolve({ ...pageOf(page, { total: table.rows.length, next }), codes });
      },
    }),
  ];
}
