/** Decides commands on a point of interest. */
import { PoiArchived, PoiChanged, PoiCreated, POI_PREFIX, poiStream, type Place } from '../../events/pois/events.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

export type PoiChange =
  | { readonly do: 'create'; readonly place: Place }
  | { readonly do: 'change'; readonly place: Partial<Place> }
  | { readonly do: 'archive' };

export type PoiCommand = EntityCommand & PoiChange & { readonly id: number };

export const pois = entity<undefined, PoiCommand>({
  name: POI_PREFIX,
  makes: 'create',
  notFound: 'POI_NOT_FOUND',
  ends: [PoiArchived],
  subject: (id) => poiStream(id as number),
  initial: () => undefined,
  decide(_state, command) {
    const { id, business } = command;
    if (command.do === 'create') return newEvent(PoiCreated, { poi_id: id, business, ...command.place });
    return command.do === 'change' ? newEvent(PoiChanged, command.place) : newEvent(PoiArchived, {});
  },
  evolve: (state) => state,
});
