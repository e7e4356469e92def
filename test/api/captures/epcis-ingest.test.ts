/** EPCIS 2.0 documents that are pushed over HTTP: accepted events, retractions, and storage. */
import { expect } from 'chai';
import {
  documentOf,
  newParcel,
  openEpcisFixture,
  outcomesOf,
  ROLLBACK,
  scan,
  type EpcisFixture,
  type EpcisEvent,
} from '../../support/inputs/epcis-documents.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { DEFAULT_PREFIXES } from '../../../src/serializers/epcis/context.js';
import { checkEvent } from '../../../src/serializers/epcis/event-schema.js';
import { eventHashes } from '../../../src/serializers/epcis/hash.js';
import { positionOf } from '../../support/worlds/service.js';

describe('EPCIS: pushing documents', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());

  describe('accepts', () => {
    it('a document, a query document, one event and a list, as JSON and as JSON-LD', async () => {
      const one = scan([newParcel().urn], 'departing', 8);
      const results = {
        queryName: 'SimpleEventQuery',
        resultsBody: { eventList: [scan([newParcel().urn], 'departing', 8)] },
      };
      const documents = [
        documentOf(one),
        { '@context': [], type: 'EPCISQueryDocument', epcisBody: { queryResults: results } },
        { '@context': [], ...scan([newParcel().urn], 'arriving', 9) },
        [scan([newParcel().urn], 'arriving', 9)],
      ];
      for (const document of documents) {
        const answer = await fixture.push(document, { headers: { 'content-type': 'application/ld+json' } });
        expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([200, 'accepted']);
        expect(answer.headers.get('gs1-epcis-version')).to.equal('2.0');
        expect(answer.headers.get('gs1-cbv-version')).to.equal('2.0');
        expect(answer.headers.get('x-event-position')).to.match(/./);
        expect(outcomesOf(await fixture.push(document))).to.deep.equal(['duplicate']);
      }
    });

    it('URN and Digital Link of one SSCC as one parcel and, by the event hash, as one event', async () => {
      const parcel = newParcel();
      const first = await fixture.push(documentOf(scan([parcel.urn], 'departing', 8)));
      const second = await fixture.push(
        documentOf(
          scan([parcel.link], 'https://ref.gs1.org/cbv/BizStep-departing', 8, { recordTime: '2026-03-02T00:00:00Z' }),
          scan([parcel.link], 'cbv:BizStep-arriving', 9),
        ),
      );
      expect(first.json.events[0].event_id)
        .to.match(/^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/)
        .and.to.equal(second.json.events[0].event_id);
      expect(outcomesOf(second)).to.deep.equal(['duplicate', 'accepted']);
      expect(await fixture.statuses(parcel.sscc, second)).to.deep.equal(['package_outbound', 'arrival_scan']);
    });

    it('the same eventID once, for every notation of the event', async () => {
      const parcel = newParcel();
      const eventID = 'https://id.example/events/1';
      expect(outcomesOf(await fixture.push([scan([parcel.urn], 'departing', 8, { eventID })]))).to.deep.equal([
        'accepted',
      ]);
      const again = await fixture.push([
        scan([parcel.link], 'departing', 8, { eventID }),
        scan([parcel.urn], 'departing', 8, { eventID, 'rdfs:comment': 'told again' }),
      ]);
      expect(outcomesOf(again)).to.deep.equal(['duplicate', 'duplicate']);
    });

    it('no second event under one eventID: it is rejected, not lost (D2)', async () => {
      const parcel = newParcel();
      const eventID = 'https://id.example/events/2';
      await fixture.push([scan([parcel.urn], 'departing', 8, { eventID })]);
      const other = [scan([parcel.urn], 'receiving', 9, { eventID })];
      const refused = await fixture.push(other);
      expect([refused.status, ...outcomesOf(refused)]).to.deep.equal([422, 'EVENT_ID_REUSED']);
      expect(refused.json.events[0].errors[0].path).to.equal('/0/eventID');
      expect(outcomesOf(await fixture.push(other, ROLLBACK))).to.deep.equal(['EVENT_ID_REUSED']);
      // The same inside one document, and with an additional certificate.
      const eventID3 = 'https://id.example/events/3';
      const twice = [
        scan([parcel.urn], 'arriving', 10, { eventID: eventID3 }),
        scan([parcel.urn], 'arriving', 10, { eventID: eventID3, certificationInfo: 'https://id.example/certificate' }),
      ];
      const answer = await fixture.push(twice);
      expect(outcomesOf(answer)).to.deep.equal(['accepted', 'EVENT_ID_REUSED']);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal(['package_outbound', 'arrival_scan']);
    });

    it('events that differ only in their certificates as different ones, and ignores comments (D3)', async () => {
      const parcel = newParcel();
      const certified = (...names: readonly string[]) =>
        scan([parcel.urn], 'inspecting', 8, {
          ...(names.length > 0 && {
            certificationInfo: names.map((name) => `https://id.example/certificates/${name}`),
          }),
        });
      const answer = await fixture.push([certified(), certified('a'), certified('b'), certified('a', 'b')]);
      expect(outcomesOf(answer)).to.deep.equal(['accepted', 'accepted', 'accepted', 'accepted']);
      const timeline = await fixture.t.read(parcel.sscc, answer, { key: fixture.t.demo.provider.key });
      expect(
        timeline.json.events.map(
          (event: EpcisEvent) => (event['x-epcis'] as { certificationInfo?: string[] }).certificationInfo?.length,
        ),
      ).to.have.members([undefined, 1, 1, 2]);
      const again = await fixture.push([
        certified('b', 'a'),
        { ...certified('a'), 'rdfs:comment': 'again' },
        { ...certified(), 'http://www.w3.org/2000/01/rdf-schema#comment': 'and again' },
      ]);
      expect(outcomesOf(again)).to.deep.equal(['duplicate', 'duplicate', 'duplicate']);
    });

    it('an event once, whichever of the published hashes is its eventID', async () => {
      const parties = {
        sourceList: [{ type: 'possessing_party', source: 'urn:epc:id:pgln:4012345.00000' }],
        destinationList: [{ type: 'possessing_party', destination: 'urn:epc:id:pgln:4012345.00001' }],
        certificationInfo: 'https://id.example/certificates/c',
        sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 3, 'ex:probe': '07' }] }],
      };
      for (const form of ['given', 'earlier', 'former', 0, 1, 2, 3, 4, 5] as const) {
        const event = scan([newParcel().urn], 'shipping', 8, parties);
        const hashes = eventHashes(event, DEFAULT_PREFIXES);
        const eventID = typeof form === 'number' ? hashes.foreign[form] : hashes[form];
        expect(eventID).to.match(/^ni:/);
        // In both orders: either of the two can be first.
        expect(outcomesOf(await fixture.push([{ ...event, eventID }, event]))).to.deep.equal(['accepted', 'duplicate']);
        const other = scan([newParcel().urn], 'shipping', 8, parties);
        const otherHashes = eventHashes(other, DEFAULT_PREFIXES);
        const otherId = typeof form === 'number' ? otherHashes.foreign[form] : otherHashes[form];
        expect(outcomesOf(await fixture.push([other, { ...other, eventID: otherId }]))).to.deep.equal([
          'accepted',
          'duplicate',
        ]);
      }
    });

    it('one event for every parcel that it names, and counts it once', async () => {
      const [pallet, a, b] = [newParcel(), newParcel(), newParcel()];
      const aggregation = {
        ...scan([], 'loading', 7),
        type: 'AggregationEvent',
        epcList: undefined,
        parentID: pallet.urn,
        childEPCs: [a.urn, b.link],
      };
      const answer = await fixture.push(documentOf(aggregation));
      expect(answer.json).to.include({ accepted: 1, duplicates: 0, rejected: 0 });
      for (const { sscc } of [pallet, a, b])
        expect(await fixture.statuses(sscc, answer)).to.deep.equal(['x-epcis-loading']);
      // An event that is new for one of its parcels is accepted.
      expect(outcomesOf(await fixture.push(documentOf({ ...aggregation, childEPCs: [a.urn] })))).to.deep.equal([
        'accepted',
      ]);
    });

    it('an event without a parcel once, only in its capture', async () => {
      const measured = scan([], 'stocking', 8, {
        epcList: undefined,
        readPoint: { id: `urn:epc:id:sgln:4012345.00001.${process.pid}` },
        sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4, uom: 'CEL' }] }],
      });
      const answer = await fixture.push(documentOf(measured));
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([200, 'accepted']);
      expect(outcomesOf(await fixture.push([measured, measured]))).to.deep.equal(['duplicate', 'duplicate']);
    });

    it('an event with quantities alone, which its producer finds again (field-tracking F10)', async () => {
      const epcClass = `urn:epc:class:lgtin:4012345.012345.L${process.pid}`;
      const eventID = `https://id.example/events/stocked-${process.pid}`;
      const quantityList = [{ epcClass, quantity: 5.5, uom: 'KGM' }];
      const stocked = scan([], 'stocking', 8, { epcList: undefined, quantityList, eventID });
      const moved = { ...stocked, eventTime: '2026-03-01T09:00:00Z', eventID: `${eventID}b`, type: 'TransactionEvent' };
      const documents = [
        stocked,
        { ...moved, bizTransactionList: [{ bizTransaction: 'urn:epc:id:gdti:4012345.00001.7' }] },
      ];
      const answer = await fixture.push(documentOf(...documents));
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([200, 'accepted', 'accepted']);
      expect(outcomesOf(await fixture.push([stocked]))).to.deep.equal(['duplicate']);
      const find = async (query: Record<string, string>) =>
        (
          await fixture.t.api(`/otep/epcis/events?${new URLSearchParams(query)}`, {
            key: fixture.t.demo.provider.key,
            headers: positionOf(answer),
          })
        ).json.epcisBody.queryResults.resultsBody.eventList;
      const [byId] = await find({ EQ_eventID: eventID });
      expect(byId).to.deep.equal(JSON.parse(JSON.stringify(stocked)));
      for (const name of ['MATCH_epcClass', 'MATCH_anyEPCClass', 'MATCH_epc']) {
        const found = await find({ [name]: epcClass });
        expect(
          found.map(({ type }: { type: string }) => type),
          name,
        ).to.deep.equal(['ObjectEvent', 'TransactionEvent']);
        for (const one of found) {
          expect(one, name).to.deep.include({ quantityList });
          expect(checkEvent(one, ''), name).to.deep.equal([]);
        }
      }
      expect(outcomesOf(await fixture.push([{ ...stocked, quantityList: [{ epcClass, quantity: 6 }] }]))).to.deep.equal(
        ['EVENT_ID_REUSED'],
      );
    });

    it('no second event without a parcel under one eventID (D2)', async () => {
      const eventID = 'https://id.example/events/stock-1';
      const quantity = (amount: number, more: EpcisEvent = {}) =>
        scan([], 'stocking', 8, {
          epcList: undefined,
          quantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.REUSED', quantity: amount }],
          eventID,
          ...more,
        });
      expect(outcomesOf(await fixture.push([quantity(5)]))).to.deep.equal(['accepted']);
      const refused = await fixture.push([quantity(6)]);
      expect([refused.status, ...outcomesOf(refused)]).to.deep.equal([422, 'EVENT_ID_REUSED']);
      expect(refused.json.events[0].errors[0].path).to.equal('/0/eventID');
      // A rejected event leaves nothing behind, also next to accepted events.
      const otherPush = await fixture.push([
        quantity(6),
        quantity(7, { eventID: `${eventID}b` }),
        quantity(8, { eventID: `${eventID}b` }),
      ]);
      expect(outcomesOf(otherPush)).to.deep.equal(['EVENT_ID_REUSED', 'accepted', 'EVENT_ID_REUSED']);
      expect(outcomesOf(await fixture.push([quantity(6), quantity(5)]))).to.deep.equal([
        'EVENT_ID_REUSED',
        'duplicate',
      ]);
      expect(
        outcomesOf(await fixture.push([quantity(9, { eventID: `${eventID}c` }), quantity(6)], ROLLBACK)),
      ).to.deep.equal(['ROLLED_BACK', 'EVENT_ID_REUSED']);
      const errorDeclaration = { declarationTime: '2026-03-02T00:00:00Z', reason: 'did_not_occur' };
      const declared = [quantity(5, { errorDeclaration })];
      expect(outcomesOf(await fixture.push(declared))).to.deep.equal(['accepted']);
      expect(outcomesOf(await fixture.push(declared))).to.deep.equal(['duplicate']);
    });

    it('an acceptance as the pick-up, and as a handover once the carrier has the parcel', async () => {
      const parcel = newParcel();
      await fixture.push([scan([parcel.urn], 'accepting', 8)]);
      const second = [scan([parcel.urn], 'accepting', 12)];
      const answer = await fixture.push(second);
      expect(outcomesOf(answer)).to.deep.equal(['accepted']);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal(['picked_up', 'in_transit']);
      // Duplicates are found by the hash of the event, not by the recorded status.
      expect(outcomesOf(await fixture.push(second))).to.deep.equal(['duplicate']);
    });

    it('data without a timeline field, and returns it', async () => {
      const parcel = newParcel();
      const more = {
        'ex:seal': { 'ex:number': 'S-1' },
        bizTransactionList: [{ type: 'po', bizTransaction: 'urn:x:po:1' }],
        sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4.5, uom: 'CEL' }] }],
      };
      const answer = await fixture.push(documentOf(scan([parcel.urn], 'departing', 8, more)));
      const out = await fixture.t.read(parcel.sscc, answer, {
        key: fixture.t.demo.provider.key,
        query: '?format=epcis',
      });
      expect(out.json.epcisBody.eventList[0])
        .to.deep.include(more)
        .and.to.deep.include({ bizStep: 'departing', action: 'OBSERVE' });
      expect((await fixture.t.read(parcel.sscc, answer)).text).to.not.include('S-1');
    });
  });

  it('accepts names that are longer than a timeline field', async () => {
    const parcel = newParcel();
    const long = (length: number) => `https://x.example/${'y'.repeat(length)}`;
    const wide = scan([parcel.urn], long(200), 8, { eventID: long(400), readPoint: { id: long(300) } });
    const answer = await fixture.push(documentOf(wide));
    expect(outcomesOf(answer)).to.deep.equal(['accepted']);
    expect(outcomesOf(await fixture.push(documentOf(wide)))).to.deep.equal(['duplicate']);
    const [epcisEvent] = (
      await fixture.t.read(parcel.sscc, answer, { key: fixture.t.demo.provider.key, query: '?format=epcis' })
    ).json.epcisBody.eventList;
    expect(epcisEvent).to.deep.include({ bizStep: long(200), readPoint: { id: long(300) } });
  });

  describe('error declarations', () => {
    const declared = (of: EpcisEvent, more: EpcisEvent = {}) => ({
      ...of,
      errorDeclaration: {
        declarationTime: '2026-03-01T20:00:00Z',
        reason: 'incorrect_data',
        'ex:clerk': 'Kim',
        ...more,
      },
    });

    it('retract by hash, also before the event, and are returned unchanged', async () => {
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        const parcel = newParcel();
        const wrong = scan([parcel.urn], 'receiving', 9);
        const both = [wrong, declared(wrong)];
        let answer = await fixture.push(documentOf(scan([parcel.urn], 'departing', 8)));
        for (const index of order) answer = await fixture.push(documentOf(both[index]!));
        expect(outcomesOf(answer)).to.deep.equal(['accepted']);
        expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal(['package_outbound']);
        const list = (
          await fixture.t.read(parcel.sscc, answer, { key: fixture.t.demo.provider.key, query: '?format=epcis' })
        ).json.epcisBody.eventList;
        expect(list).to.have.length(3);
        expect(list[2].errorDeclaration).to.deep.equal(both[1]!['errorDeclaration']);
        expect((await fixture.t.read(parcel.sscc, answer)).text).to.not.include('Kim');
        expect(outcomesOf(await fixture.push(documentOf(...both)))).to.deep.equal(['duplicate', 'duplicate']);
      }
    });

    it('find the event by its hash if only one of the two has an eventID, and by the returned id', async () => {
      const parcel = newParcel();
      const named = scan([parcel.urn], 'receiving', 9, { eventID: 'https://id.example/r/1' });
      const unnamed = scan([parcel.urn], 'arriving', 8);
      let answer = await fixture.push([named, unnamed]);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal(['arrival_scan', 'received']);
      answer = await fixture.push([declared({ ...named, eventID: undefined })]);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal(['arrival_scan']);
      const epcisEvents = (
        await fixture.t.read(parcel.sscc, answer, { key: fixture.t.demo.provider.key, query: '?format=epcis' })
      ).json.epcisBody.eventList[0].eventID;
      answer = await fixture.push([declared({ ...scan([parcel.urn], 'shipping', 1), eventID: epcisEvents })]);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal([]);
    });
  });

  describe('error declarations that differ (field-tracking F10)', () => {
    const by = (reason: string, more: EpcisEvent = {}) => ({
      errorDeclaration: { declarationTime: '2026-03-01T20:00:00Z', reason, ...more },
    });

    it('from their event are rejected', async () => {
      const parcel = newParcel();
      const event = scan([parcel.urn], 'departing', 8, { eventID: `https://id.example/events/wrong-${process.pid}` });
      await fixture.push([event]);
      for (const change of [{ bizStep: 'arriving' }, { eventTime: '2026-03-01T08:00:01Z' }, { 'ex:seal': 'S-1' }])
        expect(outcomesOf(await fixture.push([{ ...event, ...change, ...by('incorrect_data') }]))).to.deep.equal([
          'EVENT_ID_REUSED',
        ]);
      const same = { ...event, epcList: [parcel.link], recordTime: '2026-03-01T08:00:05Z', ...by('incorrect_data') };
      const answer = await fixture.push([same]);
      expect(outcomesOf(answer)).to.deep.equal(['accepted']);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal([]);
    });

    it('from an earlier declaration are rejected, except in their time and the order of their events', async () => {
      const event = scan([newParcel().urn], 'departing', 8);
      await fixture.push([
        event,
        { ...event, ...by('incorrect_data', { correctiveEventIDs: ['urn:uuid:1', 'urn:uuid:2'] }) },
      ]);
      const again = { declarationTime: '2026-03-01T21:00:00Z', correctiveEventIDs: ['urn:uuid:2', 'urn:uuid:1'] };
      for (const [errorDeclaration, outcome] of [
        [by('incorrect_data', again), 'duplicate'],
        [by('did_not_occur', again), 'EVENT_ID_REUSED'],
        [by('incorrect_data', { ...again, correctiveEventIDs: ['urn:uuid:3'] }), 'EVENT_ID_REUSED'],
      ] as const)
        expect(outcomesOf(await fixture.push([{ ...event, ...errorDeclaration }]))).to.deep.equal([outcome]);
    });
  });

  it('writes nothing for a push without new events', async () => {
    const document = documentOf(scan([newParcel().urn], 'departing', 8));
    await fixture.push(document);
    const before = await fixture.logSize();
    const again = await fixture.push(document);
    expect(outcomesOf(again)).to.deep.equal(['duplicate']);
    expect(again.headers.get('x-event-position')).to.match(/./);
    expect(await fixture.logSize()).to.equal(before);
  });

  it('stores a document of the maximum size, in parts, with nothing as plaintext', async () => {
    const secret = `streng geheim ${process.pid}`;
    const noise = Array.from({ length: 12 }, (_, index) =>
      scan([newParcel().urn], 'departing', index, {
        'ex:note': secret,
        // Events without a parcel stay in the document.
        ...(index < 5 && {
          epcList: undefined,
          readPoint: { id: `urn:epc:id:sgln:4012345.00001.${index}` },
          sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: index, uom: 'CEL' }] }],
        }),
        'ex:noise': Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * (index + 7)) % 251)).toString(
          'base64',
        ),
      }),
    );
    const answer = await fixture.push(documentOf(...noise));
    expect([answer.status, answer.json.accepted]).to.deep.equal([200, 12]);
    const rows = (await storedEvents(fixture.t.service.engines.log))
      .filter(({ stream }) => stream.startsWith('capture-'))
      .slice(-12)
      .map(({ type, data }) => ({ type, text: JSON.stringify(data) }));
    expect(rows.map(({ type }) => type)).to.include.members([
      'EpcisEventCaptured',
      'EpcisCapturePart',
      'EpcisCaptured',
      'EpcisCaptureFinished',
    ]);
    expect(Math.max(...rows.map(({ text }) => text.length))).to.be.below(1_000_000);
    expect(rows.some(({ text }) => text.includes(secret))).to.equal(false);
  });

  it('returns the first response for a retry with the same key', async () => {
    const document = documentOf(scan([newParcel().urn], 'departing', 8));
    const headers = { 'idempotency-key': `k-${process.pid}-${Date.now()}` };
    const [first, again] = [await fixture.push(document, { headers }), await fixture.push(document, { headers })];
    expect(outcomesOf(again)).to.deep.equal(outcomesOf(first)).and.deep.equal(['accepted']);
    expect(again.headers.get('x-event-position')).to.equal(first.headers.get('x-event-position'));
    expect(again.headers.get('gs1-epcis-version')).to.equal('2.0');
  });

  // A group, because Mocha runs the tests of a suite before its groups.
  describe('at the end', () => {
    it('a replay of the log gives the same rows', () =>
      expectSameReplay(fixture.t, ['timeline', 'captures', 'epcis_events']));
  });
});
