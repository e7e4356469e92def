import { expect } from 'chai';
import { openStopsBefore } from '../../../src/api/areas/riders/open-stops.js';
import { metresBetween } from '../../../src/api/areas/riders/ranking.js';
import { roundToHundredMetres } from '../../../src/api/areas/riders/rounding.js';
import type { OrderStatus, OrderType } from '../../../src/events/orders/events.js';
import type { PlannedRoute } from '../../../src/projections/routes/read-model.js';

describe('stops before those of an order', () => {
  const order = (id: number, status: OrderStatus, type: OrderType = 'D') => ({ id, status, type });
  const planned = (...stops: [number | undefined, 0 | 1 | 2][]) =>
    ({ stops: stops.map(([order_id, kind]) => ({ order_id, kind })) }) as unknown as PlannedRoute;

  it('are the open stops of the plan, without finished or failed ones and breaks', () => {
    const onRoute = [
      order(1, 'DELIVERED'),
      order(2, 'DELIVERY_FAILED'),
      order(3, 'OUT_FOR_DELIVERY'),
      order(4, 'PLANNED', 'P2P'),
      order(5, 'PLANNED'),
    ];
    const plan = planned([1, 1], [2, 1], [3, 1], [undefined, 2], [4, 0], [5, 1], [4, 1]);
    const before = (id: number) => openStopsBefore(id, onRoute, plan);
    expect([before(3), before(4), before(5)]).to.deep.equal([0, 1, 2]);
    expect([before(1), before(2), before(6)]).to.deep.equal([undefined, undefined, undefined]);
    const collected = onRoute.map((one) => (one.id === 4 ? order(4, 'PICKED_UP', 'P2P') : one));
    expect(openStopsBefore(4, collected, plan), 'its pick-up is over').to.equal(2);
  });

  it('are all others without a planned sequence', () => {
    const onRoute = [order(1, 'PLANNED'), order(2, 'PLANNED', 'P2P'), order(3, 'PLANNED')];
    expect(openStopsBefore(3, onRoute, null)).to.equal(3);
    expect(openStopsBefore(3, onRoute, planned([1, 1]))).to.equal(3);
    expect(openStopsBefore(3, [order(3, 'PLANNED')], null)).to.equal(0);
  });
});

describe('a position rounded to a hundred metres', () => {
  it('is on a grid, at most half a grid diagonal away, anywhere on earth', () => {
    for (let latitude = -89; latitude < 89; latitude += 7.123)
      for (let longitude = -179; longitude < 179; longitude += 23.456) {
        const exact = { latitude, longitude };
        const rounded = roundToHundredMetres(exact);
        expect(metresBetween(exact, rounded), JSON.stringify(exact)).to.be.at.most(72);
        expect(roundToHundredMetres(rounded)).to.deep.equal(rounded);
      }
  });

  it('is the same for all positions around it', () => {
    const near = (metres: number) => roundToHundredMetres({ latitude: 52.52 + metres / 111_195, longitude: 13.405 });
    const positions = new Set(Array.from({ length: 50 }, (_, n) => JSON.stringify(near(n * 4))));
    expect(positions.size).to.be.within(2, 3);
  });
});
