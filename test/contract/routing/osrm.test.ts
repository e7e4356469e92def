/** The OSRM adapter against a server that behaves as its documentation says. */
import { expect } from 'chai';
import { Osrm } from '../../../src/engines/routing/osrm.js';
import { MatrixUnavailable } from '../../../src/solvers/distances/distances.js';
import { startOsrm, type OsrmServer } from '../../support/fakes/osrm.js';

const at = (latitude: number, longitude: number) => ({ latitude: latitude * 1e6, longitude: longitude * 1e6 });
const line = (count: number) => Array.from({ length: count }, (_, n) => at(50, 10 + n / 100));

describe('legs from OSRM', () => {
  let server: OsrmServer;
  beforeEach(async () => void (server = await startOsrm()));
  afterEach(() => server.close());
  const osrm = (options = {}) => new Osrm({ url: server.url, tableSize: 100, ...options });
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );

  it('come in tiles, and are assembled in the right order', async () => {
    const places = line(23);
    const { distance, duration } = await osrm({ tableSize: 10 }).matrix(places);
    expect(server.requestBodies).to.have.length(9);
    for (let from = 0; from < 23; from += 1)
      for (let to = 0; to < 23; to += 1) {
        expect(distance[from * 23 + to]).to.equal(1_110 * Math.abs(from - to));
        expect(duration[from * 23 + to]).to.equal(111 * Math.abs(from - to));
      }
  });

  it('can also be requested separately', async () => {
    expect(await osrm().between(at(50, 10), at(50, 10.5))).to.deep.equal({ metres: 55_500, seconds: 5_550 });
    expect(await osrm().between(at(50, 10), at(50, 179.5))).to.equal(null);
  });

  it('are null if there is no way, and for places far from a street', async () => {
    const places = [at(50, 10), at(50, 179.5), at(89, 10), at(51, 10)];
    const { distance, duration } = await osrm({ tableSize: 2 }).matrix(places);
    expect([...duration]).to.deep.equal([0, -1, -1, 11_100, -1, 0, -1, -1, -1, -1, 0, -1, 11_100, -1, -1, 0]);
    expect(distance[3]).to.equal(111_000);
  });

  it('come in smaller tiles from a server with a lower limit (400 TooBig)', async () => {
    server.maxTableSize = 3;
    const { distance } = await osrm({ tableSize: 10 }).matrix(line(10));
    expect(distance[9]).to.equal(9_990);
  });

  it('come at the third attempt from a busy server (429), and never later', async () => {
    server.fail(429, 2);
    expect((await osrm().between(at(50, 10), at(50, 11)))?.metres).to.equal(111_000);
    server.fail(429);
    const requestCount = server.requestBodies.length;
    expect(await refusal(osrm().between(at(50, 10), at(50, 11)))).to.be.instanceOf(MatrixUnavailable);
    expect(server.requestBodies.length - requestCount).to.equal(3);
  });

  it('do not come from a server that hangs, has no matrix, or is unavailable', async () => {
    server.fail('hang');
    expect(await refusal(osrm({ timeoutMs: 50 }).matrix(line(2)))).to.be.instanceOf(MatrixUnavailable);
    server.fail(404);
    expect(await refusal(osrm().matrix(line(2)))).to.be.instanceOf(MatrixUnavailable);
    const gone = new Osrm({ url: 'http://127.0.0.1:9', tableSize: 100 });
    expect(await refusal(gone.matrix(line(2)))).to.be.instanceOf(MatrixUnavailable);
  });

  it('are not requested after an abort', async () => {
    server.fail('hang');
    const gone = new AbortController();
    setTimeout(() => gone.abort(new Error('given up')), 50);
    expect((await refusal(osrm().matrix(line(2), gone.signal)))?.message).to.equal('given up');
  });
});
