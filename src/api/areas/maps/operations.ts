/** Maps of a business, for its people. What everybody with a link sees stands in public.ts. */
import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { MapCommand, MapWish } from '../../../commands/maps/decider.js';
import { LAYER_ROLES, mapStream, publicIdOf, type LayerRole } from '../../../events/maps/events.js';
import type { MapQueries, MapViewer } from '../../../projections/maps/queries.js';
import { MAP_IDS } from '../../../projections/maps/read-model.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { localDate } from '../../core/local-time.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { nameInput } from '../datasets/shapes.js';
import { featureCollection } from './feature.js';
import { featuresOf, type FeatureSources } from './features.js';
import { geoJson } from './geo-json.js';
import { layerId, layersFor, layersInput, mapOutput, toLayers, toMap, viewInput } from './shapes.js';

const READ = {
  tag: 'Custom Maps',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
  scopes: ['datasets:read'],
  reads: ['maps'],
} as const;
const WRITE = {
  tag: 'Custom Maps',
  callers: ['client_admin', 'employee'],
  scopes: ['datasets:write'],
  awaits: ['maps'],
  writes: true,
  risk: 'medium',
} as const;
const PUBLISH = { ...WRITE, callers: ['client_admin'] } as const;
const NOT_THERE = { 404: 'There is no such map, or it is not shown to the caller.' };
const NOT_PUBLIC = { 422: 'A layer shows a personal column or routes: it cannot be published.' };
const DAY_MS = 86_400_000;
/** Of a link: 128 bits. */
const TOKEN_BYTES = 16;

const map_id = idSchema;
const originInput = z
  .string()
  .max(200)
  .refine((text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text)
  .describe('`https://shop.example`, without a path.');

/** Role of a viewer who is shown chosen layers alone. */
function roleOf(caller: Caller): LayerRole | undefined {
  const { role } = userOf(caller);
  return LAYER_ROLES.find((one) => one === role);
}

function viewerOf(caller: Caller): MapViewer {
  const role = roleOf(caller);
  return { business: businessOf(caller), ...(role && { role }) };
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface MapsOptions {
  readonly handle: Handle<MapCommand, undefined>;
  readonly queries: MapQueries;
  readonly sources: FeatureSources;
  /** 32 bytes: tokens follow from it and the request, so that a retry is told the same one. */
  readonly linkKey: Buffer;
  readonly baseUrl: () => string;
}

export function mapOperations({ handle, queries, sources, linkKey, baseUrl }: MapsOptions): Operation[] {
  async function send(id: number, { caller, commandId, cause, wrote }: Context, what: MapWish) {
    const command = { ...what, id, business: businessOf(caller), commandId };
    wrote((await handle(mapStream(id), command, cause)).position);
    return { result: true, map_id: id };
  }
  const written = z.object({ result: z.boolean(), map_id: z.int() });

  async function mapOf(id: number, caller: Caller) {
    const found = await queries.byId(id, viewerOf(caller));
    if (!found) throw new ApiError('MAP_NOT_FOUND');
    return found;
  }

  return [
    operation({
      ...READ,
      name: 'maps',
      summary: 'The maps that the caller is shown, in pages.',
      rest: { method: 'get', path: '/v1/maps' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, maps: z.array(mapOutput) }),
      async run(page, { caller }) {
        const { total, rows } = await queries.list(rangeOf(page), viewerOf(caller));
        const role = roleOf(caller);
        return { ...pageOf(page, total), maps: rows.map((row) => toMap(row, layersFor(row, role))) };
      },
    }),
    operation({
      ...READ,
      name: 'map',
      summary: 'One map with the layers that the caller is shown.',
      rest: { method: 'get', path: '/v1/maps/:map_id' },
      answers: NOT_THERE,
      input: z.object({ map_id }),
      output: z.object({ result: z.boolean(), map: mapOutput }),
      async run(input, { caller }) {
        const row = await mapOf(input.map_id, caller);
        return { result: true, map: toMap(row, layersFor(row, roleOf(caller))) };
      },
    }),
    operation({
      ...READ,
      name: 'mapData',
      summary: 'The features of a layer, as GeoJSON.',
      rest: { method: 'get', path: '/v1/maps/:map_id/layers/:layer.geojson', produces: 'application/geo+json' },
      reads: ['maps', 'pois', 'datasets', 'records', 'routes', 'orders'],
      answers: NOT_THERE,
      description: 'Of routes a contractor or a driver is shown the own ones; they need the scope `routes:read`, too.',
      input: z.object({ map_id, layer: layerId }),
      output: featureCollection,
      async run(input, { caller, time }) {
        const row = await mapOf(input.map_id, caller);
        const layer = layersFor(row, roleOf(caller)).find(({ layer_id }) => layer_id === input.layer);
        if (!layer) throw new ApiError('LAYER_NOT_FOUND');
        const { userId, timezone, scopes } = userOf(caller);
        if (layer.source.routes && !scopes.has('routes:read'))
          throw new ApiError('INSUFFICIENT_SCOPE', { params: { scopes: 'routes:read' } });
        const { business } = row;
        const viewer = {
          business,
          ...(caller.role === 'broker' && { brokerId: userId }),
          ...(caller.role === 'driver' && { driverId: userId }),
        };
        const audience = { business, isPublic: false, viewer, today: localDate(time, timezone) } as const;
        return geoJson(await featuresOf(layer, audience, sources), time);
      },
    }),
    operation({
      ...WRITE,
      name: 'mapCreate',
      summary: 'Make a map.',
      rest: { method: 'post', path: '/v1/maps', status: 201 },
      answers: { 404: 'The dataset of a layer is not there.' },
      input: z.object({ name: nameInput, view: viewInput, layers: layersInput.default([]) }),
      output: written,
      async run({ name, view, layers }, context) {
        const kept = await toLayers(layers, businessOf(context.caller), sources.datasets);
        const [id] = await context.reserveIds(MAP_IDS, 1);
        return send(id!, context, { do: 'create', name, view, layers: kept });
      },
    }),
    operation({
      ...WRITE,
      name: 'mapChange',
      summary: 'Change a map; absent members stay as they are.',
      rest: { method: 'patch', path: '/v1/maps/:map_id' },
      answers: { ...NOT_THERE, ...NOT_PUBLIC },
      input: z.object({
        map_id,
        name: nameInput.optional(),
        view: viewInput.optional(),
        layers: layersInput.optional(),
      }),
      output: written,
      async run({ map_id: id, layers, ...changed }, context) {
        const kept = layers && (await toLayers(layers, businessOf(context.caller), sources.datasets));
        return send(id, context, { do: 'change', ...changed, layers: kept });
      },
    }),
    operation({
      ...WRITE,
      name: 'mapArchive',
      summary: 'Take a map away; its public link ends.',
      rest: { method: 'delete', path: '/v1/maps/:map_id' },
      answers: NOT_THERE,
      input: z.object({ map_id }),
      output: written,
      run: (input, context) => send(input.map_id, context, { do: 'archive' }),
    }),
    operation({
      ...PUBLISH,
      name: 'mapPublish',
      summary: 'Show a map to everybody who has its link; again: with a new link, which ends the one before.',
      description: 'Public points of interest and records without personal columns are shown, nothing else.',
      rest: { method: 'post', path: '/v1/maps/:map_id/publish' },
      risk: 'high',
      confirm: true,
      answers: { ...NOT_THERE, ...NOT_PUBLIC },
      input: z.object({
        map_id,
        allowed_origins: z
          .array(originInput)
          .max(20)
          .default([])
          .describe('Pages that browsers may show it in; empty: all.'),
        expires_in_days: z.int().min(1).max(3_650).optional().describe('Absent: until it is unpublished.'),
      }),
      output: z.object({
        ...written.shape,
        public_id: z.string(),
        token: z.string().describe('Told once; only its hash is kept.'),
        url: z.string(),
        expires_at: z.string().nullable(),
      }),
      async run({ map_id: id, allowed_origins, expires_in_days }, context) {
        const token = createHmac('sha256', linkKey)
          .update(`${id}\n${context.commandId}`)
          .digest()
          .subarray(0, TOKEN_BYTES)
          .toString('base64url');
        const expires =
          expires_in_days === undefined ? undefined : new Date(context.time + expires_in_days * DAY_MS).toISOString();
        const done = await send(id, context, {
          do: 'publish',
          tokenSha256: tokenHash(token),
          allowedOrigins: allowed_origins,
          expiresAt: expires,
        });
        const public_id = publicIdOf(id);
        const url = `${baseUrl()}/api/v1/public/maps/${public_id}?token=${token}`;
        return { ...done, public_id, token, url, expires_at: expires ?? null };
      },
    }),
    operation({
      ...PUBLISH,
      name: 'mapUnpublish',
      summary: 'End the public link of a map.',
      rest: { method: 'post', path: '/v1/maps/:map_id/unpublish' },
      answers: NOT_THERE,
      input: z.object({ map_id }),
      output: written,
      run: (input, context) => send(input.map_id, context, { do: 'unpublish' }),
    }),
  ];
}
