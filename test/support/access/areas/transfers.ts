/** The rows of the access table for transfers between warehouses. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { ORDER, STOP } from '../../worlds/orders.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor'];
const OTHERS_NOTE = 'Note of another business';

/** Returns the input to create a transfer of an expected parcel. */
async function newTransfer(
  { good, fresh }: World,
  user: UserName,
  members: Input = {},
): Promise<Record<string, unknown>> {
  const site = { name: 'Hub', address: STOP, timezone: 'UTC' };
  const open = async () =>
    (await good('/wms/warehouses', user, { body: { ...site, code: fresh() } })).json.warehouse.id as number;
  const [from_warehouse_id, to_warehouse_id] = [await open(), await open()];
  const order = { ...ORDER, warehouse_id: from_warehouse_id };
  const { tracking_numbers } = (await good('/client/orderCreate', user, { body: order })).json;
  return { from_warehouse_id, to_warehouse_id, tracking_numbers, reason_code: 'relocation', ...members };
}
const transferOf =
  (user: UserName, steps: readonly string[] = [], more: (numbers: unknown) => Input = () => ({})): MakeInput =>
  async (world) => {
    const body = await newTransfer(world, user, { mode: 'ship', note: OTHERS_NOTE });
    const { id: transfer_id } = (await world.good('/warehouse-transfers', user, { body })).json.transfer;
    for (const step of steps) await world.good(`/warehouse-transfers/${transfer_id}/${step}`, user, { body: {} });
    return { transfer_id, ...more(body['tracking_numbers']) };
  };
const onTransfer = (steps: readonly string[], more?: (numbers: unknown) => Input): AccessRow => ({
  roles: OFFICE,
  scopes: ['wms:write'],
  own: transferOf('client_admin', steps, more),
  foreign: { input: transferOf('other_client_admin', steps, more), status: 404 },
  varies: ['*'],
});
const ofTransfer: AccessRow = {
  roles: READERS,
  scopes: ['wms:read'],
  own: transferOf('client_admin'),
  foreign: { input: transferOf('other_client_admin'), status: 404 },
  varies: ['*'],
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  transferCreate: {
    roles: OFFICE,
    scopes: ['wms:write'],
    own: (world) => newTransfer(world, 'client_admin'),
    foreign: { input: (world) => newTransfer(world, 'other_client_admin'), status: 404 },
    varies: ['*'],
  },
  transferShip: onTransfer([]),
  transferArrive: onTransfer(['ship'], (tracking_numbers) => ({ tracking_numbers })),
  transferComplete: onTransfer(['ship']),
  transferRollback: onTransfer([], () => ({ reason: 'wrong' })),
  transfers: {
    roles: READERS,
    scopes: ['wms:read'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        const body = await newTransfer(world, 'other_client_admin', { note: 'Hidden Note 7' });
        await world.good('/warehouse-transfers', 'other_client_admin', { body });
        return { per_page: 200 };
      },
      excludes: () => 'Hidden Note 7',
    },
  },
  transfer: ofTransfer,
  transferAudit: ofTransfer,
};
