/** The rows of the access table for driver profiles and documents of drivers. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { AccessRow, Foreign, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const PROFILE_READERS: readonly CallerKind[] = [...OFFICE, 'broker', 'driver'];
const OWN_ONLY = 'names nothing: it is about the caller alone';
const profile = { home_region: 'Berlin', languages: ['de'] };
const documentInput = { kind: 'driving_licence', valid_until: '2040-01-31' };

const captained = new WeakMap<World, Promise<unknown>>();
/** Puts the demo's driver into a fleet whose captain is the demo's contractor. */
const ownDocument = async (world: World, role: CallerKind) => {
  const { good, demo } = world;
  const make = async () => {
    const fleet_id = (await good('/fleets', 'client_admin', { body: { name: 'Known' } })).json.fleet.id;
    const put = (what: string, body: object) =>
      good(`/fleets/${fleet_id}/${what}`, 'client_admin', { method: 'PUT', body });
    await put('captains', { user_ids: [demo.users.broker.id] });
    await put('drivers', { driver_ids: [demo.users.driver.id] });
  };
  if (role === 'broker' && !captained.has(world)) captained.set(world, make());
  await captained.get(world);
  return { driver_id: demo.users.driver.id };
};
const otherDocument = (more: object): readonly Foreign[] => [
  { input: ({ orders }) => ({ driver_id: orders.otherDriver, ...more }), status: 404 },
  { input: ({ orders }) => ({ driver_id: orders.neighbourDriver, ...more }), as: ['broker', 'driver'], status: 404 },
];
const ofOffice = (found: readonly Foreign[]): readonly Foreign[] =>
  found.map((one) => (one.as ? { ...one, as: ['driver'] } : one));
const submitted =
  (by: 'driver' | 'other_client_admin', more: object = {}): MakeInput =>
  async ({ good, demo, orders }) => {
    const driver_id = by === 'driver' ? demo.users.driver.id : orders.otherDriver;
    const document_id = (await good(`/drivers/${driver_id}/documents`, by, { body: documentInput })).json.document.id;
    return { driver_id, document_id, ...more };
  };

export const ROWS: Readonly<Record<string, AccessRow>> = {
  driverInfo: { roles: PROFILE_READERS, scopes: ['drivers:read'], own: ownDocument, foreign: otherDocument({}) },
  driverTrail: { roles: PROFILE_READERS, scopes: ['drivers:read'], own: ownDocument, foreign: otherDocument({}) },
  driverInfoUpdate: {
    roles: PROFILE_READERS,
    scopes: ['drivers:write'],
    own: async (world, role) => ({ ...(await ownDocument(world, role)), ...profile }),
    varies: ['version'],
    foreign: otherDocument(profile),
  },
  meDriverInfo: { roles: ['driver'], scopes: ['drivers:read'], own: () => ({}), shared: OWN_ONLY },
  meDriverInfoUpdate: {
    roles: ['driver'],
    scopes: ['drivers:write'],
    own: () => profile,
    varies: ['version'],
    shared: OWN_ONLY,
  },
  driverDocuments: {
    roles: [...OFFICE, 'driver'],
    scopes: ['drivers:read'],
    own: ({ demo }) => ({ driver_id: demo.users.driver.id }),
    foreign: ofOffice(otherDocument({})),
  },
  driverDocument: {
    roles: [...OFFICE, 'driver'],
    scopes: ['drivers:read'],
    own: submitted('driver'),
    foreign: { input: submitted('other_client_admin'), status: 404 },
    varies: ['*'],
  },
  driverDocumentSubmit: {
    roles: [...OFFICE, 'driver'],
    scopes: ['drivers:write'],
    own: ({ demo }) => ({ driver_id: demo.users.driver.id, ...documentInput }),
    foreign: ofOffice(otherDocument(documentInput)),
    varies: ['*'],
  },
  driverDocumentDecide: {
    roles: OFFICE,
    scopes: ['drivers:write'],
    own: submitted('driver', { decision: 'verify' }),
    foreign: { input: submitted('other_client_admin', { decision: 'verify' }), status: 404 },
    varies: ['*'],
  },
};
