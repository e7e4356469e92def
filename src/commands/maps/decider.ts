/** Decides commands on a map. */
import { isDeepStrictEqual } from 'node:util';
import {
  MAP_PREFIX,
  MapArchived,
  MapCreated,
  MapLayersSet,
  MapPublished,
  MapRenamed,
  MapUnpublished,
  MapViewSet,
  publicIdOf,
  type Layer,
  type MapView,
} from '../../events/maps/events.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

export type MapChange =
  | { readonly do: 'create'; readonly name: string; readonly view: MapView; readonly layers: readonly Layer[] }
  | {
      readonly do: 'change';
      readonly name?: string | undefined;
      readonly view?: MapView | undefined;
      readonly layers?: readonly Layer[] | undefined;
    }
  | {
      readonly do: 'publish';
      readonly tokenSha256: string;
      readonly allowedOrigins: readonly string[];
      readonly expiresAt?: string | undefined;
    }
  | { readonly do: 'unpublish' }
  | { readonly do: 'archive' };

/** `mayPublish`: the caller may decide what everyone with the link sees. Absent: the caller may not. */
export type MapCommand = EntityCommand & MapChange & { readonly id: number; readonly mayPublish?: boolean };

interface MapState {
  name: string;
  view: unknown;
  layers: readonly Layer[];
  published: boolean;
}

/** The value as the log stores it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const maps = entity<MapState, MapCommand>({
  name: MAP_PREFIX,
  makes: 'create',
  notFound: 'MAP_NOT_FOUND',
  ends: [MapArchived],
  initial: () => ({ name: '', view: undefined, layers: [], published: false }),
  decide(state, command) {
    const { id, business } = command;
    // Every change of a published map changes what the public sees.
    if (state.published && !command.mayPublish) throw new DomainError('MAP_PUBLISHED');
    switch (command.do) {
      case 'create': {
        const { name, view, layers } = command;
        return [
          newEvent(MapCreated, { map_id: id, business, name, view }),
          newEvent(MapLayersSet, { layers: [...layers] }),
        ];
      }
      case 'change': {
        const { name, view, layers } = command;
        if (state.published && layers) expectPublic(layers);
        return [
          ...(name === undefined || name === state.name ? [] : [newEvent(MapRenamed, { name })]),
          ...(view && !isDeepStrictEqual(state.view, plain(view)) ? [newEvent(MapViewSet, { view })] : []),
          ...(layers && !isDeepStrictEqual(state.layers, plain(layers))
            ? [newEvent(MapLayersSet, { layers: [...layers] })]
            : []),
        ];
      }
      case 'publish': {
        expectPublic(state.layers);
        const { tokenSha256: token_sha256, allowedOrigins, expiresAt: expires_at } = command;
        const public_id = publicIdOf(id);
        return newEvent(MapPublished, { public_id, token_sha256, allowed_origins: [...allowedOrigins], expires_at });
      }
      case 'unpublish':
        return state.published ? newEvent(MapUnpublished, {}) : undefined;
      case 'archive':
        return newEvent(MapArchived, {});
    }
  },
  evolve(state, { type, data }) {
    if (data['name'] !== undefined) state.name = data['name'] as string;
    if (data['view'] !== undefined) state.view = plain(data['view']);
    if (type === MapLayersSet.type) state.layers = plain(data['layers']) as Layer[];
    if (type === MapPublished.type) state.published = true;
    if (type === MapUnpublished.type) state.published = false;
    return state;
  },
});

function expectPublic(layers: readonly Layer[]): void {
  const [first] = layers.filter(({ personal }) => personal);
  if (first) throw new DomainError('LAYER_NOT_PUBLIC', { layer: first.layer_id });
}
