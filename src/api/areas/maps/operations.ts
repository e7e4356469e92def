/** Maps of a business, for its users. Public access is in public.ts. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { MapCommand, MapChange } from '../../../commands/maps/decider.js';
import { LAYER_ROLES, mapStream, type LayerRole } from '../../../events/maps/events.js';
import type { MapQueries, MapViewer } from '../../../projections/maps/queries.js';
import { MAP_IDS } from '../../../projections/maps/read-model.js';
import { deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { nameInput } from '../datasets/shapes.js';
import { featureCollection } from './feature.js';
import { featuresOf, type FeatureSources } from './features.js';
import { geoJson } from './geo-json.js';
import type { LayerFiles } from './layer-files.js';
import { layerId, layersInput, toLayers, viewInput, type LayerSources } from './layers.js';
import {
  map_id,
  mayPublish,
  NOT_PUBLIC_ANSWER,
  NOT_FOUND,
  PUBLISHED_ANSWER,
  publishing,
  WRITE,
  writeOutput,
} from './publishing.js';
import { layersFor, MAP_VERSION, mapOutput, toMap } from './shapes.js';

const READ = {
  area: 'Custom Maps',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
  scopes: ['datasets:read'],
  reads: ['maps'],
} as const;
const LAYER_ANSWERS = {
  404: 'A dataset, fleet or file of a layer does not exist.',
  422: '`GEOJSON_INVALID`: the file of a layer is not valid GeoJSON.',
};
/** The role of a viewer who sees only selected layers; undefined for staff. */
function roleOf(caller: Caller): LayerRole | undefined {
  const { role } = userOf(caller);
  return LAYER_ROLES.find((one) => one === role);
}

function viewerOf(caller: Caller): MapViewer {
  const role = roleOf(caller);
  return { business: businessOf(caller), ...(role && { role }) };
}

const uploader = (mapId: number, caller: Caller) => ({
  business: businessOf(caller),
  userId: userOf(caller).userId,
  mapId,
});

export interface MapsOptions {
  readonly handle: Handle<MapCommand, undefined>;
  readonly queries: MapQueries;
  readonly sources: FeatureSources & LayerSources & { readonly layerFiles: LayerFiles };
  /** 32 bytes: the link token derives from this key and the request, so that a retry returns the same token. */
  readonly linkKey: Buffer;
  readonly baseUrl: () => string;
}

export function mapOperations({ handle, queries, sources, linkKey, baseUrl }: MapsOptions): Operation[] {
  async function send(id: number, { caller, commandId, cause, wrote }: Context, change: MapChange) {
    const command = { ...change, id, business: businessOf(caller), commandId, mayPublish: mayPublish(caller) };
    wrote((await handle(mapStream(id), command, cause)).position);
    return { result: true, map_id: id };
  }
  async function mapOf(id: number, caller: Caller) {
    const found = await queries.byId(id, viewerOf(caller));
    if (!found) throw new ApiError('MAP_NOT_FOUND');
    return found;
  }

  return [
    operation({
      ...READ,
      name: 'maps',
      summary: 'List maps',
      description:
        'Lists maps of the business with the layers that the caller may see. Contractors and drivers see only maps with a layer for their role.',
      rest: { method: 'get', path: '/v1/maps' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, maps: z.array(mapOutput) }),
      async run(page, { caller }) {
        const { rows, ...found } = await queries.list(rangeOf(page), viewerOf(caller));
        const role = roleOf(caller);
        return { ...pageOf(page, found), maps: rows.map((row) => toMap(row, layersFor(row, role))) };
      },
    }),
    operation({
      ...READ,
      name: 'map',
      versioned: MAP_VERSION,
      summary: 'Get a map',
      description:
        'Returns the view of the map, the layers that the caller may see, and the publication. Read the features of a layer with `mapData`.',
      rest: { method: 'get', path: '/v1/maps/:map_id' },
      answers: NOT_FOUND,
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
      summary: 'Get the features of a map layer as GeoJSON',
      rest: { method: 'get', path: '/v1/maps/:map_id/layers/:layer.geojson', produces: 'application/geo+json' },
      reads: ['maps', 'pois', 'datasets', 'records', 'routes', 'orders', 'riders', 'board', 'fleets'],
      answers: NOT_FOUND,
      description:
        'Contractors and drivers see only their own routes. In a layer of drivers, contractors see only drivers of their fleets, and drivers see only themselves. A layer of routes also requires the scope `routes:read`, and a layer of drivers requires `drivers:read` (`INSUFFICIENT_SCOPE`).',
      input: z.object({ map_id, layer: layerId }),
      output: featureCollection,
      async run(input, { caller, time }) {
        const row = await mapOf(input.map_id, caller);
        const layer = layersFor(row, roleOf(caller)).find(({ layer_id }) => layer_id === input.layer);
        if (!layer) throw new ApiError('LAYER_NOT_FOUND');
        const { userId, timezone, scopes } = userOf(caller);
        const needed = layer.source.routes ? 'routes:read' : layer.source.drivers ? 'drivers:read' : undefined;
        if (needed && !scopes.has(needed)) throw new ApiError('INSUFFICIENT_SCOPE', { params: { scopes: needed } });
        const { business } = row;
        const viewer = {
          business,
          ...(caller.role === 'broker' && { brokerId: userId }),
          ...(caller.role === 'driver' && { driverId: userId }),
        };
        const audience = { business, isPublic: false, viewer, today: localDate(time, timezone), time } as const;
        return geoJson(await featuresOf(layer, audience, sources), time);
      },
    }),
    operation({
      ...WRITE,
      name: 'mapCreate',
      returns: { read: 'map' },
      summary: 'Create a map',
      description:
        'Creates a map, optionally with layers. The map is visible to staff, and to the roles that its layers name. To share it with everyone, publish it.',
      rest: { method: 'post', path: '/v1/maps', status: 201 },
      answers: LAYER_ANSWERS,
      input: z.object({ name: nameInput, view: viewInput, layers: layersInput.default([]) }),
      output: writeOutput,
      async run({ name, view, layers }, context) {
        const [id] = await context.reserveIds(MAP_IDS, 1);
        const storedLayers = await toLayers(layers, uploader(id!, context.caller), sources);
        const response = await send(id!, context, { do: 'create', name, view, layers: storedLayers });
        if (!context.cause.dryRun) await sources.layerFiles.syncUsage(id!, [], storedLayers);
        return response;
      },
    }),
    operation({
      ...WRITE,
      name: 'mapUpdate',
      versioned: MAP_VERSION,
      returns: { read: 'map' },
      summary: 'Update a map',
      description:
        'Fields that are omitted stay unchanged; `layers` replaces all layers. While the map is published, only callers that may publish maps can change it (`MAP_PUBLISHED`). Layers with personal columns, routes or drivers are then rejected (`LAYER_NOT_PUBLIC`).',
      rest: { method: 'patch', path: '/v1/maps/:map_id' },
      answers: {
        ...LAYER_ANSWERS,
        403: PUBLISHED_ANSWER,
        404: `${NOT_FOUND[404]} The same response is returned if a dataset, fleet or file of a layer does not exist.`,
        422: `${NOT_PUBLIC_ANSWER[422]} ${LAYER_ANSWERS[422]}`,
      },
      input: z.object({
        map_id,
        name: nameInput.optional(),
        view: viewInput.optional(),
        layers: layersInput.optional(),
      }),
      output: writeOutput,
      async run({ map_id: id, layers, ...changed }, context) {
        const before = layers && (await mapOf(id, context.caller)).layers;
        const storedLayers = layers && (await toLayers(layers, uploader(id, context.caller), sources));
        const response = await send(id, context, { do: 'change', ...changed, layers: storedLayers });
        if (before && storedLayers && !context.cause.dryRun)
          await sources.layerFiles.syncUsage(id, before, storedLayers);
        return response;
      },
    }),
    operation({
      ...WRITE,
      name: 'mapDelete',
      versioned: MAP_VERSION,
      summary: 'Delete a map',
      description:
        'The public link of the map stops working, and the uploaded files of its layers are deleted. Only callers that may publish maps can delete a published map (`MAP_PUBLISHED`).',
      rest: { method: 'delete', path: '/v1/maps/:map_id' },
      answers: { ...NOT_FOUND, 403: PUBLISHED_ANSWER },
      input: z.object({ map_id }),
      output: deletedSchema,
      async run({ map_id: id }, context) {
        const before = await queries.byId(id, viewerOf(context.caller));
        await send(id, context, { do: 'archive' });
        if (before && !context.cause.dryRun) await sources.layerFiles.syncUsage(id, before.layers, []);
        return { result: true };
      },
    }),
    ...publishing({ send, linkKey, baseUrl }),
  ];
}
