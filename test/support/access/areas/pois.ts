/** The rows of the access table for points of interest. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor', 'broker', 'driver', 'customer'];
const POI = { name: 'Hub', category: 'depot', position: { latitude: 52.5, longitude: 13.4 }, visibility: 'public' };
const scopes = ['datasets:write'];

const poiOf =
  (user: UserName, name = 'Hub'): MakeInput =>
  async ({ good }) => ({ poi_id: (await good('/pois', user, { body: { ...POI, name } })).json.poi.id });
const own = poiOf('client_admin');
const foreign = { input: poiOf('other_client_admin'), status: 404 };

export const ROWS: Readonly<Record<string, AccessRow>> = {
  pois: {
    roles: READERS,
    scopes: ['datasets:read'],
    own: () => ({}),
    foreign: {
      input: async (world, role) => {
        await poiOf('other_client_admin', 'Foreign Hub 7')(world, role);
        return { per_page: 200 };
      },
      excludes: () => 'Foreign Hub 7',
    },
  },
  poi: { roles: READERS, scopes: ['datasets:read'], own, foreign, varies: ['*'] },
  poiCreate: { roles: OFFICE, scopes, own: () => POI, varies: ['*'], shared: 'a new place of its own' },
  poiUpdate: {
    roles: OFFICE,
    scopes,
    own: async (world, role) => ({ ...(await own(world, role)), name: 'Hub North' }),
    foreign: { input: async (world, role) => ({ ...(await foreign.input(world, role)), name: 'Mine' }), status: 404 },
    varies: ['*'],
  },
  poiDelete: { roles: OFFICE, scopes, own, foreign, varies: ['*'] },
};
