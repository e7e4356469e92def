/** The rows of the access table for warehouses and stock. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { STOP } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const READERS: readonly CallerKind[] = ['client_admin', 'employee', 'auditor', 'broker', 'driver'];
const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const scopes = ['wms:write'];
const LOCATIONS = [{ code: 'A-1' }, { code: 'A-2' }];

export async function warehouseOf({ good, fresh }: World, user: UserName): Promise<{ warehouse_id: number }> {
  const body = { code: fresh(), name: 'Hub', address: STOP, timezone: 'UTC' };
  const { json } = await good('/wms/warehouses', user, { body });
  await good(`/wms/warehouses/${json.warehouse.id}/locations/batch`, user, {
    method: 'POST',
    body: { locations: LOCATIONS },
  });
  return { warehouse_id: json.warehouse.id };
}
async function skuOf(world: World, user: UserName): Promise<{ warehouse_id: number; sku: string }> {
  const one = { ...(await warehouseOf(world, user)), sku: world.fresh() };
  await world.good('/wms/stock/receive', user, { body: { ...one, location: 'A-1', quantity: '10' } });
  return one;
}

/** A row that calls once with a warehouse of the caller's business and once with one of another business. */
const onWarehouse = (more: Input): AccessRow => {
  const of =
    (user: UserName): MakeInput =>
    async (world) => ({ ...(await warehouseOf(world, user)), ...more });
  return {
    roles: OFFICE,
    scopes,
    own: of('client_admin'),
    foreign: { input: of('other_client_admin'), status: 404 },
    varies: ['*'],
  };
};
const onStock = (more: Input): AccessRow => {
  const of =
    (user: UserName): MakeInput =>
    async (world) => ({ ...(await skuOf(world, user)), ...more });
  return {
    roles: OFFICE,
    scopes,
    own: of('client_admin'),
    foreign: { input: of('other_client_admin'), status: 404 },
    varies: ['*'],
  };
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  warehouses: {
    roles: READERS,
    scopes: ['wms:read'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        const body = { code: world.fresh(), name: 'Foreign Hub 7', address: STOP, timezone: 'UTC' };
        await world.good('/wms/warehouses', 'other_client_admin', { body });
        return { per_page: 200 };
      },
      excludes: () => 'Foreign Hub 7',
    },
  },
  warehouse: {
    roles: READERS,
    scopes: ['wms:read'],
    own: (world) => warehouseOf(world, 'client_admin'),
    foreign: { input: (world) => warehouseOf(world, 'other_client_admin'), status: 404 },
    varies: ['*'],
  },
  warehouseCreate: {
    roles: OFFICE,
    scopes,
    own: ({ fresh }) => ({ code: fresh(), name: 'Hub', address: STOP, timezone: 'UTC' }),
    varies: ['*'],
    shared: 'a new warehouse of the own business',
  },
  warehouseUpdate: onWarehouse({ name: 'Changed' }),
  warehouseMakeDefault: onWarehouse({}),
  warehouseDelete: onWarehouse({}),
  locationsBatch: onWarehouse({ locations: [{ code: 'B-1' }] }),
  locationsRemove: onWarehouse({ codes: ['A-2'] }),
  locationUpdate: onWarehouse({ code: 'A-1', blocked: true, reason: 'wet' }),
  wmsInventory: {
    roles: [...OFFICE, 'auditor'],
    scopes: ['wms:read'],
    own: async (world) => ({ sku: (await skuOf(world, 'client_admin')).sku }),
    foreign: {
      input: async (world) => ({ sku: (await skuOf(world, 'other_client_admin')).sku }),
      excludes: () => '"on_hand"',
    },
    varies: ['*'],
  },
  stockReceive: onStock({ location: 'A-1', quantity: '2.5' }),
  stockMove: onStock({ from: 'A-1', to: 'A-2', quantity: '1' }),
  stockPick: onStock({ location: 'A-1', quantity: '1' }),
  stockAdjust: onStock({ location: 'A-1', quantity: '1', reason: 'damage' }),
  stockCount: onStock({ location: 'A-1', counted: '7' }),
  stockReserve: onStock({ for: 'order 7', quantity: '3' }),
};
