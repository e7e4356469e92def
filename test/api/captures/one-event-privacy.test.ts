/** Acceptance T6 (rule N11): who sees a captured event, and what an erasure leaves of it. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  documentOf,
  newParcel,
  openEpcisFixture,
  outcomesOf,
  scan,
  type EpcisEvent,
  type EpcisFixture,
} from '../../support/inputs/epcis-documents.js';
import { captureAndFail, captureAsBefore, resumeCapture } from '../../support/inputs/stored-captures.js';
import { epcisReader, newEventId, texts } from '../../support/inputs/epcis-events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { loadCapture } from '../../../src/events/captures/stored.js';
import { checkEvent } from '../../../src/serializers/epcis/event-schema.js';
import { newNumber } from '../../support/inputs/pushes.js';
import { erasureOf } from '../../support/worlds/erasure.js';
import { businessIds, causeOf, openTracking } from '../../support/worlds/shipments.js';
import { signIns } from '../../support/worlds/users.js';

const parcels = (count: number) => Array.from({ length: count }, newParcel);
const urns = (list: readonly { readonly urn: string }[]) => list.map(({ urn }) => urn);

describe('EPCIS: callers and erasures of a captured event (N11)', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());
  const { find, byId } = epcisReader(() => fixture);

  describe('callers', () => {
    it('see the events of their parcels, without the parcels of others', async () => {
      const { t } = fixture;
      const { demo, other } = await businessIds(t.service);
      const as = signIns(t);
      const [mine, mineToo, theirs] = [newNumber(), newNumber(), newNumber()];
      for (const [business, number] of [
        [demo, mine],
        [demo, mineToo],
        [other, theirs],
      ] as const)
        await openTracking(
          t.service,
          business,
          number,
          // A second provider was given one of the parcels.
          [t.demo.provider.id, ...(number === mine ? [t.demo.strict_provider.id] : [])],
          causeOf(business, 1),
        );
      const epc = (number: string) => `urn:otep:parcel:obj:${number}`;
      const [free, pallet] = parcels(2);
      const whole = scan([mine, mineToo].map(epc), 'departing', 8, { eventID: newEventId() });
      const shared = scan([epc(mine), epc(theirs), free!.urn, epc(mineToo)], 'departing', 9, {
        eventID: newEventId(),
        'ex:seal': 'S-1',
      });
      const packed: EpcisEvent = {
        ...scan([], 'packing', 10, { epcList: undefined, eventID: newEventId() }),
        type: 'AggregationEvent',
        action: 'ADD',
        parentID: epc(theirs),
        childEPCs: [free!.urn, pallet!.urn],
      };
      expect(outcomesOf(await fixture.push(documentOf(whole, shared, packed)))).to.deep.equal(
        Array(3).fill('accepted'),
      );
      const seen = async (user: 'client_admin' | 'other_client_admin', eventID: unknown) =>
        find({ EQ_eventID: eventID as string }, { key: await as(user) });
      for (const one of [whole, shared, packed])
        expect(texts(await byId(one['eventID'])), 'its provider').to.deep.equal(texts([one]));
      expect(texts(await seen('client_admin', whole['eventID']))).to.deep.equal(texts([whole]));
      expect(await seen('other_client_admin', whole['eventID'])).to.deep.equal([]);
      expect(texts(await seen('client_admin', shared['eventID']))).to.deep.equal(
        texts([{ ...shared, epcList: [epc(mine), epc(mineToo)] }]),
      );
      expect(texts(await seen('other_client_admin', shared['eventID']))).to.deep.equal(
        texts([{ ...shared, epcList: [epc(theirs)] }]),
      );
      const given = await byId(shared['eventID'], { key: t.demo.strict_provider.key });
      expect(texts(given), 'another provider').to.deep.equal(texts([{ ...shared, epcList: [epc(mine)] }]));
      expect(await byId(packed['eventID'], { key: t.demo.strict_provider.key })).to.deep.equal([]);
      expect(await seen('client_admin', packed['eventID'])).to.deep.equal([]);
      const [observed, ...more] = await seen('other_client_admin', packed['eventID']);
      expect(more).to.deep.equal([]);
      expect(observed).to.include({ type: 'ObjectEvent', action: 'OBSERVE', eventID: packed['eventID'] });
      expect(observed!['epcList']).to.deep.equal([epc(theirs)]);
      expect(observed).to.not.have.any.keys('childEPCs', 'parentID');
      for (const one of [observed, ...(await seen('client_admin', shared['eventID']))])
        expect(checkEvent(one, '')).to.deep.equal([]);
      // A condition on one parcel does not hide the others of the caller.
      const byOne = await find({ MATCH_epc: epc(mine) }, { key: await as('client_admin') });
      expect(byOne.map(({ epcList }) => epcList)).to.deep.equal([whole['epcList'], [epc(mine), epc(mineToo)]]);
    });
  });

  describe('an erasure', () => {
    it('of one parcel removes its events, and the others of the document stay', async () => {
      const hundred = parcels(100);
      const sent = hundred.map(({ urn }, index) =>
        scan([urn], 'departing', 8, { eventID: newEventId(), 'ex:note': `SECRET-${index}` }),
      );
      const shared = scan(urns(hundred.slice(0, 3)), 'arriving', 9, { eventID: newEventId() });
      const unaffected = scan(urns(hundred.slice(1, 3)), 'storing', 10, { eventID: newEventId() });
      await fixture.push(documentOf(...sent, shared, unaffected));
      const readAll = async () => {
        const ids = [...sent, shared, unaffected].map(({ eventID }) => eventID as string);
        const found = await Promise.all(ids.map((id) => find({ EQ_eventID: id })));
        return texts(found.flat());
      };
      expect(await readAll()).to.deep.equal(texts([...sent, shared, unaffected]));

      await erase(hundred[0]!.sscc);

      expect(await readAll()).to.deep.equal(texts([...sent.slice(1), unaffected]));
      expect(await find({ MATCH_epc: hundred[0]!.urn })).to.deep.equal([]);
      // A repeated push stores nothing readable about the erased parcel.
      await fixture.push(documentOf(shared));
      expect(await byId(shared['eventID'])).to.deep.equal([]);
      // The same is true of a later event.
      const late = scan(urns(hundred.slice(0, 2)), 'storing', 11, { eventID: newEventId(), 'ex:note': 'SECRET-late' });
      expect(outcomesOf(await fixture.push(documentOf(late)))).to.deep.equal(['accepted']);
      expect(await byId(late['eventID'])).to.deep.equal([]);
      expect(await storedTexts()).to.not.include('SECRET-late');
    });

    it('of a parcel in a document of an earlier version leaves the events of the others as they were', async () => {
      const [erased, other, third] = parcels(3);
      const shared = scan(urns([erased!, other!, third!]), 'departing', 8, { eventID: newEventId() });
      await captureAsBefore(fixture.t, documentOf(shared));
      expect(texts(await byId(shared['eventID']))).to.deep.equal(texts([shared]));
      await erase(erased!.sscc);
      // The key of the whole document was destroyed, so only the timelines still have the event.
      const left = await find({ MATCH_epc: urns([other!, third!]).join('|') });
      expect(left.map(({ epcList }) => epcList)).to.have.deep.members(
        [other!, third!].map(({ sscc }) => [`https://id.gs1.org/00/${sscc}`]),
      );
    });

    it('leaves nothing of an event that was rejected', async () => {
      const [erased, other] = parcels(2);
      const known = scan([erased!.urn], 'arriving', 8, { eventID: newEventId() });
      await fixture.push(documentOf(known));
      const kept = scan([other!.urn], 'arriving', 8, { eventID: newEventId() });
      const note = { 'ex:note': 'SECRET-rejected' };
      const answer = await fixture.push(
        documentOf(
          kept,
          { ...known, bizStep: 'departing', ...note },
          scan(urns([erased!, other!]), 'departing', 9, { eventID: known['eventID'], ...note }),
          scan([erased!.urn], 'departing', 9, { eventID: 'not a URI', ...note }),
        ),
      );
      expect(outcomesOf(answer)).to.deep.equal(['accepted', 'EVENT_ID_REUSED', 'EVENT_ID_REUSED', 'NOT_A_URI']);
      await erase(erased!.sscc);
      const text = await storedTexts();
      expect(text).to.include(kept['eventID'] as string);
      expect(text).to.not.include('SECRET-rejected');
    });

    it('before an interrupted capture is resumed does not mix up its parcels', async () => {
      const [erased, other] = parcels(2);
      await fixture.push(documentOf(scan(urns([erased!]), 'arriving', 7), scan(urns([other!]), 'arriving', 7)));
      const id = await captureAndFail(
        fixture.t,
        documentOf(
          scan([erased!.urn], 'departing', 8, { eventID: newEventId() }),
          scan(urns([other!, erased!]), 'storing', 9, { eventID: newEventId() }),
          scan([other!.urn], 'arriving', 10, { eventID: newEventId() }),
        ),
      );
      const trackings = await Promise.all([other!, erased!].map(({ sscc }) => trackingOf(sscc)));
      await erase(erased!.sscc, false);
      await resumeCapture(fixture.t, id);
      expect(await Promise.all(trackings.map(scansOf))).to.deep.equal([3, 2]);
      expect(await Promise.all([other!, erased!].map(({ sscc }) => trackingOf(sscc)))).to.deep.equal(trackings);
    });

    /** All captured documents that can be decrypted. */
    async function storedTexts(): Promise<string> {
      const { log, keyRing, pool } = fixture.t.service.engines;
      const { rows } = await pool.query<{ id: string }>('select id from captures.captures');
      const stored = await Promise.all(
        rows.map(({ id }) => loadCapture(id, { log, keyRing, types: EVENT_TYPES }).then((one) => one?.content)),
      );
      return JSON.stringify(stored);
    }

    /** `isFinished`: whether the erasure waits for no capture. */
    async function erase(sscc: string, isFinished = true): Promise<void> {
      const { subjects, erasing } = erasureOf(fixture.t);
      const [found] = await subjects.find(await trackingOf(sscc));
      const cause = { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' } as const;
      expect((await erasing.erase(found!, randomUUID(), cause)).finished).to.equal(isFinished);
    }

    async function scansOf(tracking: string): Promise<number> {
      const { rows } = await fixture.t.service.engines.pool.query(
        'select 1 from epcis_events.events where tracking = $1',
        [tracking],
      );
      return rows.length;
    }

    async function trackingOf(sscc: string): Promise<string> {
      const { rows } = await fixture.t.service.engines.pool.query<{ id: string }>(
        `select id from timeline.trackings where subject->>'gs1_sscc' = $1`,
        [sscc],
      );
      return rows[0]!.id;
    }
  });

  // A group, because Mocha runs the tests of a suite before its groups.
  describe('at the end', () => {
    it('a replay of the log gives the same rows', () =>
      expectSameReplay(fixture.t, ['timeline', 'captures', 'epcis_events']));
  });
});
