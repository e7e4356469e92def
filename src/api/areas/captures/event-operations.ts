/** Event queries of the EPCIS REST bindings, over the shipments of the calling provider or business. */
import Negotiator from 'negotiator';
import { z } from 'zod';
import type { Subject } from '../../../events/otep/model.js';
import { identifiersOf, type Owner } from '../../../events/trackings/events.js';
import type { TrackingQueries } from '../../../projections/trackings/queries.js';
import { createPageContext } from '../../../serializers/epcis/page-context.js';
import { writeQueryDocument } from '../../../serializers/epcis/query-document.js';
import { toDigitalLinks } from '../../../serializers/epcis/received.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { readPage, type PageOptions } from './event-page.js';
import { queryProblemType } from './exceptions.js';
import { ANNOUNCED_HEADERS, checkVersions, epcFormatOf, eventHeaders } from './headers.js';
import {
  actionCondition,
  cursorOf,
  dispositionCondition,
  eventIdsOf,
  momentOf,
  parcelsOf,
  stepCondition,
  tokenOf,
  typeCondition,
  type Values,
} from './query.js';
import { ApiError } from '../../core/errors.js';
import { seesAll } from '../trackings/visibility.js';
import { operation, type Operation } from '../../core/operation.js';

export interface EpcisEventsOptions extends Omit<PageOptions, 'trackings'> {
  readonly trackings: TrackingQueries;
  readonly baseUrl: () => string;
  /** Waits briefly until the read models contain all events stored before the call; returns whether they do. */
  readonly isCurrent: () => Promise<boolean>;
}

const PATH = '/v1/otep/epcis/events';
const DEFAULT_PAGE = 30;
const MAX_PAGE = 100;

const valuesInput = (description: string) =>
  z
    .union([z.string().min(1).max(4_096), z.array(z.string().min(1).max(4_096)).max(100)])
    .optional()
    .meta({
      description: `${description} For several values, repeat the parameter or separate the values with \`|\`.`,
    });
/** Parameters that name parcels or classes of goods. */
const MATCHES = ['MATCH_epc', 'MATCH_anyEPC', 'MATCH_epcClass', 'MATCH_anyEPCClass'] as const;
const CLASS_DESCRIPTION = 'EPC class of events that contain quantities but no EPC. Patterns are not supported.';
const EPC_DESCRIPTION =
  'EPC URN or Digital Link of a parcel. Both forms of an SSCC select the same parcel. Patterns are not supported.';

export function epcisEvents({ trackings, baseUrl, isCurrent, ...paging }: EpcisEventsOptions): Operation[] {
  /** The ids of the caller's own shipments among the subjects. */
  async function visibleTrackingsOf(subjects: readonly Subject[], caller: Caller): Promise<string[]> {
    const heads = await Promise.all(subjects.flatMap(identifiersOf).map(trackings.byIdentifier));
    return heads
      .flat()
      .filter((head) => seesAll({ owner: head.owner, trackings: [head] }, caller))
      .map(({ id }) => id);
  }

  return [
    operation({
      name: 'epcisEvents',
      area: 'EPCIS',
      summary: 'Query your events in EPCIS 2.0 format',
      description:
        'Returns the events of the shipments of the calling provider or business, ordered by event time. The result contains all events stored before the request. The header `Link` with `rel="next"` points to the next page; the last page has no such link. A page may have fewer than `perPage` events. A captured event is returned once, as it was received. A caller that did not capture the event gets it with only the parcels that this caller may see.',
      rest: { method: 'get', path: PATH, announces: ANNOUNCED_HEADERS, problemType: queryProblemType },
      callers: ['provider', 'client_admin', 'employee', 'auditor'],
      scopes: ['orders:read'],
      reads: ['timeline', 'captures', 'epcis_events'],
      input: z.object({
        MATCH_epc: valuesInput(EPC_DESCRIPTION),
        MATCH_anyEPC: valuesInput(EPC_DESCRIPTION),
        MATCH_epcClass: valuesInput(CLASS_DESCRIPTION),
        MATCH_anyEPCClass: valuesInput(CLASS_DESCRIPTION),
        GE_eventTime: z
          .string()
          .max(64)
          .optional()
          .meta({ description: 'Return only events at this time or later (RFC 3339).', format: 'date-time' }),
        LT_eventTime: z
          .string()
          .max(64)
          .optional()
          .meta({ description: 'Return only events before this time (RFC 3339).', format: 'date-time' }),
        eventType: valuesInput('Event type: `ObjectEvent`, `AggregationEvent`, and so on.'),
        EQ_action: valuesInput('Action: `OBSERVE`, `ADD` or `DELETE`.'),
        EQ_bizStep: valuesInput('Business step: a CBV term in any notation, or a URI.'),
        EQ_disposition: valuesInput('Disposition: a CBV term in any notation, or a URI.'),
        EQ_eventID: valuesInput('Event id, as given by the producer or as returned by this service.'),
        orderBy: z.literal('eventTime').optional().describe('Sorts by event time. No other value is possible.'),
        orderDirection: z
          .enum(['ASC', 'DESC'])
          .optional()
          .meta({ description: 'Sort direction. Default: `DESC` with `orderBy`, otherwise `ASC`.' }),
        perPage: z.int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE).describe('Maximum number of events per page.'),
        nextPageToken: z
          .string()
          .max(256)
          .optional()
          .describe('Token of the next page, from the header `Link` of the previous page.'),
      }),
      output: z.looseObject({}).meta({ description: 'An EPCISQueryDocument.' }),
      answers: {
        400: 'A parameter is unknown or has an invalid value.',
        406: 'The requested media type, or version of EPCIS or CBV, is not supported.',
      },
      run: async (input, { caller, header }) => {
        checkVersions(header);
        const format = epcFormatOf(header, 'returned');
        const mediaType = mediaTypeFor(header('accept'));
        // Only the first page waits; later pages continue the same result.
        if (input.nextPageToken === undefined) await isCurrent();
        const trackingSets = await Promise.all(
          MATCHES.flatMap((name) =>
            input[name] === undefined ? [] : [visibleTrackingsOf(parcelsOf(name, input[name]), caller)],
          ),
        );
        const conditions = [
          ...(input.eventType === undefined ? [] : [typeCondition('eventType', input.eventType)]),
          ...(input.EQ_action === undefined ? [] : [actionCondition('EQ_action', input.EQ_action)]),
          ...(input.EQ_bizStep === undefined ? [] : [stepCondition('EQ_bizStep', input.EQ_bizStep)]),
          ...(input.EQ_disposition === undefined ? [] : [dispositionCondition('EQ_disposition', input.EQ_disposition)]),
        ];
        const query = {
          caller: queryOwnerOf(caller),
          ...(trackingSets.length > 0 && {
            trackings: trackingSets.reduce((one, other) => one.filter((id) => other.includes(id))),
          }),
          ...(input.GE_eventTime !== undefined && { from: momentOf('GE_eventTime', input.GE_eventTime) }),
          ...(input.LT_eventTime !== undefined && { before: momentOf('LT_eventTime', input.LT_eventTime) }),
          ...(input.EQ_eventID !== undefined && { ids: eventIdsOf(input.EQ_eventID) }),
          ...(input.nextPageToken !== undefined && { after: cursorOf('nextPageToken', input.nextPageToken) }),
          candidates: conditions.flatMap(({ candidates }) => candidates ?? []),
          descending: (input.orderDirection ?? (input.orderBy ? 'DESC' : 'ASC')) === 'DESC',
        };
        const page =
          query.trackings?.length === 0
            ? { events: [], context: createPageContext().toContext() }
            : await readPage(query, (entry) => conditions.every(({ matches }) => matches(entry)), input.perPage, {
                ...paging,
                trackings,
              });
        const events = format === 'Always_GS1_Digital_Link' ? page.events.map(toDigitalLinks) : page.events;
        const document = writeQueryDocument(events, new Date(paging.now()).toISOString(), page.context);
        return {
          body: Buffer.from(JSON.stringify(document)),
          mediaType,
          headers: {
            ...eventHeaders(format),
            ...(page.next && {
              Link: `<${baseUrl()}/api${PATH}?${toQueryString({ ...input, nextPageToken: tokenOf(page.next) })}>; rel="next"`,
            }),
          },
        };
      },
    }),
  ];
}

const queryOwnerOf = (caller: Caller): Owner =>
  caller.role === 'provider'
    ? { kind: 'provider', id: caller.id }
    : { kind: 'business', id: String(businessOf(caller)) };

function toQueryString(input: Readonly<Record<string, Values | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(input))
    for (const value of [values ?? []].flat()) query.append(name, String(value));
  return query.toString();
}

const MEDIA_TYPES = ['application/json', 'application/ld+json'];

function mediaTypeFor(accept = '*/*'): string {
  const found = new Negotiator({ headers: { accept } }).mediaType(MEDIA_TYPES);
  if (found === undefined)
    throw new ApiError('NOT_ACCEPTABLE', {
      params: { allowed: MEDIA_TYPES.join(', ') },
      errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed: MEDIA_TYPES.join(', ') } }],
    });
  return found;
}
