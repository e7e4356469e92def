/** The search for a rider: nearest riders first, the first acceptance wins, each round widens the radius. */
import { expect } from 'chai';
import {
  instants,
  type Candidate,
  type InstantCommand,
  type InstantChange,
} from '../../../src/commands/riders/decider.js';
import { given } from '../../support/checks/given.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const OFFER_MS = 30_000;
let commands = 0;
const at = (now: number, body: InstantChange, business = 1): InstantCommand => ({
  ...body,
  commandId: `command ${(commands += 1)}`,
  orderId: 7,
  business,
  now,
});
const request = (parallel = 1) =>
  at(NOW, { do: 'request', request: { offer_s: 30, max_rounds: 2, radius_m: 1_000, parallel } });
const offer = (candidates: readonly Candidate[], now = NOW) => at(now, { do: 'offer', candidates });
const near: Candidate = { riderId: 20, distance_m: 500 };
const far: Candidate = { riderId: 21, distance_m: 1_500 };

function searching(parallel = 1, ...candidates: readonly Candidate[]) {
  const search = given(instants, request(parallel)).when(offer(candidates));
  const open = (riderId: number) => search.reply.open.find((one) => one.riderId === riderId)!.offerId;
  return {
    search,
    accept: (riderId: number, now = NOW) => at(now, { do: 'accept', offerId: open(riderId), riderId, routeId: 4 }),
  };
}

describe('decider of rider searches', () => {
  it('asks riders within reach, as many at once as the request allows', () => {
    expect(searching(2, near, far).search.reply.open.map(({ riderId }) => riderId)).to.deep.equal([20]);
    const both = searching(1, near, { riderId: 22, distance_m: 600 }).search;
    expect(both.types).to.deep.equal(['RiderOfferMade']);
    expect(both.then.when(offer([{ riderId: 22, distance_m: 600 }])).types, 'while one is asked').to.deep.equal([]);
  });

  it('widens the reach in the next round, and ends after the last', () => {
    const alone = given(instants, request());
    expect(alone.when(offer([far], NOW + OFFER_MS - 1)).types, 'the round is young').to.deep.equal([]);
    const second = alone.when(offer([far], NOW + OFFER_MS));
    expect(second.types).to.deep.equal(['InstantRoundBegan', 'RiderOfferMade']);
    const none = alone.when(offer([], NOW + OFFER_MS)).then.when(offer([], NOW + 2 * OFFER_MS));
    expect([none.types, none.reply.status]).to.deep.equal([['InstantExhausted'], 'exhausted']);
  });

  it('gives the order to the first rider who accepts in time', () => {
    const { search, accept } = searching(2, near, { riderId: 22, distance_m: 600 });
    const won = search.then.when(accept(22));
    expect(won.types).to.deep.equal(['RiderOfferAccepted', 'RiderOfferLapsed']);
    expect([won.reply.winner, won.reply.lapsed]).to.deep.equal([{ riderId: 22, routeId: 4 }, [20]]);
    expect(won.then.refusal(accept(20))).to.equal('OFFER_TAKEN');
    expect(won.then.when(accept(22)).types, 'again').to.deep.equal([]);
    expect(search.then.refusal(accept(20, NOW + OFFER_MS))).to.equal('OFFER_EXPIRED');
    expect(search.then.refusal({ ...accept(20), do: 'accept', riderId: 22 } as InstantCommand)).to.equal(
      'OFFER_NOT_FOUND',
    );
  });

  it('can be cancelled until a rider has accepted; a cancelled order ends it also later', () => {
    const cancel = (why: 'asked' | 'order_gone') => at(NOW, { do: 'cancel', why });
    const { search, accept } = searching(1, near);
    expect(search.then.when(cancel('asked')).types).to.deep.equal(['RiderOfferLapsed', 'InstantCancelled']);
    const won = search.then.when(accept(20)).then;
    expect(won.refusal(cancel('asked'))).to.equal('INSTANT_ACCEPTED');
    expect(won.when(cancel('order_gone')).reply.status).to.equal('cancelled');
    expect(won.when(request()).types, 'a search that runs continues').to.deep.equal([]);
    expect(won.refusal(at(NOW, { do: 'look' }, 2))).to.equal('INSTANT_NOT_FOUND');
  });
});
