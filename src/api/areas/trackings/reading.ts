/**
 * Reading timelines: one, its events, many, and the list of formats. Public; the owner of a shipment gets it in full.
 */
import { z } from 'zod';
import { timelineSchema } from '../../../events/otep/schema.js';
import { changesSince } from '../../../projections/trackings/journeys.js';
import type { Format } from '../../../serializers/format.js';
import { chooseFormat, formatName, names, wantsPage } from './formats.js';
import { specialAnswers } from './special.js';
import type { Found, TimelineReader } from './timelines.js';
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
      'Tracking number; also an SSCC (as digits, EPC URN or Digital Link), a piece id, or, for their owner, an order or package id.',
  });
export const carrier = z
  .string()
  .max(64)
  .optional()
  .meta({
    description:
      'Only the parcel of this carrier, where several have the number: as `carrier` and `alternatives` of the answer name them.',
  });

/** The carrier of the tracking, and the other carriers with the same number. */
export const whoseSchema = {
  carrier: z.string().describe('Whose tracking this is: a provider, or the code of the business whose order it is.'),
  alternatives: z.array(z.string()).optional().describe('Others who have a parcel of this number: see `carrier`.'),
};
export const whose = ({ carrier, alternatives }: Found) => ({
  carrier,
  ...(alternatives.length > 0 && { alternatives: [...alternatives] }),
});

/** The schema describes the native timeline; other formats follow their own standards. */
const document = z.union([
  timelineSchema,
  z.looseObject({}).meta({ description: 'The timeline in another format, by its own standard.' }),
]);

export function otepReading({
  reader,
  formats,
  baseUrl,
}: Parts<'baseUrl'> & { reader: TimelineReader; formats: readonly Format[] }): Operation[] {
  const format = formatName(formats, `One of ${names(formats)}; without it \`Accept\` chooses.`).optional();

  const special = specialAnswers(reader, baseUrl);
  const entity = z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta({ description: 'Of format sensorthings: the entity or list of them that a link of the document names.' });

  return [
    operation({
      name: 'otepTracking',
      area: 'OTEP',
      summary: 'The unified timeline of a tracking number',
      description:
        "The order of events is by occurrence; the current status is the latest event's, except that the first terminal one ends the journey. Where several have the number, an order's own number means that order's parcel, and any other the parcel of whoever was first to use it; `carrier` asks for another one, and the answer names its carrier and the `alternatives`. A browser (`Accept: text/html`) gets the public view as a page.",
      rest: { method: 'get', path: '/v1/otep/trackings/:tracking_number' },
      callers: READERS,
      reads: ['timeline'],
      input: z.object({ tracking_number: number, format, carrier, entity }),
      output: document,
      answers: { 304: 'Not modified.', 400: 'Unknown format.', 404: 'Unknown number.', 406: 'No acceptable format.' },
      run: async ({ tracking_number, format, carrier, entity }, { caller, header }) => {
        const language = chooseLanguage(header('accept-language'));
        if (format === undefined && wantsPage(header('accept')))
          return special.page(await reader.find(tracking_number, carrier, caller), language);
        const chosen = chooseFormat(formats, format, header('accept'));
        if (entity !== undefined)
          return special.part(await reader.find(tracking_number, carrier, caller), chosen, entity, caller);
        return reader.represent(await reader.find(tracking_number, carrier, caller), chosen, caller, language);
      },
    }),

    operation({
      name: 'otepTrackingEvents',
      area: 'OTEP',
      summary: 'Only the events of a tracking number',
      description:
        "Without `after` and `limit`: all events in timeline order, in any format that has a list of events. With one of them: changes in the order they were recorded, retractions among them; pass the answer's `revision` as the next `after`.",
      rest: { method: 'get', path: '/v1/otep/trackings/:tracking_number/events' },
      callers: READERS,
      reads: ['timeline'],
      input: z.object({
        tracking_number: number,
        carrier,
        format,
        after: z.int().min(-1).optional(),
        limit: z.int().min(1).max(MAX_EVENTS).optional(),
      }),
      output: z.object({
        result: z.boolean(),
        tracking_number: z.string(),
        ...whoseSchema,
        revision: z.int(),
        events: z.unknown(),
      }),
      answers: { 400: 'Unknown format.', 404: 'Unknown number.' },
      run: async ({ tracking_number, carrier, format, after, limit }, { caller, header }) => {
        const found = await reader.find(tracking_number, carrier, caller);
        const { row, journey } = await reader.journey(found, caller);
        const answer = {
          result: true,
          ...whose(found),
          tracking_number: journey.timeline.subject.tracking_number ?? tracking_number,
          revision: row.revision,
        };
        if (after !== undefined || limit !== undefined) {
          const changes = changesSince(row, after ?? -1, journey);
          const page = changes.slice(0, limit ?? MAX_EVENTS);
          return {
            ...answer,
            revision: page.length < changes.length ? page.at(-1)!.revision : row.revision,
            events: page.map(({ event }) => event),
          };
        }
        const chosen = chooseFormat(
          formats.filter(({ events }) => events),
          format,
          format === undefined ? header('accept') : undefined,
        );
        return {
          ...answer,
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
      summary: 'Many timelines in one call',
      rest: { method: 'post', path: '/v1/otep/trackings/batch' },
      callers: READERS,
      reads: ['timeline'],
      input: z.object({ tracking_numbers: z.array(number).min(1).max(MAX_BATCH), format }),
      output: z.object({
        result: z.boolean(),
        found: z.int(),
        not_found: z.array(z.string()),
        trackings: z.array(z.object({ tracking_number: z.string(), ...whoseSchema, timeline: document })),
      }),
      run: async ({ tracking_numbers, format }, { caller, header }) => {
        const chosen = chooseFormat(formats, format, format === undefined ? undefined : header('accept'));
        const language = chooseLanguage(header('accept-language'));
        const numbers = [...new Set(tracking_numbers)];
        const read = await Promise.all(
          numbers.map(async (tracking_number) => {
            const journey = await reader
              .find(tracking_number, undefined, caller)
              .then(async (found) => {
                const { row, journey } = await reader.journey(found, caller);
                return { found, journey, order: await reader.orderOf(row, chosen, caller) };
              })
              .catch(ifNotFound);
            return { tracking_number, journey };
          }),
        );
        const trackings = read.flatMap(({ tracking_number, journey }) =>
          journey
            ? [
                {
                  tracking_number,
                  ...whose(journey.found),
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
          not_found: read.flatMap(({ tracking_number, journey }) => (journey ? [] : [tracking_number])),
          trackings,
        };
      },
    }),

    operation({
      name: 'otepFormats',
      area: 'OTEP',
      summary: 'The formats that timelines are told in',
      rest: { method: 'get', path: '/v1/otep/formats' },
      callers: READERS,
      input: z.object({}),
      output: z.object({
        result: z.boolean(),
        formats: z.array(
          z
            .object({
              name: z.string(),
              media_types: z.array(z.string()),
              profile: z.string(),
              standard: z.string(),
              version: z.string(),
              direction: z.string(),
              lost: z.array(z.string()),
              events: z.boolean(),
            })
            .meta({ id: 'OtepFormat' }),
        ),
      }),
      run: () =>
        Promise.resolve({
          result: true,
          formats: formats.map(({ name, mediaType, variants = [], standard, version, direction, lost, events }) => ({
            name,
            media_types: [mediaType, ...variants.map((variant) => variant.mediaType)],
            profile: `urn:otep:format:${name}`,
            standard,
            version,
            direction,
            lost: [...lost],
            events: events !== undefined,
          })),
        }),
    }),
  ];
}

function ifNotFound(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'TRACKING_NOT_FOUND') return undefined;
  throw error;
}
