/**
 * Custom maps: layers of places and datasets of a business. Staff can view them. A public link makes a map accessible
 * to everyone.
 */
import { MAP_EXAMPLES } from '../api/areas/maps/examples.js';
import { mapOperations } from '../api/areas/maps/operations.js';
import { createLayerFiles } from '../api/areas/maps/layer-files.js';
import { publicMapOperations } from '../api/areas/maps/public.js';
import { maps as decider } from '../commands/maps/decider.js';
import { MAP_EVENTS, MAP_PREFIX } from '../events/maps/events.js';
import { createMapQueries } from '../projections/maps/queries.js';
import { createDriverPlaces } from '../projections/riders/places.js';
import { MAP_IDS, maps as mapRows } from '../projections/maps/read-model.js';
import { area } from './area.js';
import { datasets } from './datasets.js';
import { files } from './files.js';
import { fleets } from './fleets.js';
import { orders } from './orders.js';
import { pois } from './pois.js';
import { routes } from './routes.js';

export const maps = area({
  name: 'maps',
  examples: MAP_EXAMPLES,
  streams: [{ prefix: MAP_PREFIX, events: MAP_EVENTS, tenant: 'business' }],
  readModels: [mapRows],
  sequences: [MAP_IDS],
  errors: { MAP_NOT_FOUND: 404, LAYER_NOT_FOUND: 404, LAYER_NOT_PUBLIC: 422, MAP_PUBLISHED: 403, GEOJSON_INVALID: 422 },
  operations(_services, { allowance, handle, database, baseUrl, of, engines: { secretFor } }) {
    const queries = createMapQueries(database);
    const sources = {
      ...of(datasets),
      pois: of(pois).queries,
      routes: of(routes).queries,
      orders: of(orders).queries,
      fleets: of(fleets).queries,
      driverPlaces: createDriverPlaces(database),
      layerFiles: createLayerFiles(of(files), of(files).readers.requests),
    };
    return [
      ...mapOperations({ handle: handle(decider), queries, sources, linkKey: secretFor('map links'), baseUrl }),
      ...publicMapOperations({ queries, sources, allowance }),
    ];
  },
});
