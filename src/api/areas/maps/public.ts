/** Published maps: everyone with the link can view them, in pages of the allowed origins. */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { MapQueries } from '../../../projections/maps/queries.js';
import type { MapRow } from '../../../projections/maps/read-model.js';
import { EVERYBODY } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Context, type Operation, type Representation } from '../../core/operation.js';
import type { MakeAllowance } from '../../core/rate-limit.js';
import { featureCollection } from './feature.js';
import { featuresOf, type FeatureSources } from './features.js';
import { geoJson, withETag } from './geo-json.js';
import { tokenHash } from './publishing.js';
import { layerId } from './layers.js';
import { publicMapOutput, toPublicMap } from './shapes.js';

const READ = { area: 'Custom Maps', callers: EVERYBODY, reads: ['maps', 'pois', 'datasets', 'records'] } as const;
const ANSWERS = {
  403: 'Pages of this origin may not show the map.',
  404: 'There is no such map, it is not published, or the link has expired or was replaced.',
};
/** Limit per network: enough to open a map with twenty layers every five seconds. */
const REQUESTS_A_MINUTE = 300;

const link = { public_id: z.uuid(), token: z.string().min(1).max(64).describe('Token of the public link.') };

export interface PublicMapsOptions {
  readonly queries: MapQueries;
  readonly sources: FeatureSources;
  readonly allowance: MakeAllowance;
}

export function publicMapOperations({ queries, sources, allowance }: PublicMapsOptions): Operation[] {
  const allow = allowance('public-maps', { points: REQUESTS_A_MINUTE, duration: 60 });

  /** The map of a link. Without the correct token, the map is reported as missing. */
  async function mapOf(
    { public_id, token }: { readonly public_id: string; readonly token: string },
    { address, time, header }: Context,
  ): Promise<MapRow> {
    await allow(address);
    const row = await queries.byPublicId(public_id);
    const isValidToken = row && timingSafeEqual(Buffer.from(tokenHash(token)), Buffer.from(row.token_sha256!));
    const isExpired = row?.expires_at != null && Date.parse(row.expires_at) <= time;
    if (!isValidToken || isExpired) throw new ApiError('MAP_NOT_FOUND');
    const origin = header('origin');
    if (origin !== undefined && row.allowed_origins.length > 0 && !row.allowed_origins.includes(origin))
      throw new ApiError('FORBIDDEN');
    return row;
  }

  /** Sets the CORS headers: browsers allow only pages of the map's origins to read the response. */
  const withCorsHeaders = (
    response: Representation,
    { allowed_origins }: MapRow,
    { header }: Pick<Context, 'header'>,
  ): Representation => {
    const origin = header('origin');
    const headers = { Vary: 'Accept, Authorization, Origin, Accept-Encoding', 'Referrer-Policy': 'no-referrer' };
    return allowed_origins.length === 0 || origin === undefined
      ? { ...response, headers }
      : { ...response, headers: { ...headers, 'Access-Control-Allow-Origin': origin } };
  };

  return [
    operation({
      ...READ,
      name: 'mapPublic',
      summary: 'Get a published map',
      description:
        'Returns the view and the layers of a map by its public link; no sign-in is required. Read the features of a layer with `mapPublicData`.',
      rest: { method: 'get', path: '/v1/public/maps/:public_id' },
      answers: ANSWERS,
      input: z.object(link),
      output: z.object({ result: z.boolean(), public_map: publicMapOutput }),
      async run(input, context) {
        const row = await mapOf(input, context);
        return withCorsHeaders(
          withETag({ result: true, public_map: toPublicMap(row) }, 'application/json', context.time),
          row,
          context,
        );
      },
    }),
    operation({
      ...READ,
      name: 'mapPublicData',
      summary: 'Get the features of a published map layer as GeoJSON',
      description:
        'No sign-in is required. Contains public points of interest, records without personal columns, and the listed properties of uploaded files.',
      rest: {
        method: 'get',
        path: '/v1/public/maps/:public_id/layers/:layer.geojson',
        produces: 'application/geo+json',
      },
      answers: ANSWERS,
      input: z.object({ ...link, layer: layerId }),
      output: featureCollection,
      async run({ layer: id, ...linkInput }, context) {
        const row = await mapOf(linkInput, context);
        const layer = row.layers.find(({ layer_id }) => layer_id === id);
        if (!layer) throw new ApiError('LAYER_NOT_FOUND');
        const features = await featuresOf(layer, { business: row.business, isPublic: true }, sources);
        return withCorsHeaders(geoJson(features, context.time), row, context);
      },
    }),
  ];
}
