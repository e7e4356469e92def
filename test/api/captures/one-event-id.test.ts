/** Acceptance T6 (rule N11): other content under the id of an event is rejected. */
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
import { captureAndFail, captureAsBefore, resumeCapture } from '../../support/inputs/stored-captures.js';
import { declaration, epcisReader, newEventId, newUrns, texts } from '../../support/inputs/epcis-events.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { DEFAULT_PREFIXES } from '../../../src/serializers/epcis/context.js';
import { eventHash } from '../../../src/serializers/epcis/hash.js';
import { expectSameReplay } from '../../support/checks/replay.js';

const parcels = (count: number) => Array.from({ length: count }, newParcel);
const urns = (list: readonly { readonly urn: string }[]) => list.map(({ urn }) => urn);

describe('EPCIS: one eventID is one event (N11)', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());
  const { ask, byId } = epcisReader(() => fixture);

  describe('other content under a known id is rejected', () => {
    it('across parcels: in one document, in a later one, and for every parcel', async () => {
      const [a, b, c] = parcels(3);
      const eventID = newEventId();
      const first = scan([a!.urn], 'arriving', 8, { eventID });
      const second = scan([b!.urn], 'departing', 9, { eventID });
      const both = await fixture.push(documentOf(first, second));
      expect(outcomesOf(both)).to.deep.equal(['accepted', 'EVENT_ID_REUSED']);
      expect(both.json.events[1]).to.deep.include({ event_id: eventID });
      expect(both.json.events[1].errors[0].path).to.equal('/epcisBody/eventList/1/eventID');
      for (const [epcs, step] of [
        [urns([b!, c!]), 'shipping'],
        [urns([a!, b!]), 'arriving'],
        [urns([c!]), 'arriving'],
      ] as const) {
        const refused = await fixture.push(documentOf(scan(epcs, step, 8, { eventID })));
        expect([refused.status, ...outcomesOf(refused)]).to.deep.equal([422, 'EVENT_ID_REUSED']);
        expect(refused.json).to.include({ accepted: 0, rejected: 1 });
      }
      expect(texts(await byId(eventID))).to.deep.equal(texts([first]));
      for (const { sscc } of [b!, c!]) expect((await ask(`/otep/trackings/${sscc}`)).status).to.equal(404);
    });

    it('also in a capture with rollback, which then stores nothing', async () => {
      const eventID = newEventId();
      const document = documentOf(
        scan(newUrns(1), 'arriving', 8, { eventID }),
        scan(newUrns(2), 'departing', 9, { eventID }),
      );
      const before = await fixture.logSize();
      expect(outcomesOf(await fixture.push(document, ROLLBACK))).to.deep.equal(['ROLLED_BACK', 'EVENT_ID_REUSED']);
      expect(await fixture.logSize()).to.equal(before);
      expect(await byId(eventID)).to.deep.equal([]);
    });

    it('but the same content is a duplicate, in every notation, and another provider has its own ids', async () => {
      const [a, b] = parcels(2);
      const eventID = newEventId();
      const sent = scan(urns([a!, b!]), 'arriving', 8, { eventID });
      expect(outcomesOf(await fixture.push([sent, { ...sent, epcList: [b!.link, a!.link] }]))).to.deep.equal([
        'accepted',
        'duplicate',
      ]);
      expect(outcomesOf(await fixture.push([{ ...sent, recordTime: '2026-03-03T00:00:00Z' }]))).to.deep.equal([
        'duplicate',
      ]);
      const key = await fixture.t.addProvider(`other-${process.pid}`);
      const theirs = scan(newUrns(2), 'departing', 9, { eventID });
      expect(outcomesOf(await fixture.push([theirs], { key }))).to.deep.equal(['accepted']);
      expect(texts(await byId(eventID, { key }))).to.deep.equal(texts([theirs]));
      expect(texts(await byId(eventID))).to.deep.equal(texts([sent]));
    });

    it('and so is an error declaration that differs from its event, in both orders and about any parcel', async () => {
      const [a, b] = parcels(2);
      for (const isFirst of [true, false]) {
        const eventID = newEventId();
        const one = scan([a!.urn], 'arriving', 8, { eventID });
        const other = { ...scan([b!.urn], 'arriving', 8, { eventID }), errorDeclaration: declaration };
        const documents = isFirst ? [one, other] : [other, one];
        expect(outcomesOf(await fixture.push([documents[0]]))).to.deep.equal(['accepted']);
        expect(outcomesOf(await fixture.push([documents[1]]))).to.deep.equal(['EVENT_ID_REUSED']);
      }
      const measured = scan([], 'stocking', 8, {
        epcList: undefined,
        eventID: newEventId(),
        readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' },
        sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4, uom: 'CEL' }] }],
      });
      expect(
        outcomesOf(
          await fixture.push([
            measured,
            { ...measured, bizStep: 'storing', errorDeclaration: declaration },
            { ...measured, errorDeclaration: declaration },
          ]),
        ),
      ).to.deep.equal(['accepted', 'EVENT_ID_REUSED', 'accepted']);
    });
  });

  it('also if two requests of one process arrive at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const eventID = newEventId();
      const sent = newUrns(4).map((urn, index) => scan([urn], 'arriving', index, { eventID }));
      const answers = await Promise.all(sent.map((one) => fixture.push(documentOf(one))));
      expect(answers.flatMap(outcomesOf).sort()).to.deep.equal([...Array(3).fill('EVENT_ID_REUSED'), 'accepted']);
      expect(await byId(eventID)).to.have.length(1);
    }
  });

  it('also after a crash between the capture and its trackings', async () => {
    const [a, b] = parcels(2);
    const eventID = newEventId();
    const document = documentOf(
      scan([a!.urn], 'arriving', 8, { eventID, 'ex:note': 'kept' }),
      scan([b!.urn], 'departing', 9, { eventID }),
    );
    const id = await captureAndFail(fixture.t, document);
    expect(await byId(eventID)).to.deep.equal([]);
    await resumeCapture(fixture.t, id);
    expect(texts(await byId(eventID))).to.deep.equal(texts(document.epcisBody.eventList.slice(0, 1)));
    const job = await ask(`/otep/epcis/capture/${id}`);
    expect(job.json).to.deep.include({ running: false, success: false });
    expect(job.json.errors.map(({ code }: { code: string }) => code)).to.deep.equal(['EVENT_ID_REUSED']);
    expect((await ask(`/otep/trackings/${b!.sscc}`)).status).to.equal(404);
  });

  it('also if the id is too long for a timeline', async () => {
    const eventID = `https://carrier.example/${'x'.repeat(400)}/${process.pid}`;
    const [a, b] = newUrns(2);
    const sent = scan([a!], 'arriving', 8, { eventID });
    expect(outcomesOf(await fixture.push([sent, scan([b!], 'arriving', 8, { eventID })]))).to.deep.equal([
      'accepted',
      'EVENT_ID_REUSED',
    ]);
  });

  it('also if the id is the hash of the content of the first event', async () => {
    const [a, b] = newUrns(2);
    const first = scan([a!], 'arriving', 8);
    const eventID = eventHash(first, DEFAULT_PREFIXES);
    expect(outcomesOf(await fixture.push([{ ...first, eventID }]))).to.deep.equal(['accepted']);
    const { engines, progress } = fixture.t.service;
    await progress.waitFor('epcis_events', await engines.log.head(), WAIT_LIMIT_MS);
    expect(outcomesOf(await fixture.push([scan([b!], 'departing', 9, { eventID })]))).to.deep.equal([
      'EVENT_ID_REUSED',
    ]);
  });

  it('also if an earlier version captured the event', async () => {
    const [a, b] = newUrns(2);
    const sent = scan([a!], 'arriving', 8, { eventID: newEventId() });
    await captureAsBefore(fixture.t, documentOf(sent));
    expect(outcomesOf(await fixture.push([{ ...sent, epcList: [b] }]))).to.deep.equal(['EVENT_ID_REUSED']);
    expect(outcomesOf(await fixture.push([sent]))).to.deep.equal(['duplicate']);
    expect(texts(await byId(sent['eventID']))).to.deep.equal(texts([sent]));
  });

  // A group, because Mocha runs the tests of a suite before its groups.
  describe('at the end', () => {
    it('a replay of the log gives the same rows', () =>
      expectSameReplay(fixture.t, ['timeline', 'captures', 'epcis_events']));
  });
});
