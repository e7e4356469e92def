/** The rows of the access table for third-party delivery. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { ORDER, STOP } from '../../worlds/orders.js';
import type { AccessRow, Foreign, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const PROVIDER: readonly CallerKind[] = ['provider'];
/** City of an order that is offered to another provider. */
const OTHERS_CITY = 'Neverton';
const OFFER: Input = { respond_within_s: 600 };

const offersTo = ({ demo }: World, own = true): Input => ({
  ...OFFER,
  providers: [own ? demo.provider.id : demo.strict_provider.id],
});

/** A new order that is offered to the provider of the table, or to another one. */
async function offered(world: World, own = true): Promise<{ readonly order_id: number; readonly offer_id: string }> {
  const order_id = await world.orders.order('client_admin');
  const { json } = await world.good(`/orders/${order_id}/third-party/offers`, 'client_admin', {
    body: offersTo(world, own),
  });
  return { order_id, offer_id: json.order.third_party_offer.id };
}

const NO_OFFER = '00000000-0000-4000-8000-000000000000';
/** An order that is offered to another provider. */
const foreign = (more: (offer: { order_id: number; offer_id: string }) => Input): Foreign => ({
  input: async (world) => more(await offered(world, false)),
  as: PROVIDER,
  status: 404,
});
const ofOffer = (more: Input = {}): AccessRow => ({
  roles: PROVIDER,
  own: async (world) => ({ ...(await offered(world)), ...more }),
  foreign: foreign((offer) => ({ ...offer, ...more })),
  varies: ['*'],
});
const given: MakeInput = async ({ orders }) => ({ order_id: await orders.given(), reason: 'Broken down' });

export const ROWS: Readonly<Record<string, AccessRow>> = {
  orderThirdPartyOffer: {
    roles: OFFICE,
    scopes: ['orders:write'],
    own: async (world) => ({ order_id: await world.orders.order('client_admin'), ...offersTo(world) }),
    foreign: { input: (world) => ({ order_id: world.orders.otherOrder, ...offersTo(world) }), status: 404 },
    varies: ['*'],
  },
  orderThirdPartyOfferWithdraw: {
    roles: OFFICE,
    scopes: ['orders:write'],
    own: (world) => offered(world),
    foreign: { input: ({ orders }) => ({ order_id: orders.otherOrder, offer_id: NO_OFFER }), status: 404 },
    varies: ['*'],
  },
  thirdPartyOrders: {
    roles: PROVIDER,
    own: () => ({ limit: 5 }),
    varies: ['*'],
    foreign: {
      input: async (world) => {
        const delivery = { ...STOP, city: OTHERS_CITY };
        const { order_id } = (await world.good('/client/orderCreate', 'client_admin', { body: { ...ORDER, delivery } }))
          .json;
        await world.good(`/orders/${order_id}/third-party/offers`, 'client_admin', { body: offersTo(world, false) });
        return { limit: 100 };
      },
      as: PROVIDER,
      excludes: () => OTHERS_CITY,
    },
  },
  thirdPartyOrder: {
    roles: PROVIDER,
    own: async (world) => ({ order_id: (await offered(world)).order_id }),
    foreign: foreign(({ order_id }) => ({ order_id })),
    varies: ['*'],
  },
  thirdPartyAccept: ofOffer(),
  thirdPartyDecline: ofOffer({ reason: 'No van' }),
  thirdPartyRelease: {
    roles: PROVIDER,
    own: given,
    foreign: foreign(({ order_id }) => ({ order_id, reason: 'Broken down' })),
    varies: ['*'],
  },
};
