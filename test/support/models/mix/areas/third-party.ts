/** Random offers of orders to providers, and the responses of the providers. */
import type { OrderCommand } from '../../../../../src/commands/orders/decider.js';
import { derivedId } from '../../../../../src/events/otep/identity.js';
import { orderStream } from '../../../../../src/events/orders/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

type Body = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'>
    : never
  : never;

const PROVIDERS = ['acme', 'courier', 'express'] as const;

const send = ({ sendThrough, core, business }: Tools, orderId: number, body: Body) =>
  sendThrough(core.commands.orders, orderStream(orderId), { ...body, orderId, business } as never);

function create(tools: Tools, orderId: number) {
  return send(tools, orderId, {
    do: 'create',
    order: {
      type: 'D',
      self_delivery: true,
      delivery: { postal_code: '10115', city: 'Berlin' },
      packages: [{ tracking_number: `OFFERED${orderId}` }],
      time_windows: [],
    },
  });
}

/** The n-th offer of the order. */
const offerIdOf = (orderId: number, n: number): string => derivedId('mixed offer', orderId, n);

function offer(tools: Tools, pick: Pick, orderId: number, hours: number) {
  const isPaid = pick.of(2) === 1;
  return send(tools, orderId, {
    do: 'offer_to_third_parties',
    offerId: offerIdOf(orderId, pick.of(2)),
    providers: PROVIDERS.slice(0, pick.of(3)),
    respondBy: tools.at(hours),
    ...(pick.of(2) === 1 && { pickupBy: tools.at(-1), deliverBy: tools.at(pick.one(-1, 5)) }),
    ...(isPaid && { fee: { amount: '7.50', currency: 'EUR' } }),
    by: 1,
  });
}

const answered = (pick: Pick, orderId: number) => ({
  provider: pick.one(...PROVIDERS),
  offerId: offerIdOf(orderId, pick.of(2)),
});

/** Sends the command to a recent order. */
const toRecent = (body: (pick: Pick, orderId: number) => Body) => (tools: Tools, pick: Pick) => {
  const orderId = tools.existing(pick);
  return send(tools, orderId, body(pick, orderId));
};

export const MIX = generator({
  create: (tools) => create(tools, tools.fresh()),
  offer: (tools, pick) => offer(tools, pick, tools.existing(pick), 1),
  /** An offer whose time is over when it is recorded. */
  offerTooLate: (tools, pick) => offer(tools, pick, tools.existing(pick), -1),
  accept: toRecent((pick, orderId) => ({ do: 'accept_offer', ...answered(pick, orderId), reference: 'R-1' })),
  decline: toRecent((pick, orderId) => ({
    do: 'decline_offer',
    ...answered(pick, orderId),
    reason: pick.one('no van', 'too far for Ada'),
  })),
  withdraw: (tools, pick) =>
    rarely(pick, 2, () => {
      const orderId = tools.existing(pick);
      return send(tools, orderId, { do: 'withdraw_offer', offerId: offerIdOf(orderId, pick.of(2)), by: 1 });
    }),
  release: (tools, pick) =>
    rarely(pick, 2, () =>
      send(tools, tools.existing(pick), {
        do: 'release_by_third_party',
        provider: pick.one(...PROVIDERS),
        reason: 'broken down',
      }),
    ),
  expire: toRecent(() => ({ do: 'expire_third_party' })),
  /** A new order that a provider gets without an offer. */
  give: async (tools, pick) => {
    const orderId = tools.fresh();
    await create(tools, orderId);
    return send(tools, orderId, { do: 'give_to_third_party', provider: pick.one(...PROVIDERS), by: 1 });
  },
  take: toRecent((pick) => ({ do: 'take_from_third_party', provider: pick.one(...PROVIDERS), by: 1 })),
});
