/** Decides commands on a point of interest. */
import { PoiArchived, PoiChanged, PoiCreated, POI_PREFIX, poiStream, type Place } from '../../events/pois/events.js';
import { entity, happened, type EntityCommand } from '../core/entity.js';

export type PoiWish =
  | { readonly do: 'create'; readonly place: Place }
  | { readonly do: 'change'; readonly place: Partial<Place> }
  | { readonly do: 'archive' };

export type PoiCommand = EntityCommand & PoiWish & { readonly id: number };

export const pois = entity<undefined, PoiCommand>({
  name: POI_PREFIX,
  makes: 'create',
  notFound: 'POI_NOT_FOUND',
  ends: [PoiArchived],
  subject: (id) => poiStream(id as number),
  initial: () => undefined,
  decide(_state, command) {
    const { id, business } = command;
    if (command.do === 'create') return happened(PoiCreated, { poi_id: id, business, ...command.place });
    return command.do === 'change' ? happened(PoiChanged, command.place) : happened(PoiArchived, {});
  },
  evolve: (state) => state,
});
