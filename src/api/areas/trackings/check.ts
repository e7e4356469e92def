/** Validates and converts documents without storing them. */
import { z } from 'zod';
import { checkDocument } from '../../../events/otep/check/document.js';
import { eventInputSchema, timelineInputSchema } from '../../../events/otep/schema.js';
import { instantAt } from '../../../events/otep/time.js';
import type { Journey } from '../../../events/otep/model.js';
import type { Format } from '../../../serializers/format.js';
import { chooseFormat, formatName, type Chosen } from './formats.js';
import { EVERYBODY, type Caller } from '../../core/callers.js';
import { tooLarge } from '../../core/collect-body.js';
import type { FieldError } from '../../core/errors.js';
import { fieldErrorOf } from './ingest-response.js';
import { chooseLanguage, type Language } from '../../core/messages/index.js';
import { epcisInputSchema } from './epcis-input.js';
import { mapperOf } from './mapping.js';
import { journeyFrom } from './sources.js';
import { statusesSchema } from './statuses.js';
import { operation, type Operation, type Representation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';

export interface OtepCheckOptions extends Parts<'now' | 'baseUrl'> {
  readonly formats: readonly Format[];
  readonly localize: (errors: readonly FieldError[], language: string | undefined) => Record<string, unknown>[];
}

/**
 * Maximum document size in bytes for callers without a token. A megabyte would block the main thread, and all other
 * requests, for half a second.
 */
const MAX_ANONYMOUS_BYTES = 262_144;
const ANONYMOUS_LIMIT_TEXT = 'Without a token, a document may have at most 256 KiB.';

const findingSchema = z.object({ code: z.string(), path: z.string(), message: z.string() }).meta({ id: 'OtepFinding' });

export function otepCheck({ formats, now, baseUrl, localize }: OtepCheckOptions): Operation[] {
  return [
    operation({
      name: 'otepValidate',
      area: 'OTEP',
      summary: 'Validate a timeline or event',
      description: `Use it to test documents before pushing them. The response has the status 200 and contains the findings, even if the document has errors. \`path\` of a finding is a JSON Pointer. Level 1: the document is conformant, without backward transitions. Level 2: it also has profile codes and an external identifier. ${ANONYMOUS_LIMIT_TEXT}`,
      rest: { method: 'post', path: '/v1/otep/validate', body: 'document' },
      callers: EVERYBODY,
      documented: z.union([timelineInputSchema, eventInputSchema]),
      input: z.object({ document: z.unknown() }),
      output: z.object({
        conformant: z.boolean(),
        level: z.int().min(0).max(2),
        errors: z.array(findingSchema),
        warnings: z.array(findingSchema),
      }),
      run: ({ document }, { header, caller }) => {
        checkSize(document, caller);
        const { conformant, level, errors, warnings } = checkDocument(document, { now: instantAt(now()) });
        const toFindings = (findings: typeof errors) =>
          localize(findings.map(fieldErrorOf), header('accept-language')).map(
            ({ code, path, message }) => ({ code, path, message }) as z.infer<typeof findingSchema>,
          );
        return Promise.resolve({ conformant, level, errors: toFindings(errors), warnings: toFindings(warnings) });
      },
    }),

    operation({
      name: 'otepConvert',
      area: 'OTEP',
      summary: 'Convert a timeline to another format',
      description: `Nothing is stored. Formats for \`to\`: ${formats.map(({ name }) => name).join(', ')}. The document describes one parcel: a conformant timeline or event, current statuses, or EPCIS 2.0 (document, query document, event or list of events). The table of \`source.carrier\` translates raw codes. With the key of a provider, the settings of the provider apply too. \`Accept-Language\` selects the language of texts. ${ANONYMOUS_LIMIT_TEXT}`,
      rest: {
        method: 'post',
        path: '/v1/otep/convert',
        body: 'document',
        query: ['to'],
        consumes: ['application/json', 'application/ld+json'],
      },
      callers: EVERYBODY,
      documented: z.union([
        timelineInputSchema,
        z.object({ timelines: z.array(timelineInputSchema).length(1) }),
        eventInputSchema,
        statusesSchema,
        epcisInputSchema,
      ]),
      input: z.object({ document: z.unknown(), to: formatName(formats, 'Target format.') }),
      output: z.looseObject({}).meta({ description: 'The timeline in the chosen format.' }),
      answers: {
        400: '`UNKNOWN_FORMAT`: unknown format. `INVALID_INPUT`, `INVALID_EPCIS`, `NOT_ONE_PARCEL`: the document is not conformant.',
      },
      run: ({ document, to }, { header, caller }) => {
        checkSize(document, caller);
        const chosen = chooseFormat(formats, to, header('accept'), 'to');
        // Raw codes without a mapping are reported to the caller and not recorded, because nothing was pushed.
        const settings = caller.role === 'provider' ? caller : { mapping: new Map(), carrierCodes: null };
        const mapRaw = mapperOf(settings, undefined, []);
        const journey = journeyFrom(document, { now: now(), mapRaw });
        return Promise.resolve(toRepresentation(chosen, journey, baseUrl(), chooseLanguage(header('accept-language'))));
      },
    }),
  ];
}

function checkSize(document: unknown, { role }: Caller): void {
  if (role === 'anonymous' && Buffer.byteLength(JSON.stringify(document)) > MAX_ANONYMOUS_BYTES)
    throw tooLarge(MAX_ANONYMOUS_BYTES);
}

/** A representation without validators: the result has no address to request again. */
function toRepresentation(
  { format, representation: { serialize, mediaType, headers } }: Chosen,
  journey: Journey,
  baseUrl: string,
  language: Language,
): Representation {
  const body = Buffer.from(JSON.stringify(serialize(journey, { baseUrl, language })));
  const responseHeaders = { ...headers, ...(format.hasText && { 'Content-Language': language }) };
  return { body, mediaType, headers: responseHeaders };
}
