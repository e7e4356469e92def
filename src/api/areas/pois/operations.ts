/** Points of interest. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { PoiCommand, PoiChange } from '../../../commands/pois/decider.js';
import { poiStream, VISIBILITIES, type Place } from '../../../events/pois/events.js';
import type { PoiQueries, PoiViewer } from '../../../projections/pois/queries.js';
import type { ReadSharedPois } from '../../../projections/pois/shared.js';
import { POI_IDS } from '../../../projections/pois/read-model.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { boxInput, boxOf, latitude, longitude } from '../../core/geo.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { createWrite } from '../../core/write.js';
import { clientInput, granteeOf } from '../alliances/grantee.js';
import {
  categoryInput,
  clearedPlace,
  openingHours,
  placeInput,
  POI_VERSION,
  poiSchema,
  tagsInput,
  toChangedPlace,
  toPoi,
} from './shapes.js';

const READ = {
  area: 'POI',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver', 'customer'],
  scopes: ['datasets:read'],
  reads: ['pois', 'alliances'],
} as const;
const WRITE = {
  area: 'POI',
  callers: ['client_admin', 'employee'],
  scopes: ['datasets:write'],
  awaits: ['pois'],
  writes: true,
  risk: 'medium',
} as const;
const NOT_FOUND = { 404: 'There is no such point of interest, or the caller cannot see it.' };
const MAX_POIS = 100_000;

const viewerOf = (caller: Caller): PoiViewer => ({
  business: businessOf(caller),
  publicOnly: userOf(caller).role === 'customer',
});

export interface PoisOptions {
  readonly handle: Handle<PoiCommand, undefined>;
  readonly queries: PoiQueries;
  /** Points of interest that partners share. */
  readonly shared: ReadSharedPois;
}

export function poiOperations({ handle, queries, shared }: PoisOptions): Operation[] {
  const write = createWrite(handle, poiStream);
  const send = async (id: number, context: Context, change: PoiChange) => {
    await write(id, context, change);
    return { result: true, poi_id: id };
  };
  const writeOutput = z.object({ result: z.boolean() });

  return [
    operation({
      ...READ,
      name: 'pois',
      summary: 'List points of interest',
      description:
        'With `latitude` and `longitude`, lists the nearest first. With `business_id`, staff list the points of interest that a partner grants (`network`). Points of interest of a partner contain no notes and no `external_ref`, and cannot be filtered by `external_ref`. The same applies to all points of interest that customers read.',
      rest: { method: 'get', path: '/v1/pois' },
      input: z.object({
        category: categoryInput.optional(),
        tag: z.string().min(1).max(40).optional(),
        query: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .optional()
          .describe('Return only points of interest whose name contains this text.'),
        external_ref: z.string().min(1).max(100).optional(),
        bbox: boxInput.optional(),
        latitude: latitude.optional().describe('Search near this position. Requires `longitude`.'),
        longitude: longitude.optional(),
        within_m: z.int().min(1).max(1_000_000).default(50_000).describe('Search radius in metres.'),
        ...clientInput,
        ...pageInput,
      }),
      answers: { 404: 'The business with this `business_id` grants the caller no points of interest.' },
      output: z.object({ ...pageOutput, pois: z.array(poiSchema) }),
      async run({ business_id, external_ref, page, per_page, cursor, ...filters }, { caller }) {
        const { category, tag, query, bbox, latitude, longitude, within_m } = filters;
        const range = { page, per_page, cursor };
        for (const [field, given] of Object.entries({ latitude, longitude }))
          if (given === undefined && (latitude ?? longitude) !== undefined)
            throw new ApiError('INVALID_INPUT', { errors: [{ field, path: `/${field}`, code: 'REQUIRED' }] });
        const filter = {
          category,
          tags: tag === undefined ? undefined : [tag],
          q: query,
          box: bbox === undefined ? undefined : boxOf(bbox),
          near: latitude === undefined ? undefined : { latitude, longitude: longitude!, withinM: within_m },
        };
        const taker = granteeOf(caller, business_id);
        if (taker) {
          if (external_ref !== undefined) throw invalidForm('external_ref', 'absent if `business_id` is present');
          if (!taker.mayUseGrants) throw fieldError('NOT_FOUND', 'business_id');
          const { granted, pois, ...found } = await shared(taker, filter, rangeOf(range));
          if (!granted) throw fieldError('NOT_FOUND', 'business_id');
          return { ...pageOf(range, found), pois: pois.map(({ poi, via }) => toPoi(poi, true, via)) };
        }
        const viewer = viewerOf(caller);
        if (viewer.publicOnly && external_ref !== undefined) throw invalidForm('external_ref', 'absent for customers');
        const { rows, ...listed } = await queries.list(
          { ...filter, externalRef: external_ref },
          rangeOf(range),
          viewer,
        );
        return { ...pageOf(range, listed), pois: rows.map((poi) => toPoi(poi, viewer.publicOnly)) };
      },
    }),
    operation({
      ...READ,
      name: 'poi',
      versioned: POI_VERSION,
      summary: 'Get a point of interest',
      description: 'With `business_id`, staff read a point of interest that a partner grants (`network`).',
      rest: { method: 'get', path: '/v1/pois/:poi_id' },
      answers: NOT_FOUND,
      input: z.object({ poi_id: idSchema, ...clientInput }),
      output: z.object({ result: z.boolean(), poi: poiSchema }),
      async run({ poi_id, business_id }, { caller }) {
        const taker = granteeOf(caller, business_id);
        if (taker) {
          const found = taker.mayUseGrants
            ? await shared(taker, { id: poi_id }, { offset: 0, limit: 1 })
            : { pois: [] };
          if (!found.pois[0]) throw new ApiError('POI_NOT_FOUND');
          return { result: true, poi: toPoi(found.pois[0].poi, true, found.pois[0].via) };
        }
        const viewer = viewerOf(caller);
        const poi = await queries.byId(poi_id, viewer);
        if (!poi) throw new ApiError('POI_NOT_FOUND');
        return { result: true, poi: toPoi(poi, viewer.publicOnly) };
      },
    }),
    operation({
      ...WRITE,
      name: 'poiCreate',
      returns: { read: 'poi' },
      summary: 'Create a point of interest',
      rest: { method: 'post', path: '/v1/pois', status: 201 },
      answers: { 409: '`TOO_MANY_POIS`: the business has reached the maximum number of points of interest.' },
      input: z.object(placeInput),
      output: writeOutput,
      async run(place, context) {
        if ((await queries.count(businessOf(context.caller))) >= MAX_POIS)
          throw new ApiError('TOO_MANY_POIS', { params: { max: MAX_POIS } });
        const [id] = await context.reserveIds(POI_IDS, 1);
        return send(id!, context, { do: 'create', place: place as Place });
      },
    }),
    operation({
      ...WRITE,
      name: 'poiUpdate',
      versioned: POI_VERSION,
      returns: { read: 'poi' },
      summary: 'Update a point of interest',
      description: 'Fields that are omitted stay unchanged; null clears a field that may be absent.',
      rest: { method: 'patch', path: '/v1/pois/:poi_id' },
      answers: NOT_FOUND,
      input: z.object({
        poi_id: idSchema,
        ...z
          .object({ ...placeInput, opening_hours: openingHours, tags: tagsInput, visibility: z.enum(VISIBILITIES) })
          .partial().shape,
        ...clearedPlace,
      }),
      output: writeOutput,
      run: ({ poi_id, ...changed }, context) =>
        send(poi_id, context, { do: 'change', place: toChangedPlace(changed) as Partial<Place> }),
    }),
    operation({
      ...WRITE,
      name: 'poiDelete',
      versioned: POI_VERSION,
      summary: 'Delete a point of interest',
      description: 'Removes the point of interest from all lists and maps.',
      rest: { method: 'delete', path: '/v1/pois/:poi_id' },
      answers: NOT_FOUND,
      input: z.object({ poi_id: idSchema }),
      output: deletedSchema,
      run: ({ poi_id }, context) => deleted(send(poi_id, context, { do: 'archive' })),
    }),
  ];
}
