import { expect } from 'chai';
import fc from 'fast-check';
import type { Position } from '../../../src/solvers/distances/distances.js';
import { Haversine } from '../../../src/solvers/distances/haversine.js';

const at = (latitude: number, longitude: number): Position => ({
  latitude: Math.round(latitude * 1e6),
  longitude: Math.round(longitude * 1e6),
});

describe('distances without a map', () => {
  it('are the great circle times the road factor', async () => {
    const straight = new Haversine({ roadFactor: 1 });
    // Berlin to Munich, and across the antimeridian: Suva to Apia.
    expect((await straight.between(at(52.52, 13.405), at(48.137, 11.575))).metres).to.be.closeTo(504_400, 500);
    expect((await straight.between(at(-18.1416, 178.4419), at(-13.8333, -171.7667))).metres).to.be.closeTo(
      1_150_700,
      500,
    );
    const road = await new Haversine().between(at(52.52, 13.405), at(48.137, 11.575));
    expect(road.metres).to.be.closeTo(504_400 * 1.3, 700);
    // Beyond 200 km the speed is that at 200 km: 80 km/h.
    expect(road.seconds).to.be.closeTo(road.metres / (80 / 3.6), 1);
  });

  it('interpolate the speed between those of the table', async () => {
    const flat = new Haversine({
      roadFactor: 1,
      speeds: [
        [0, 18],
        [2_000, 36],
      ],
    });
    const { metres, seconds } = await flat.between(at(0, 0), at(0, 0.008993216));
    expect(metres).to.equal(1_000);
    expect(seconds).to.equal(Math.round(3_600 / 27));
    expect(await flat.between(at(50, 8), at(50, 8))).to.deep.equal({ metres: 0, seconds: 0 });
  });

  it('are the same in both directions, in a matrix as for a pair', async () => {
    const position = fc.record({
      latitude: fc.integer({ min: -90_000_000, max: 90_000_000 }),
      longitude: fc.integer({ min: -180_000_000, max: 180_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(position, { minLength: 2, maxLength: 6 }), async (positions) => {
        const distances = new Haversine();
        const { size, distance, duration } = await distances.matrix(positions);
        for (let from = 0; from < size; from += 1)
          for (let to = 0; to < size; to += 1) {
            const cell = from * size + to;
            expect(distance[cell]).to.equal(distance[to * size + from]);
            if (from === to) continue;
            const pair = await distances.between(positions[from]!, positions[to]!);
            expect([distance[cell], duration[cell]]).to.deep.equal([pair.metres, pair.seconds]);
            expect(distance[cell]).to.be.within(0, 1.3 * 20_015_200);
          }
      }),
    );
  });
});
