/** The rows of the access table for scans that contradict their order, and for wrong scans. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { ORDER } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const SENDERS: readonly CallerKind[] = [...OFFICE, 'driver'];

const scan = async ({ good }: World, by: UserName, tracking_number: string, status_code: string): Promise<string> => {
  const body = { tracking_number, status_code, occurred_at: new Date().toISOString() };
  return (await good('/scans', by, { body })).json.scan.id;
};
async function newOrder({ good }: World, by: UserName): Promise<{ id: number; number: string }> {
  const { order } = (await good('/orders', by, { body: ORDER })).json;
  return { id: order.id, number: order.packages[0].tracking_number };
}
async function carried({ orders }: World): Promise<{ id: number; number: string }> {
  const number = await orders.carried();
  return { id: Number(number.slice('MADE'.length)), number };
}

/** The delivery of an order that was cancelled before, scanned by the driver, or by staff of the business. */
async function kept(world: World, by: UserName): Promise<string> {
  const { id, number } = by === 'driver' ? await carried(world) : await newOrder(world, by);
  const office = by === 'driver' ? 'client_admin' : by;
  await world.good(`/orders/${id}/cancel`, office, { body: { reason: 'by phone' } });
  return scan(world, by, number, 'delivered');
}
const conflict =
  (by: UserName, more: object = {}): MakeInput =>
  async (world) => ({ scan_conflict_id: await kept(world, by), ...more });
const wrongScan =
  (by: UserName): MakeInput =>
  async (world) => {
    const { id, number } = by === 'driver' ? await carried(world) : await newOrder(world, by);
    return { order_id: id, scan_id: await scan(world, by, number, 'in_transit'), reason: 'wrong parcel' };
  };
const DISCARD = { decision: 'discard', reason: 'wrong parcel' };

let others = '';
/** Worlds with a conflict of the driver. */
const listed = new WeakMap<World, Promise<string>>();
export const ROWS: Readonly<Record<string, AccessRow>> = {
  scanConflicts: {
    roles: SENDERS,
    scopes: ['orders:read'],
    own: async (world) => {
      if (!listed.has(world)) listed.set(world, kept(world, 'driver'));
      await listed.get(world);
      return { per_page: 200 };
    },
    foreign: {
      input: async (world) => ((others = await kept(world, 'other_client_admin')), { per_page: 200 }),
      excludes: () => others,
    },
  },
  scanConflict: {
    roles: SENDERS,
    scopes: ['orders:read'],
    own: conflict('driver'),
    foreign: [
      { input: conflict('other_client_admin'), status: 404 },
      { input: conflict('client_admin'), as: ['driver'], status: 404 },
    ],
    varies: ['*'],
  },
  scanConflictSettle: {
    roles: OFFICE,
    scopes: ['orders:write'],
    own: conflict('driver', DISCARD),
    foreign: { input: conflict('other_client_admin', DISCARD), status: 404 },
    varies: ['*'],
  },
  scanSupersede: {
    roles: SENDERS,
    scopes: ['orders:write'],
    own: wrongScan('driver'),
    foreign: [
      { input: wrongScan('other_client_admin'), status: 404 },
      { input: wrongScan('client_admin'), as: ['driver'], status: 404 },
    ],
    varies: ['*'],
  },
};
