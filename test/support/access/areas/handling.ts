/** The rows of the access table for scanners in warehouses. */
import { randomUUID } from 'node:crypto';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { STOP } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const SCANNERS: readonly CallerKind[] = [...OFFICE, 'driver'];

async function warehouseOf({ good, fresh }: World, user: UserName): Promise<number> {
  const body = { code: fresh(), name: 'Hub', address: STOP, timezone: 'UTC' };
  return (await good('/wms/warehouses', user, { body })).json.warehouse.id;
}
const scan = (code: string, warehouse_id: number) => ({
  op_id: randomUUID(),
  seq: 1,
  at: new Date().toISOString(),
  do: 'receive',
  code,
  warehouse_id,
});
/** A scan by a new device, of a parcel that drivers may receive too. */
const receive =
  (by: UserName): MakeInput =>
  async (world) => ({
    device_id: world.fresh(),
    ops: [scan(await world.orders.carried(), await warehouseOf(world, by))],
  });
/** A rejected scan. */
const refused =
  (by: UserName): MakeInput =>
  async (world) => {
    const body = { device_id: world.fresh(), ops: [scan(world.fresh(), await warehouseOf(world, by))] };
    await world.good('/wms/mobile/ops', by, { body });
    return { op_id: body.ops[0]!.op_id, device_id: body.device_id, decision: 'discard', reason: 'nothing there' };
  };
const OTHERS_CODE = 'OTHERS-SCANNED-CODE';
const ofRoute: AccessRow = {
  roles: SCANNERS,
  scopes: ['wms:read'],
  own: async ({ orders }) => ({ route_id: await orders.route('driver', [await orders.order('client_admin')]) }),
  foreign: [
    { input: ({ orders }) => ({ route_id: orders.otherRoute }), status: 404 },
    { input: ({ orders }) => ({ route_id: orders.neighbourRoute }), status: 404, as: ['driver'] },
  ],
  varies: ['*'],
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  wmsOps: {
    roles: SCANNERS,
    scopes: ['wms:write'],
    own: receive('client_admin'),
    foreign: { input: receive('other_client_admin'), contains: 'WAREHOUSE_NOT_FOUND' },
    varies: ['*'],
  },
  wmsConflicts: {
    roles: OFFICE,
    scopes: ['wms:read'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        const body = {
          device_id: world.fresh(),
          ops: [scan(OTHERS_CODE, await warehouseOf(world, 'other_client_admin'))],
        };
        await world.good('/wms/mobile/ops', 'other_client_admin', { body });
        return { per_page: 200 };
      },
      excludes: () => OTHERS_CODE,
    },
  },
  wmsConflictSettle: {
    roles: OFFICE,
    scopes: ['wms:write'],
    own: refused('client_admin'),
    foreign: { input: refused('other_client_admin'), status: 404 },
    varies: ['*'],
  },
  wmsTasks: {
    roles: SCANNERS,
    scopes: ['wms:read'],
    own: async (world) => ({ warehouse_id: await warehouseOf(world, 'client_admin') }),
    foreign: {
      input: async (world) => ({ warehouse_id: await warehouseOf(world, 'other_client_admin') }),
      status: 404,
    },
    varies: ['*'],
  },
  wmsRouteSorting: ofRoute,
  wmsRouteOutbound: ofRoute,
  wmsLookup: {
    roles: SCANNERS,
    scopes: ['wms:read'],
    own: async ({ orders }) => ({ code: await orders.carried() }),
    foreign: { input: ({ orders }) => ({ code: `MADE${orders.otherOrder}` }), status: 404 },
    varies: ['*'],
  },
};
