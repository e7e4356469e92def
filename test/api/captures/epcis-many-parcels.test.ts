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
});
