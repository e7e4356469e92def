/** Offers of an order to providers: one open offer, one winner, and deadlines by the time of the command. */
import { expect } from 'chai';
import { orders, type NewOrder, type OrderCommand } from '../../../src/commands/orders/decider.js';
import { given } from '../../support/checks/given.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const MINUTE = 60_000;
const OFFER = '00000000-0000-4000-8000-000000000001';
const later = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();

let commands = 0;
type Body = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'>
    : never
  : never;
const at = (minutes: number, body: Body): OrderCommand =>
  ({ commandId: `c${++commands}`, orderId: 7, business: 1, now: NOW + minutes * MINUTE, ...body }) as OrderCommand;
const ORDER: NewOrder = {
  type: 'D',
  self_delivery: true,
  delivery: { city: 'Toronto', country: 'CA' },
  packages: [{ tracking_number: 'A1' }],
  time_windows: [],
};
const create = () => at(0, { do: 'create', order: ORDER, by: 5 });
const offer = (more: object = {}, minutes = 0) =>
  at(minutes, {
    do: 'offer_to_third_parties',
    offerId: OFFER,
    providers: ['acme', 'courier'],
    respondBy: later(10),
    by: 5,
    ...more,
  });
const accept = (provider = 'acme', minutes = 1) => at(minutes, { do: 'accept_offer', offerId: OFFER, provider });
const decline = (provider = 'acme', minutes = 1) => at(minutes, { do: 'decline_offer', offerId: OFFER, provider });
const withdraw = (minutes = 1) => at(minutes, { do: 'withdraw_offer', offerId: OFFER, by: 5 });
const release = (provider = 'acme', minutes = 2) =>
  at(minutes, { do: 'release_by_third_party', provider, reason: 'broken down' });
const expire = (minutes: number) => at(minutes, { do: 'expire_third_party' });
const hold = (minutes = 1) => at(minutes, { do: 'hold' });
const scan = (status_code: string, minutes: number) =>
  at(minutes, {
    do: 'follow_scan',
    tracking_number: 'A1',
    status_code,
    occurred_at: later(minutes),
    instant: later(minutes).replace('Z', '000000Z'),
    scan: `s${commands}`,
    provider: 'acme',
  });
const order = (...past: readonly OrderCommand[]) => given(orders, create(), ...past);
/** The type and the members of an event, as they are stored. */
const contentOf = ({ type, data }: { readonly type: string; readonly data: unknown }) => [
  type,
  JSON.parse(JSON.stringify(data)),
];
const EXCLUDED: readonly ((minutes: number) => OrderCommand)[] = [
  hold,
  (minutes) => at(minutes, { do: 'put_on_route', routeId: 3 }),
  (minutes) => at(minutes, { do: 'assign', assignmentId: 9, brokerId: 20 }),
  (minutes) => at(minutes, { do: 'give_to_third_party', provider: 'other' }),
  (minutes) => offer({ offerId: `${OFFER.slice(0, -1)}2`, respondBy: later(60) }, minutes),
];

describe('offers of an order to providers', () => {
  it('are recorded with one round and all terms', () => {
    const { facts } = order().when(offer({ pickupBy: later(30), fee: { amount: '8.50', currency: 'EUR' } }));
    expect(facts.map(contentOf)).to.deep.equal([
      [
        'ThirdPartyOffered',
        {
          offer_id: OFFER,
          round: 1,
          providers: ['acme', 'courier'],
          respond_by: later(10),
          pickup_by: later(30),
          fee: '8.50',
          currency: 'EUR',
          mode: 'first_accept',
          next_rounds: [],
          offered_by: 5,
        },
      ],
    ]);
  });

  it('are rejected unless the order waits for dispatch and nothing has it', () => {
    const put = at(0, { do: 'put_on_route', routeId: 3 });
    expect(order(put).refusal(offer())).to.equal('ORDER_ON_ROUTE');
    expect(order(hold()).refusal(offer())).to.equal('ORDER_HELD');
    expect(order(EXCLUDED[2]!(0)).refusal(offer())).to.equal('ASSIGNED_TO_CONTRACTOR');
    expect(order(EXCLUDED[3]!(0)).refusal(offer())).to.equal('HELD_BY_THIRD_PARTY');
    expect(order(at(0, { do: 'cancel' })).refusal(offer())).to.equal('ORDER_CLOSED');
    expect(order(scan('in_transit', 0)).refusal(offer())).to.equal('NOT_DISPATCHABLE');
  });

  it('are accepted by the first provider; the same provider may repeat it', () => {
    const won = order(offer()).when(accept('courier'));
    expect(won.types).to.deep.equal(['ThirdPartyTookOrder', 'ThirdPartyOfferEnded']);
    expect(won.facts[0]!.data).to.deep.include({ provider: 'courier', given_by: 5, offer_id: OFFER });
    expect(won.then.when(accept('courier', 20)).facts, 'also after the deadline').to.deep.equal([]);
    expect(won.then.refusal(accept('acme'))).to.equal('OFFER_TAKEN');
    expect(won.then.refusal(decline('acme'))).to.equal('OFFER_TAKEN');
    expect(won.then.refusal(withdraw())).to.equal('OFFER_TAKEN');
    expect(won.then.refusal(hold())).to.equal('HELD_BY_THIRD_PARTY');
  });

  it('do not exist for providers that they do not name', () => {
    for (const command of [accept('stranger'), decline('stranger'), release('stranger')])
      expect(order(offer()).refusal(command), command.do).to.equal('ORDER_NOT_FOUND');
    expect(order().refusal(accept())).to.equal('ORDER_NOT_FOUND');
  });

  it('expire by the time of the command, whether or not the timer has come', () => {
    const offered = order(offer());
    expect(offered.when(accept('acme', 9.99)).types).to.include('ThirdPartyTookOrder');
    for (const command of [accept('acme', 10), decline('acme', 10), withdraw(10)])
      expect(offered.refusal(command), command.do).to.equal('OFFER_EXPIRED');
    expect(offered.when(expire(9.99)).facts, 'too early').to.deep.equal([]);
    const expired = offered.when(expire(10));
    expect([expired.types, expired.facts[0]!.data]).to.deep.equal([
      ['ThirdPartyOfferEnded'],
      { offer_id: OFFER, why: 'expired' },
    ]);
    expect(expired.then.when(expire(11)).facts, 'twice').to.deep.equal([]);
  });

  it('exclude hold, route, contractor, third party and another offer until they end', () => {
    for (const command of EXCLUDED) {
      expect(order(offer()).refusal(command(1)), command(1).do).to.equal('OFFERED_TO_THIRD_PARTY');
      const [ended, ...change] = order(offer()).when(command(10)).types;
      expect([ended, change.length], command(1).do).to.deep.equal(['ThirdPartyOfferEnded', 1]);
      expect(order(offer(), withdraw()).when(command(2)).types, command(1).do).to.have.length(1);
      expect(order(offer(), expire(10)).when(command(11)).types, command(1).do).to.have.length(1);
    }
  });

  it('are withdrawn by a cancellation, in the same append', () => {
    const cancelled = order(offer()).when(at(1, { do: 'cancel', by: 5 }));
    expect(cancelled.types).to.deep.equal(['OrderCancelled', 'ThirdPartyOfferEnded']);
    expect(cancelled.facts[1]!.data).to.include({ why: 'withdrawn' });
    expect(order(offer()).when(at(10, { do: 'cancel' })).facts[1]!.data).to.include({ why: 'expired' });
    expect(cancelled.then.refusal(accept())).to.equal('OFFER_EXPIRED');
  });

  it('end when all providers have declined', () => {
    const once = order(offer()).when(decline());
    expect(once.types).to.deep.equal(['ThirdPartyDeclined']);
    expect(once.then.when(decline()).facts, 'again').to.deep.equal([]);
    expect(once.then.refusal(accept()), 'a declined offer').to.equal('OFFER_EXPIRED');
    const all = once.then.when(decline('courier'));
    expect(all.types).to.deep.equal(['ThirdPartyDeclined', 'ThirdPartyOfferEnded']);
    expect(all.facts[1]!.data).to.include({ why: 'declined' });
    expect(all.then.when(hold()).types).to.deep.equal(['OrderHeld']);
  });

  it('are withdrawn once; a later offer does not answer for an earlier one', () => {
    const withdrawn = order(offer()).when(withdraw());
    expect(withdrawn.then.when(withdraw()).facts).to.deep.equal([]);
    const again = withdrawn.then.when(EXCLUDED[4]!(2)).then;
    expect(again.refusal(accept('acme', 3))).to.equal('OFFER_EXPIRED');
    expect(again.refusal(withdraw(3))).to.equal('OFFER_NOT_FOUND');
  });
});

describe('an order that a provider has', () => {
  const SLA = { pickupBy: later(30), deliverBy: later(90) };
  const taken = (...past: readonly OrderCommand[]) => order(offer(SLA), accept(), ...past);

  it('is released before the pick-up, once', () => {
    const released = taken().when(release());
    expect(released.facts.map(({ type, data }) => [type, data])).to.deep.equal([
      ['ThirdPartyReturnedOrder', { provider: 'acme', why: 'released', reason: 'broken down' }],
    ]);
    expect(released.then.when(release()).facts, 'again').to.deep.equal([]);
    expect(released.then.when(hold(3)).types).to.deep.equal(['OrderHeld']);
    expect(taken(scan('picked_up', 5)).refusal(release('acme', 6))).to.equal('ALREADY_PICKED_UP');
    expect(taken(at(3, { do: 'cancel' })).refusal(release('acme', 6))).to.equal('ORDER_CLOSED');
    expect(taken().refusal(release('courier'))).to.equal('ORDER_NOT_FOUND');
  });

  it('can be released although it was received at a warehouse before', () => {
    const received = order(scan('received', 0), offer(SLA), accept());
    expect(received.when(release()).types).to.deep.equal(['ThirdPartyReturnedOrder']);
    expect(received.when(scan('out_for_delivery', 3)).then.refusal(release('acme', 4))).to.equal('ALREADY_PICKED_UP');
  });

  it('says why it was returned', () => {
    const back = taken().when(at(2, { do: 'take_from_third_party', provider: 'acme', by: 5 }));
    expect(back.facts[0]!.data).to.deep.include({ provider: 'acme', why: 'taken_back', taken_by: 5 });
  });

  it('misses its pick-up and its delivery, each once', () => {
    expect(taken().when(expire(29)).facts).to.deep.equal([]);
    const missed = taken().when(expire(30));
    expect(missed.facts.map(({ type, data }) => [type, data])).to.deep.equal([
      ['ThirdPartySlaMissed', { which: 'pickup', provider: 'acme', offer_id: OFFER, due_at: later(30) }],
    ]);
    expect(missed.then.when(expire(31)).facts).to.deep.equal([]);
    expect(missed.then.when(expire(90)).facts[0]!.data).to.include({ which: 'delivery' });
    expect(taken().when(expire(200)).types, 'a runner that was stopped').to.have.length(2);
  });

  it('meets a deadline by the time of the scan, also if the timer comes late', () => {
    expect(taken(scan('picked_up', 29)).when(expire(40)).facts).to.deep.equal([]);
    expect(taken(scan('picked_up', 31)).when(expire(40)).types).to.deep.equal(['ThirdPartySlaMissed']);
    expect(taken(scan('picked_up', 29), scan('delivered', 89)).when(expire(200)).facts).to.deep.equal([]);
  });
});
