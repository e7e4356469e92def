/** The rows of the access table for custom maps. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { USER_ROLES } from '../../../../src/events/accounts/events.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor', 'broker', 'driver'];
const ALL_CALLERS: readonly CallerKind[] = ['anonymous', 'provider', ...USER_ROLES];
const FOREIGN = 'Foreign Map 7';
const MAP = {
  name: 'Depots',
  view: { center: { latitude: 52.5, longitude: 13.4 }, zoom: 10 },
  layers: [
    { layer_id: 'all', title: 'All', source: { pois: {} }, style: { kind: 'point' }, shown_to: ['broker', 'driver'] },
  ],
};

const mapOf =
  (user: UserName, more: Input = {}, name = MAP.name): MakeInput =>
  async ({ good }) => ({ map_id: (await good('/maps', user, { body: { ...MAP, name } })).json.map.id, ...more });
const row = (roles: readonly CallerKind[], scope: string, more: Input = {}): AccessRow => ({
  roles,
  scopes: [scope],
  own: mapOf('client_admin', more),
  foreign: { input: mapOf('other_client_admin', more), status: 404 },
  varies: ['*'],
});
const published: MakeInput = async (world, role) => {
  const { map_id } = await mapOf('client_admin')(world, role);
  const { json } = await world.good(`/maps/${String(map_id)}/publish`, 'client_admin', { body: {} });
  return { public_id: json.public_id, token: json.token };
};
const LINK = 'everybody who has the link';

export const ROWS: Readonly<Record<string, AccessRow>> = {
  maps: {
    roles: READERS,
    scopes: ['datasets:read'],
    own: () => ({}),
    foreign: {
      input: async (world, role) => {
        await mapOf('other_client_admin', {}, FOREIGN)(world, role);
        return { per_page: 200 };
      },
      excludes: () => FOREIGN,
    },
  },
  map: row(READERS, 'datasets:read'),
  mapData: row(READERS, 'datasets:read', { layer: 'all' }),
  mapCreate: { roles: OFFICE, scopes: ['datasets:write'], own: () => MAP, varies: ['*'], shared: 'a map of its own' },
  mapUpdate: row(OFFICE, 'datasets:write', { name: 'Hubs' }),
  mapDelete: row(OFFICE, 'datasets:write'),
  mapPublish: row(['client_admin'], 'datasets:write'),
  mapUnpublish: row(['client_admin'], 'datasets:write'),
  mapPublic: { roles: ALL_CALLERS, own: published, varies: ['*'], shared: LINK },
  mapPublicData: {
    roles: ALL_CALLERS,
    own: async (world, role) => ({ ...(await published(world, role)), layer: 'all' }),
    varies: ['*'],
    shared: LINK,
  },
};
