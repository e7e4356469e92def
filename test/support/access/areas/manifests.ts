/** The rows of the access table for manifests. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { AccessRow, MakeInput } from '../table.js';
import type { World } from '../world.js';
import { labelOrder, newMethod, SHIPMENT } from './labels.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];

interface ForeignManifest {
  readonly account: number;
  /** Not in the manifest. */
  readonly order: number;
  readonly manifest: number;
}

const known = new WeakMap<World, Promise<ForeignManifest>>();
/** A manifest of another business. */
function ofOthers(world: World): Promise<ForeignManifest> {
  const made = known.get(world) ?? newForeignManifest(world);
  known.set(world, made);
  return made;
}

async function newForeignManifest(world: World): Promise<ForeignManifest> {
  const good: World['good'] = (path, _user, options) => world.good(path, 'other_client_admin', options);
  const method_id = await newMethod({ good });
  const newOrder = async () =>
    (await good('/label-orders', 'client_admin', { body: { ...SHIPMENT, method_id } })).json.order_id as number;
  await newOrder();
  const { json } = await good('/label-orders/end-day', 'client_admin', { body: {} });
  const [{ id: manifest, carrier_account_id: account }] = json.manifests;
  return { account, manifest, order: await newOrder() };
}

/** A manifest of the business. */
const ended: MakeInput = async (world, role) => {
  await labelOrder(world, role);
  await world.good('/label-orders/end-day', 'client_admin', { body: {} });
  const { json } = await world.good('/manifests?status=closed', 'client_admin');
  return { manifest_id: json.manifests[0].id };
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  labelOrdersEndDay: {
    roles: OFFICE,
    scopes: ['labels:write'],
    own: async (world, role) => ((await labelOrder(world, role)) > 0 ? {} : {}),
    foreign: { input: async (world) => ({ carrier_account_ids: [(await ofOthers(world)).account] }), status: 404 },
    varies: ['*'],
  },
  labelOrdersSubmitInformation: {
    roles: OFFICE,
    scopes: ['labels:write'],
    own: async (world, role) => ({ order_ids: [await labelOrder(world, role)] }),
    foreign: { input: async (world) => ({ order_ids: [(await ofOthers(world)).order] }), contains: 'ORDER_NOT_FOUND' },
    varies: ['*'],
  },
  manifests: {
    roles: OFFICE,
    scopes: ['labels:read'],
    own: async (world, role) => ((await ended(world, role)) ? { per_page: 200 } : {}),
    foreign: {
      input: async (world) => ({ carrier_account_id: (await ofOthers(world)).account }),
      contains: '"total":0',
    },
    varies: ['*'],
  },
  manifest: {
    roles: OFFICE,
    scopes: ['labels:read'],
    own: ended,
    foreign: { input: async (world) => ({ manifest_id: (await ofOthers(world)).manifest }), status: 404 },
    varies: ['*'],
  },
};
