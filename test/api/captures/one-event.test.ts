/**
 * Acceptance T6 (rule N11): a captured event is returned once, under its own id, as it was received.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  CONTEXT,
  documentOf,
  newParcel,
  openEpcisFixture,
  outcomesOf,
  scan,
  type EpcisEvent,
  type EpcisFixture,
} from '../../support/inputs/epcis-documents.js';
import { captureAlone, captureAsBefore } from '../../support/inputs/stored-captures.js';
import { declaration, epcisReader, newEventId, newUrns, texts } from '../../support/inputs/epcis-events.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { TRACKING_PREFIX } from '../../../src/events/trackings/events.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';

const parcels = (count: number) => Array.from({ length: count }, newParcel);
const urns = (list: readonly { readonly urn: string }[]) => list.map(({ urn }) => urn);

describe('EPCIS: a captured event is one event (N11)', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());
  const { ask, find, byId, pages } = epcisReader(() => fixture);

  describe('a captured event', () => {
    it('with five EPCs is returned once, byte for byte, by its own id and by each EPC', async () => {
      const five = parcels(5);
      const eventID = newEventId();
      const sent = scan(urns(five), 'departing', 8, {
        eventID,
        recordTime: '2026-03-01T08:00:01.123456789Z',
        eventTimeZoneOffset: '-06:00',
        'ex:seal': { 'ex:number': 'Ä-1', 'ex:empty': [], 'ex:weight': 1e-7 },
        disposition: 'cbv:Disp-in_transit',
      });
      const pushed = await fixture.push(documentOf(sent));
      expect(pushed.json.events[0]).to.include({ outcome: 'accepted', event_id: eventID });
      expect(texts(await byId(eventID))).to.deep.equal(texts([sent]));
      for (const { urn, link } of five)
        for (const epc of [urn, link]) expect(texts(await find({ MATCH_epc: epc })), epc).to.deep.equal(texts([sent]));
      expect(await find({ MATCH_epc: urns(five).join('|') })).to.have.length(1);
      for (const query of [{ EQ_bizStep: 'departing' }, { EQ_disposition: 'in_transit' }, { EQ_action: 'OBSERVE' }])
        expect(await find({ ...query, MATCH_epc: five[1]!.urn }), JSON.stringify(query)).to.have.length(1);
      expect(await find({ MATCH_epc: five[1]!.urn, EQ_bizStep: 'arriving' })).to.deep.equal([]);
      // The prefix of its document is declared.
      const { json } = await ask({ EQ_eventID: eventID });
      expect(json['@context'].at(-1)).to.include({ ex: 'https://ex.example/ns/', otep: 'urn:otep:epcis:' });
      // The timeline of one parcel keeps its form, with an id of this service.
      const timeline = await ask(`/otep/trackings/${five[0]!.sscc}?format=epcis`);
      const [own] = timeline.json.epcisBody.eventList;
      expect(own.epcList).to.deep.equal([`https://id.gs1.org/00/${five[0]!.sscc}`]);
      expect(own.eventID).to.match(/^urn:uuid:/);
      expect(texts(await find({ EQ_eventID: own.eventID }))).to.deep.equal(texts([sent]));
    });

    it('of each type, also without an id, in a list, alone and by a capture job', async () => {
      const [pallet, a, b, c] = parcels(4);
      const base = scan([], 'packing', 8, { epcList: undefined });
      const sent: EpcisEvent[] = [
        { ...base, type: 'AggregationEvent', action: 'ADD', parentID: pallet!.urn, childEPCs: urns([a!, b!]) },
        { ...base, type: 'AssociationEvent', action: 'ADD', parentID: pallet!.urn, childEPCs: urns([c!]) },
        {
          ...base,
          type: 'TransactionEvent',
          action: 'ADD',
          epcList: urns([a!, c!]),
          bizTransactionList: [{ type: 'po', bizTransaction: 'urn:epcglobal:cbv:bt:4012345000009:PO1' }],
        },
        {
          ...base,
          type: 'TransformationEvent',
          action: undefined,
          inputEPCList: urns([a!, b!]),
          outputEPCList: urns([c!]),
        },
      ].map((one, index) => ({ ...one, eventID: newEventId(), eventTime: `2026-03-01T08:00:0${index}Z` }));
      expect(outcomesOf(await fixture.push(sent))).to.deep.equal(sent.map(() => 'accepted'));
      for (const one of sent) {
        const found = await find({ EQ_eventID: one['eventID'] as string, eventType: one['type'] as string });
        expect(texts(found), one['type'] as string).to.deep.equal(texts([one]));
      }
      expect(texts(await find({ MATCH_anyEPC: c!.urn }))).to.deep.equal(texts(sent.slice(1)));

      const alone = { '@context': [{ my: 'https://my.example/' }], ...scan(newUrns(2), 'arriving', 9), 'my:x': 1 };
      const answer = await fixture.push(alone);
      const { event_id } = answer.json.events[0];
      expect(event_id).to.match(/^ni:\/\/\/sha-256;/);
      expect(texts(await byId(event_id))).to.deep.equal(texts([{ ...alone, eventID: event_id }]));

      const captured = scan(newUrns(3), 'arriving', 10, { eventID: `urn:uuid:${randomUUID().toUpperCase()}` });
      const taken = await fixture.t.api('/otep/epcis/capture', {
        key: fixture.t.demo.provider.key,
        body: documentOf(captured),
      });
      const job = taken.headers.get('location')!.replace('/api/v1', '');
      while ((await ask(job)).json.running);
      for (const id of [captured['eventID'] as string, (captured['eventID'] as string).toLowerCase()])
        expect(texts(await byId(id))).to.deep.equal(texts([captured]));
    });

    it('and its error declaration are both returned as they were received', async () => {
      const sent = scan(newUrns(3), 'departing', 8, { eventID: newEventId() });
      const declared = {
        ...sent,
        recordTime: '2026-03-02T00:00:01Z',
        errorDeclaration: { ...declaration, 'ex:clerk': 'Kim', correctiveEventIDs: [newEventId()] },
      };
      await fixture.push(documentOf(sent));
      await fixture.push(documentOf(declared));
      expect(texts(await byId(sent['eventID']))).to.deep.equal(texts([sent, declared]));
      expect(
        texts((await pages({ EQ_eventID: sent['eventID'] as string, perPage: '1' })).flat()),
        'page by page',
      ).to.deep.equal(texts([sent, declared]));
    });

    it('that is retracted for one parcel in another format is declared for that parcel only', async () => {
      const [a, b] = parcels(2);
      const sent = scan(urns([a!, b!]), 'departing', 8, { eventID: newEventId() });
      await fixture.push(documentOf(sent));
      const retraction = { retracts: sent['eventID'], occurred_at: '2026-03-02T00:00:00Z' };
      await fixture.t.push({ subject: { gs1_sscc: a!.sscc }, events: [retraction] });
      const [first, second] = await byId(sent['eventID']);
      expect(texts([first])).to.deep.equal(texts([sent]));
      expect(second).to.deep.include({ eventID: sent['eventID'], epcList: [a!.urn] });
      expect(second).to.have.nested.property('errorDeclaration.reason', 'did_not_occur');
      const again = { occurred_at: '2026-03-01T09:00:00Z', status_code: 'in_transit', unretracts: sent['eventID'] };
      await fixture.t.push({ subject: { gs1_sscc: a!.sscc }, events: [again] });
      expect(texts(await byId(sent['eventID']))).to.deep.equal(texts([sent]));
    });

    it('is sorted with native scans, and each event is on one page', async () => {
      const key = await fixture.t.addProvider(`pages-${process.pid}`);
      const number = newNumber();
      await fixture.t.push(timelineOf(number, [event('picked_up', 1), event('in_transit', 2)]), { key });
      const shared = Array.from({ length: 7 }, () => scan(newUrns(3), 'departing', 8, { eventID: newEventId() }));
      const later = scan(newUrns(4), 'arriving', 9, { eventID: newEventId() });
      await fixture.push(documentOf(...shared, later), { key });
      const readAll = async (perPage: number, orderDirection: string) =>
        (await pages({ perPage: String(perPage), orderDirection }, { key })).flat().map(({ eventID }) => eventID);
      const all = await readAll(100, 'ASC');
      expect(all).to.have.length(10);
      expect(new Set(all).size).to.equal(10);
      expect(all.slice(2, 9)).to.have.members(shared.map(({ eventID }) => eventID));
      expect(all.at(-1)).to.equal(later['eventID']);
      for (const perPage of [1, 2, 3, 9]) {
        expect(await readAll(perPage, 'ASC'), String(perPage)).to.deep.equal(all);
        expect(await readAll(perPage, 'DESC'), String(perPage)).to.deep.equal([...all].reverse());
      }
    });

    it('is not on one page with an event whose document gives a term another meaning', async () => {
      const [parcel] = parcels(1);
      const sent = ['https://one.example/', 'https://two.example/'].map((ex, index) => ({
        ...documentOf(scan([parcel!.urn], 'departing', 8 + index, { 'ex:a': index, eventID: newEventId() })),
        '@context': [CONTEXT, { ex }],
      }));
      for (const document of sent) await fixture.push(document);
      const read = await pages({ MATCH_epc: parcel!.urn });
      expect(read.map((page) => texts(page))).to.deep.equal(sent.map(({ epcisBody }) => texts(epcisBody.eventList)));
      const { json } = await ask({ MATCH_epc: parcel!.urn });
      expect(json['@context'].at(-1).ex).to.equal('https://one.example/');
    });
  });

  it('that an earlier version captured is returned in the same way', async () => {
    const [a, b, c] = parcels(3);
    const sent = scan(urns([a!, b!]), 'departing', 8, { eventID: newEventId(), 'ex:seal': 'S-1' });
    const single = scan([c!.urn], 'arriving', 9);
    const declared = { ...sent, errorDeclaration: { ...declaration, 'ex:clerk': 'Kim' } };
    await captureAsBefore(fixture.t, documentOf(sent, single));
    expect(texts(await byId(sent['eventID']))).to.deep.equal(texts([sent]));
    const [found] = await find({ MATCH_epc: c!.urn });
    expect(texts([{ ...found, eventID: undefined }])).to.deep.equal(texts([single]));
    await captureAsBefore(fixture.t, documentOf(declared));
    expect(texts(await byId(sent['eventID']))).to.deep.equal(texts([sent, declared]));
    // A new report of the same event for another parcel is the same event.
    expect((await fixture.push(documentOf(sent))).json).to.include({ duplicates: 1 });
  });

  it('that an earlier version stored alone is returned in the same way', async () => {
    const [parcel] = parcels(1);
    await fixture.push([scan([parcel!.urn], 'arriving', 7, { eventID: newEventId() })]);
    const opened = (await storedEvents(fixture.t.service.engines.log)).findLast(
      ({ type }) => type === 'TrackingOpened',
    );
    const sent = scan([parcel!.urn], 'departing', 8, { eventID: newEventId(), recordTime: '2026-03-01T08:00:09Z' });
    await captureAlone(fixture.t, sent, opened!.stream.slice(TRACKING_PREFIX.length));
    expect(texts(await byId(sent['eventID']))).to.deep.equal(texts([sent]));
  });

  it('is stored together with the other events of its parcel, and returned alone', async () => {
    const [a, b, c] = parcels(3);
    const many = [a!, b!].flatMap(({ urn }) =>
      Array.from({ length: 12 }, (_, hour) =>
        scan([urn], 'departing', hour, { eventID: newEventId(), 'ex:note': 'n'.repeat(500 + hour) }),
      ),
    );
    const shared = scan(urns([b!, c!]), 'arriving', 13, { eventID: newEventId() });
    const before = await fixture.logSize();
    expect((await fixture.push(documentOf(...many, shared))).json).to.include({ accepted: 25 });
    // One for each parcel, and one for the event of two parcels.
    const stored = (await storedEvents(fixture.t.service.engines.log))
      .slice(before)
      .filter(({ type }) => type === 'EpcisEventCaptured');
    expect(stored.map(({ data }) => (data['events'] as unknown[]).length).toSorted((a, b) => a - b)).to.deep.equal([
      1, 12, 12,
    ]);
    for (const one of [many[0]!, many[11]!, many[23]!, shared])
      expect(texts(await byId(one['eventID']))).to.deep.equal(texts([one]));
    expect(texts(await find({ MATCH_epc: a!.urn }))).to.deep.equal(texts(many.slice(0, 12)));
  });

  // A group, because Mocha runs the tests of a suite before its groups.
  describe('at the end', () => {
    it('a replay of the log gives the same rows', () =>
      expectSameReplay(fixture.t, ['timeline', 'captures', 'epcis_events']));
  });
});
