/** Random commands to riders and to the searches for them: rounds, offers, responses and deadlines. */
import { instants, type InstantChange } from '../../../../../src/commands/riders/decider.js';
import { driverStream } from '../../../../../src/events/drivers/events.js';
import { instantStream, offerTimer } from '../../../../../src/events/riders/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const RIDERS = [900_051, 900_052, 900_053];

const ask = ({ send, business, now }: Tools, orderId: number, body: InstantChange) =>
  send(instants, instantStream(orderId), { ...body, orderId, business, now });

const driver = (tools: Tools, pick: Pick, body: object) => {
  const userId = pick.one(...RIDERS);
  const command = { by: 1, ...body, userId, business: tools.business };
  return tools.sendThrough(tools.core.commands.drivers, driverStream(userId), command as never);
};

type Offer = { readonly offerId: string; readonly riderId: number };
const accept = (tools: Tools, pick: Pick, order: number, { offerId, riderId }: Offer) =>
  ask(tools, order, { do: 'accept', offerId, riderId, routeId: pick.of(9) });

/**
 * Passes an open offer of a search to `then`, and creates one if needed. Does nothing if all riders have been asked.
 */
async function withOffer(tools: Tools, pick: Pick, then: (order: number, offer: Offer) => ReturnType<typeof ask>) {
  const order = tools.existing(pick);
  const candidates = RIDERS.map((riderId) => ({ riderId, distance_m: 100 }));
  const { reply } = await ask(tools, order, { do: 'offer', candidates });
  return reply.open.length > 0 ? then(order, pick.one(...reply.open)) : undefined;
}

export const MIX = generator({
  grant: (tools, pick) =>
    driver(tools, pick, { do: 'grant', grant: { max_concurrent: pick.of(3), radius_m: pick.one(undefined, 500) } }),
  revoke: (tools, pick) => rarely(pick, 4, () => driver(tools, pick, { do: 'revoke', now: tools.now })),
  goOnline: (tools, pick) =>
    driver(tools, pick, { do: 'goOnline', routeId: pick.of(9), date: tools.date, now: tools.now }),
  goOffline: (tools, pick) => driver(tools, pick, { do: 'goOffline', now: tools.now }),
  request: (tools, pick) =>
    ask(tools, pick.of(2) === 1 ? tools.existing(pick) : tools.fresh(), {
      do: 'request',
      request: { offer_s: 600, max_rounds: 2, radius_m: 500, parallel: 2 },
      by: 1,
    }),
  offer: (tools, pick) =>
    ask(tools, tools.existing(pick), {
      do: 'offer',
      candidates: pick.some(...RIDERS).map((riderId) => ({ riderId, distance_m: pick.of(900) })),
    }),
  accept: (tools, pick) => withOffer(tools, pick, (order, offer) => accept(tools, pick, order, offer)),
  decline: (tools, pick) =>
    withOffer(tools, pick, (order, { offerId, riderId }) => ask(tools, order, { do: 'decline', offerId, riderId })),
  lapse: (tools, pick) =>
    withOffer(tools, pick, (order, { offerId }) =>
      tools.expire(instants, instantStream(order), offerTimer(offerId), 1),
    ),
  assigned: (tools, pick) =>
    withOffer(tools, pick, async (order, offer) => {
      await accept(tools, pick, order, offer);
      return ask(tools, order, { do: 'assigned' });
    }),
  cancel: (tools, pick) =>
    rarely(pick, 2, () =>
      ask(tools, tools.existing(pick), { do: 'cancel', why: pick.one('asked', 'order_gone'), by: 1 }),
    ),
});
