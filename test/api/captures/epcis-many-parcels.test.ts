/** One event about very many parcels causes no more reads of the log than one about a single parcel. */
import { expect } from 'chai';
import {
  documentOf,
  newParcel,
  openEpcisFixture,
  outcomesOf,
  ROLLBACK,
  scan,
  type EpcisFixture,
} from '../../support/inputs/epcis-documents.js';
import { createEpcisQueries } from '../../../src/projections/captures/epcis-queries.js';
import { createDatabase } from '../../../src/projections/core/database.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';

describe('EPCIS: one event about many parcels', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());

  /** How often the end of the log is read while an event about this many parcels is processed. */
  async function lookUps(parcels: number, options: object): Promise<number> {
    const { log } = fixture.t.service.engines;
    const head = log.head.bind(log);
    let count = 0;
    log.head = () => {
      count += 1;
      return head();
    };
    try {
      const epcs = Array.from({ length: parcels }, () => newParcel().urn);
      expect(outcomesOf(await fixture.push(documentOf(scan(epcs, 'arriving', 8)), options))).to.deep.equal([
        'accepted',
      ]);
      const again = await fixture.push(documentOf(scan(epcs, 'arriving', 8)), options);
      expect(outcomesOf(again)).to.deep.equal(['duplicate']);
    } finally {
      log.head = head;
    }
    return count;
  }

  for (const [behaviour, options] of [
    ['proceed', {}],
    ['rollback', ROLLBACK],
  ] as const) {
    it(`looks up all of them at once (${behaviour})`, async () => {
      const one = await lookUps(1, options);
      expect(one).to.be.greaterThan(0);
      // Projections also read the end while the response takes longer.
      expect(await lookUps(1_001, options)).to.be.lessThan(one + 50);
    });
  }

  it('limits the scans that a query reads at once, and reads each event completely', async () => {
    const { service, demo } = fixture.t;
    const pushed = Array.from({ length: 3 }, (_, index) =>
      scan(
        Array.from({ length: 3 }, () => newParcel().urn),
        'arriving',
        20 + index,
      ),
    );
    expect(outcomesOf(await fixture.push(documentOf(...pushed)))).to.deep.equal(Array(3).fill('accepted'));
    const head = await service.engines.log.head();
    expect(await service.progress.waitFor('epcis_events', head, WAIT_LIMIT_MS)).to.equal(true);
    const caller = { kind: 'provider', id: demo.provider.id } as const;
    for (const descending of [false, true]) {
      const countsWith = async (maxScans: number) => {
        const queries = createEpcisQueries(createDatabase(service.engines.pool), maxScans);
        const times = { from: '2026-03-01T20:00:00.000000000Z', before: '2026-03-02T00:00:00.000000000Z' };
        const hits = await queries.find({ caller, ...times, candidates: [], descending, limit: 10 });
        expect(hits).to.have.length(3);
        const scans = await queries.scansOf(hits, { caller, descending });
        return hits.map((hit) => scans.filter(({ id }) => id === hit.id).length);
      };
      expect(await countsWith(100)).to.deep.equal([3, 3, 3]);
      expect(await countsWith(9)).to.deep.equal([3, 3, 0]);
      expect(await countsWith(7)).to.deep.equal([3, 3, 0]);
      expect(await countsWith(4)).to.deep.equal([3, 0, 0]);
    }
  });
});
