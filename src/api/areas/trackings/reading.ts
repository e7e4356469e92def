/**
 * Reading timelines: one, its events, many, and the list of formats. Public; the owner of a shipment gets it in full.
 */
import { z } from 'zod';
import { timelineSchema } from '../../../events/otep/schema.js';
import { changesSince } from '../../../projections/trackings/journeys.js';
import type { Format } from '../../../serializers/format.js';
import { carrier, carrierFields, carrierFieldsOf } from './carrier-fields.js';
import { chooseEnclosedFormat, chooseFormat, formatName, formatNameList, prefersHtml } from './formats.js';
import { formatList } from './format-list.js';
import { createSpecialResponses } from './special-responses.js';
import type { TimelineReader } from './timelines.js';
import { EVERYBODY } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';

const READERS = EVERYBODY;
const MAX_BATCH = 100;
const MAX_EVENTS = 500;

const number = z
  .string()
  .min(1)
  .max(256)
  .meta({
    description:
      'Tracking number, SSCC (digits, EPC URN or Digital Link) or piece id. The owner can also use an order id or package id.',
  });
/** Carriers reuse numbers: see rule N2 of the protocol. */
export const lifeInput = z
  .int()
  .min(1)
  .max(10_000)
  .optional()
  .meta({
    description:
      'A carrier reuses a number after some months. `life` selects one parcel with this number: 1 is the oldest. Default: the latest.',
  });

/** The schema describes the native timeline; other formats follow their own standards. */
const document = z.union([
  timelineSchema,
  z
    .looseObject({})
    .meta({ description: 'The timeline in another format. The standard of this format defines the fields.' }),
]);

export function otepReading({
  reader,
  formats,
  baseUrl,
}: Parts<'baseUrl'> & { reader: TimelineReader; formats: readonly Format[] }): Operation[] {
  const format = formatName(
    formats,
    `One of ${formatNameList(formats)}. Omitted: \`Accept\` selects the format.`,
  ).optional();
  const specialResponses = createSpecialResponses(reader, baseUrl);
  const entity = z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta({ description: 'Entities to return, from a link in the document. Only for the format `sensorthings`.' });

  return [
    operation({
      name: 'otepTracking',
      area: 'OTEP',
      summary: 'Get the timeline of a tracking number',
      description:
        "Returns the public view; the owner of the shipment gets the full timeline. Events are in order of occurrence. The latest event determines the current status. The first terminal event ends the journey; later events do not change the status. If several parcels have the number, `alternatives` lists the other carriers, and `carrier` selects one. By default, a number selects the caller's own parcel, or else the parcel of the order with this number, or else the parcel of the carrier that used the number first and still uses it. If a carrier has reused the number, `lives` is the number of its parcels, and `life` selects one. For browsers (`Accept: text/html`), the response is a page with the public view.",
      rest: { method: 'get', path: '/v1/otep/trackings/:tracking_number' },
      callers: READERS,
      reads: ['timeline', 'providers'],
      input: z.object({ tracking_number: number, format, carrier, life: lifeInput, entity }),
      output: document,
      answers: {
        304: 'The timeline has not changed.',
        400: '`UNKNOWN_FORMAT`: there is no such format.',
        404: 'The tracking number is unknown.',
        406: '`NOT_ACCEPTABLE`: no format has a media type that the header `Accept` allows.',
      },
      run: async ({ tracking_number, format, carrier, life, entity }, { caller, header }) => {
        const language = chooseLanguage(header('accept-language'));
        if (format === undefined && prefersHtml(header('accept')))
          return specialResponses.page(await reader.find(tracking_number, { carrier, life }, caller), language);
        const chosen = chooseFormat(formats, format, header('accept'));
        if (entity !== undefined)
          return specialResponses.part(
            await reader.find(tracking_number, { carrier, life }, caller),
            chosen,
            entity,
            caller,
          );
        return reader.represent(
          await reader.find(tracking_number, { carrier, life }, caller),
          chosen,
          caller,
          language,
        );
      },
    }),

    operation({
      name: 'otepTrackingEvents',
      area: 'OTEP',
      summary: 'List the events of a tracking number',
      description:
        'Without `after` and `limit`, returns all events in timeline order, in any format with a list of events. With either parameter, returns changes in the order of recording, including retractions. To read later changes, send the returned `revision` as `after`. An event with an `occurred_at` in the future takes effect at that time. At that time, the list gets no additional entry for this event.',
      rest: { method: 'get', path: '/v1/otep/trackings/:tracking_number/events' },
      callers: READERS,
      reads: ['timeline', 'providers'],
      input: z.object({
        tracking_number: number,
        carrier,
        life: lifeInput,
        format,
        after: z
          .int()
          .min(-1)
          .optional()
          .describe('`revision` of the last change that you have read. -1: returns all changes from the first.'),
        limit: z.int().min(1).max(MAX_EVENTS).optional(),
      }),
      output: z.object({
        result: z.boolean(),
        tracking_number: z.string(),
        ...carrierFields,
        revision: z.int(),
        life: z
          .int()
          .optional()
          .describe(
            'Which parcel with this number the response contains: 1 is the oldest. Present only if the number was reused.',
          ),
        lives: z
          .int()
          .optional()
          .describe('Number of parcels that have had this number. If it changes, read the whole timeline again.'),
        events: z.unknown(),
      }),
      answers: {
        400: '`UNKNOWN_FORMAT`: there is no such format.',
        404: 'The tracking number is unknown.',
        406: 'The header `Accept` allows no format of this operation. The error is `application/json`.',
      },
      run: async ({ tracking_number, carrier, life, format, after, limit }, { caller, header }) => {
        const found = await reader.find(tracking_number, { carrier, life }, caller);
        const { life: shown, journey } = await reader.journey(found, caller);
        const response = {
          result: true,
          ...carrierFieldsOf(journey.carrierMatch),
          tracking_number: journey.timeline.subject.tracking_number ?? tracking_number,
          revision: shown.revision,
          ...(shown.count > 1 && { life: shown.index, lives: shown.count }),
        };
        if (after !== undefined || limit !== undefined) {
          const changes = changesSince(shown, after ?? -1, journey);
          const page = pageOf(changes, limit ?? MAX_EVENTS);
          return {
            ...response,
            revision: page.length < changes.length ? page.at(-1)!.revision : shown.revision,
            events: page.map(({ event }) => event),
          };
        }
        const chosen = chooseEnclosedFormat(
          formats.filter(({ events }) => events),
          format,
          header('accept'),
        );
        return {
          ...response,
          events: chosen.format.events!(journey, {
            baseUrl: baseUrl(),
            language: chooseLanguage(header('accept-language')),
          }),
        };
      },
    }),

    operation({
      name: 'otepTrackingBatch',
      area: 'OTEP',
      summary: 'Get the timelines of many tracking numbers',
      description:
        'Use it instead of repeated calls of `otepTracking`. `format` selects the format of the timelines. Without it, the profile in `Accept` selects the format. The response lists unknown numbers in `not_found`.',
      rest: { method: 'post', path: '/v1/otep/trackings/batch' },
      callers: READERS,
      reads: ['timeline', 'providers'],
      input: z.object({ tracking_numbers: z.array(number).min(1).max(MAX_BATCH), format }),
      output: z.object({
        result: z.boolean(),
        found: z.int(),
        not_found: z.array(z.string()),
        trackings: z.array(z.object({ tracking_number: z.string(), ...carrierFields, timeline: document })),
      }),
      answers: {
        400: 'Unknown format.',
        406: 'The header `Accept` allows no format of this operation. The error is `application/json`.',
      },
      run: async ({ tracking_numbers, format }, { caller, header }) => {
        const chosen = chooseEnclosedFormat(formats, format, header('accept'));
        const language = chooseLanguage(header('accept-language'));
        const numbers = [...new Set(tracking_numbers)];
        const results = await Promise.all(
          numbers.map(async (tracking_number) => {
            const journey = await reader
              .find(tracking_number, {}, caller)
              .then(async (found) => {
                const { life, journey } = await reader.journey(found, caller);
                return { journey, order: await reader.orderOf(life, chosen, caller) };
              })
              .catch(ifNotFound);
            return { tracking_number, journey };
          }),
        );
        const trackings = results.flatMap(({ tracking_number, journey }) =>
          journey
            ? [
                {
                  tracking_number,
                  ...carrierFieldsOf(journey.journey.carrierMatch),
                  timeline: chosen.representation.serialize(journey.journey, {
                    baseUrl: baseUrl(),
                    language,
                    order: journey.order,
                  }) as Record<string, unknown>,
                },
              ]
            : [],
        );
        return {
          result: true,
          found: trackings.length,
          not_found: results.flatMap(({ tracking_number, journey }) => (journey ? [] : [tracking_number])),
          trackings,
        };
      },
    }),

    formatList(formats),
  ];
}

/**
 * The first changes. A page does not end between changes of one revision, because the next page begins after the
 * revision.
 */
function pageOf<C extends { readonly revision: number }>(changes: readonly C[], limit: number): readonly C[] {
  const last = changes[limit - 1];
  return last ? changes.filter(({ revision }, index) => index < limit || revision === last.revision) : changes;
}

function ifNotFound(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'TRACKING_NOT_FOUND') return undefined;
  throw error;
}
