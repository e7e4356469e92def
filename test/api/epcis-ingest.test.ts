/** Pushing EPCIS 2.0 over HTTP. */
import { expect } from 'chai';
import fc from 'fast-check';
import { EVENT_TYPES, PROJECTIONS } from '../../src/areas.js';
import { START, type StoredEvent } from '../../src/events/log.js';
import { rebuild } from '../../src/projections/rebuild.js';
import { writeDocument } from '../../src/serializers/epcis/write.js';
import type { Answer, CallOptions } from '../support/http.js';
import { documentOf, newParcel, outcomesOf, scan, type EpcisEvent } from '../support/epcis-documents.js';
import { event, newNumber, timelineOf } from '../support/pushes.js';
import { journey } from '../support/timelines.js';
import { startTestService, type TestService } from '../support/service.js';

describe('EPCIS: pushing documents', () => {
  let t: TestService;
  const now = Date.UTC(2026, 10, 1, 12);
  before(async () => void (t = await startTestService({ now: () => now })));
  after(() => t.stop());

  const push = (document: unknown, options: CallOptions = {}) => t.api('/otep/ingest/epcis', { key: t.demo.provider.key, body: document, ...options });
  const rollback = { headers: { 'GS1-Capture-Error-Behaviour': 'rollback' } };
  const statuses = async (number: string, after?: Answer) => (await t.read(number, after, { key: t.demo.provider.key })).json.events.map((one: { status_code: string }) => one.status_code);
  const logSize = async () => (await stored(t)).length;

  describe('takes', () => {
    it('a document, a query document, one event and a list, as JSON and as JSON-LD', async () => {
      const one = scan([newParcel().urn], 'departing', 8);
      const results = { queryName: 'SimpleEventQuery', resultsBody: { eventList: [scan([newParcel().urn], 'departing', 8)] } };
      const documents = [documentOf(one), { '@context': [], type: 'EPCISQueryDocument', epcisBody: { queryResults: results } }, { '@context': [], ...scan([newParcel().urn], 'arriving', 9) }, [scan([newParcel().urn], 'arriving', 9)]];
      for (const document of documents) {
        const answer = await push(document, { headers: { 'content-type': 'application/ld+json' } });
        expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([200, 'accepted']);
        expect(answer.headers.get('gs1-epcis-version')).to.equal('2.0');
        expect(answer.headers.get('gs1-cbv-version')).to.equal('2.0');
        expect(answer.headers.get('x-event-position')).to.match(/./);
        expect(outcomesOf(await push(document))).to.deep.equal(['duplicate']);
      }
    });

    it('URN and Digital Link of one SSCC as one parcel and, by the event hash, as one event', async () => {
      const parcel = newParcel();
      const first = await push(documentOf(scan([parcel.urn], 'departing', 8)));
      const second = await push(documentOf(scan([parcel.link], 'https://ref.gs1.org/cbv/BizStep-departing', 8, { recordTime: '2026-03-02T00:00:00Z' }), scan([parcel.link], 'cbv:BizStep-arriving', 9)));
      expect(first.json.events[0].event_id).to.match(/^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/).and.to.equal(second.json.events[0].event_id);
      expect(outcomesOf(second)).to.deep.equal(['duplicate', 'accepted']);
      expect(await statuses(parcel.sscc, second)).to.deep.equal(['package_outbound', 'arrival_scan']);
    });

    it('the same eventID once, however the event is written', async () => {
      const parcel = newParcel();
      const eventID = 'https://id.example/events/1';
      expect(outcomesOf(await push([scan([parcel.urn], 'departing', 8, { eventID })]))).to.deep.equal(['accepted']);
      const again = await push([scan([parcel.link], 'departing', 8, { eventID }), scan([parcel.urn], 'arriving', 9, { eventID })]);
      expect(outcomesOf(again)).to.deep.equal(['duplicate', 'duplicate']);
    });

    it('one event for every parcel that it names, and counts it once', async () => {
      const [pallet, a, b] = [newParcel(), newParcel(), newParcel()];
      const aggregation = { ...scan([], 'loading', 7), type: 'AggregationEvent', epcList: undefined, parentID: pallet.urn, childEPCs: [a.urn, b.link] };
      const answer = await push(documentOf(aggregation));
      expect(answer.json).to.include({ accepted: 1, duplicates: 0, rejected: 0 });
      for (const { sscc } of [pallet, a, b]) expect(await statuses(sscc, answer)).to.deep.equal(['x-epcis-loading']);
      // News to one of its parcels is news.
      expect(outcomesOf(await push(documentOf({ ...aggregation, childEPCs: [a.urn] })))).to.deep.equal(['accepted']);
    });

    it('an event that names no parcel, in its capture alone, once', async () => {
      const quantity = scan([], 'stocking', 8, { epcList: undefined, quantityList: [{ epcClass: `urn:epc:class:lgtin:4012345.012345.L${process.pid}`, quantity: 5 }] });
      const answer = await push(documentOf(quantity));
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([200, 'accepted']);
      expect(outcomesOf(await push([quantity, quantity]))).to.deep.equal(['duplicate', 'duplicate']);
    });

    it('an acceptance as the pick-up, and as a change of hands once the carrier has the parcel', async () => {
      const parcel = newParcel();
      await push([scan([parcel.urn], 'accepting', 8)]);
      const second = [scan([parcel.urn], 'accepting', 12)];
      const answer = await push(second);
      expect(outcomesOf(answer)).to.deep.equal(['accepted']);
      expect(await statuses(parcel.sscc, answer)).to.deep.equal(['picked_up', 'in_transit']);
      // Judged by its hash, not by what became of it.
      expect(outcomesOf(await push(second))).to.deep.equal(['duplicate']);
    });

    it('what the timeline has no place for, and gives it back', async () => {
      const parcel = newParcel();
      const more = { 'ex:seal': { 'ex:number': 'S-1' }, bizTransactionList: [{ type: 'po', bizTransaction: 'urn:x:po:1' }], sensorElementList: [{ sensorReport: [{ type: 'Temperature', value: 4.5, uom: 'CEL' }] }] };
      const answer = await push(documentOf(scan([parcel.urn], 'departing', 8, more)));
      const out = await t.read(parcel.sscc, answer, { key: t.demo.provider.key, query: '?format=epcis' });
      expect(out.json.epcisBody.eventList[0]).to.deep.include(more).and.to.deep.include({ bizStep: 'departing', action: 'OBSERVE' });
      expect((await t.read(parcel.sscc, answer)).text).to.not.include('S-1');
    });
  });

  it('takes names that are longer than a timeline has room for', async () => {
    const parcel = newParcel();
    const long = (length: number) => `https://x.example/${'y'.repeat(length)}`;
    const wide = scan([parcel.urn], long(200), 8, { eventID: long(400), readPoint: { id: long(300) } });
    const answer = await push(documentOf(wide));
    expect(outcomesOf(answer)).to.deep.equal(['accepted']);
    expect(outcomesOf(await push(documentOf(wide)))).to.deep.equal(['duplicate']);
    const [told] = (await t.read(parcel.sscc, answer, { key: t.demo.provider.key, query: '?format=epcis' })).json.epcisBody.eventList;
    expect(told).to.deep.include({ bizStep: long(200), readPoint: { id: long(300) } });
  });

  describe('error declarations', () => {
    const declared = (of: EpcisEvent, more: EpcisEvent = {}) => ({ ...of, errorDeclaration: { declarationTime: '2026-03-01T20:00:00Z', reason: 'incorrect_data', 'ex:clerk': 'Kim', ...more } });

    it('retract by hash, also before the event, and the declaration goes back as it came', async () => {
      for (const order of [[0, 1], [1, 0]]) {
        const parcel = newParcel();
        const wrong = scan([parcel.urn], 'receiving', 9);
        const both = [wrong, declared(wrong)];
        let answer = await push(documentOf(scan([parcel.urn], 'departing', 8)));
        for (const index of order) answer = await push(documentOf(both[index]!));
        expect(outcomesOf(answer)).to.deep.equal(['accepted']);
        expect(await statuses(parcel.sscc, answer)).to.deep.equal(['package_outbound']);
        const list = (await t.read(parcel.sscc, answer, { key: t.demo.provider.key, query: '?format=epcis' })).json.epcisBody.eventList;
        expect(list).to.have.length(3);
        expect(list[2].errorDeclaration).to.deep.equal(both[1]!['errorDeclaration']);
        expect((await t.read(parcel.sscc, answer)).text).to.not.include('Kim');
        expect(outcomesOf(await push(documentOf(...both)))).to.deep.equal(['duplicate', 'duplicate']);
      }
    });

    it('find the event by its hash where only one of the two has an eventID, and by the id that we tell', async () => {
      const parcel = newParcel();
      const named = scan([parcel.urn], 'receiving', 9, { eventID: 'https://id.example/r/1' });
      const unnamed = scan([parcel.urn], 'arriving', 8);
      let answer = await push([named, unnamed]);
      expect(await statuses(parcel.sscc, answer)).to.deep.equal(['arrival_scan', 'received']);
      answer = await push([declared({ ...named, eventID: undefined })]);
      expect(await statuses(parcel.sscc, answer)).to.deep.equal(['arrival_scan']);
      const told = (await t.read(parcel.sscc, answer, { key: t.demo.provider.key, query: '?format=epcis' })).json.epcisBody.eventList[0].eventID;
      answer = await push([declared({ ...scan([parcel.urn], 'shipping', 1), eventID: told })]);
      expect(await statuses(parcel.sscc, answer)).to.deep.equal([]);
    });
  });

  describe('our own documents', () => {
    it('give the same timeline in a fresh tracking, and are duplicates in the one they came from', async () => {
      const number = newNumber();
      const more = { location: { name: 'Hub', code: 'DEHAM', latitude: 53.551086, longitude: 9.993682 }, raw: { code: 'X1', text: 'said' }, 'x-note': [1, { b: 2, a: 1 }], description: 'left at the door' };
      await t.push(timelineOf(number, [event('picked_up', 1, { event_id: 'https://c.example/1', ...more }), event('in_transit', 2), event('delivered', 3, { event_id: 'https://c.example/3', source: { type: 'driver', name: 'Kim' } })], { order_id: 'O-1' }));
      const pushed = await t.push({ otep_version: '0.1', subject: { tracking_number: number }, events: [{ occurred_at: '2026-01-06T00:00:00Z', retracts: 'https://c.example/3' }] });
      const key = t.demo.provider.key;
      const document = (await t.read(number, pushed, { key, query: '?format=epcis' })).json;
      const own = await push(document);
      expect(new Set(outcomesOf(own))).to.deep.equal(new Set(['duplicate']));
      const other = await t.addProvider('other-carrier');
      const copied = await push(document, { key: other, ...rollback });
      expect(new Set(outcomesOf(copied))).to.deep.equal(new Set(['accepted']));
      const [mine, theirs] = [await t.read(number, copied, { key, query: '?carrier=demo-carrier' }), await t.read(number, copied, { key: other, query: '?carrier=other-carrier' })];
      const plain = ({ json }: Answer) => JSON.parse(JSON.stringify({ ...json, alternatives: undefined }, (name, value: unknown) => (['recorded_at', 'retracted_at'].includes(name) ? undefined : value))) as unknown;
      expect(plain(theirs)).to.deep.equal(plain(mine));
    });
  });

  it('gives generated timelines back, from one tracking into another', async () => {
    const other = await t.addProvider('copying-carrier');
    for (const one of fc.sample(journey({ minLength: 1 }), { numRuns: 12, seed: 7 })) {
      const number = newNumber();
      const of = { ...one, timeline: { ...one.timeline, subject: { ...one.timeline.subject, tracking_number: number } } };
      const key = t.demo.provider.key;
      const first = await push(writeDocument(of), { ...rollback });
      expect(first.status, first.text).to.equal(200);
      const out = await t.read(number, first, { key, query: '?format=epcis' });
      const second = await push(out.json, { ...rollback, key: other });
      expect(new Set(outcomesOf(second))).to.deep.equal(new Set(['accepted']));
      const timelines = await Promise.all([[key, 'demo-carrier'], [other, 'copying-carrier']].map(([key, carrier]) => t.read(number, second, { key, query: `?carrier=${carrier}` })));
      const [mine, theirs] = timelines.map(({ json }) => JSON.parse(JSON.stringify({ ...json, alternatives: undefined }, (name, value: unknown) => (['recorded_at', 'retracted_at'].includes(name) ? undefined : value))) as Record<string, unknown>);
      expect(theirs).to.deep.equal(mine);
      expect((mine!['events'] as unknown[]).length).to.equal(one.timeline.events.length);
    }
  });

  describe('refuses', () => {
    it('what is no EPCIS document, at the spot', async () => {
      const cases: [unknown, string][] = [[{}, '/type'], [17, ''], [{ ...documentOf(), schemaVersion: 2 }, '/schemaVersion'], [{ ...documentOf(), epcisBody: {} }, '/epcisBody/eventList']];
      for (const [document, path] of cases) {
        const answer = await push(document);
        expect([answer.status, answer.json.code]).to.deep.equal([400, 'INVALID_EPCIS']);
        expect(answer.json.errors.map((one: { path: string }) => one.path)).to.include(path);
      }
    });

    it('an unsound event with a pointer to what is wrong, and takes the others', async () => {
      const parcel = newParcel();
      const events = [scan([parcel.urn], 'delivering', 8), scan([parcel.urn], 'arriving', 9), { ...scan([parcel.urn], 'arriving', 9), eventTime: '2026-03-01' }, scan([parcel.urn], 'arriving', 10, { eventTime: '2030-01-01T00:00:00Z' })];
      const answer = await push(documentOf(...events));
      expect(outcomesOf(answer)).to.deep.equal(['NOT_A_WORD', 'accepted', 'NOT_A_TIME', 'TOO_FAR_AHEAD']);
      expect(answer.json.events.flatMap((one: { errors?: { path: string }[] }) => one.errors?.map(({ path }) => path) ?? [])).to.deep.equal(['/epcisBody/eventList/0/bizStep', '/epcisBody/eventList/2/eventTime', '/epcisBody/eventList/3/eventTime']);
    });

    it('members of ours that no native event could have', async () => {
      const ours = { 'otep:event_id': 'https://c.example/9', 'otep:status_code': 'lost_in_space', 'otep:subject': { 'otep:tracking_number': '!' } };
      const answer = await push(documentOf(scan([newParcel().urn], 'other', 8, ours)));
      expect(answer.status).to.equal(422);
      expect(answer.json.events[0].errors.map(({ code, path }: { code: string; path: string }) => [code, path])).to.deep.equal([
        ['INVALID_TRACKING_NUMBER', '/epcisBody/eventList/0/otep:subject'], ['UNKNOWN_STATUS', '/epcisBody/eventList/0/otep:status_code']]);
    });

    it('headers that it does not understand, by name', async () => {
      for (const [name, value, status] of [
        ['GS1-Capture-Error-Behaviour', 'maybe', 400], ['GS1-EPCIS-Capture-Error-Behaviour', 'all', 400], ['GS1-EPCIS-Version', '1.2', 406], ['GS1-CBV-Version', '3.0.0', 406],
        ['GS1-EPCIS-Version', 'two', 400], ['GS1-EPCIS-Min', '2.1', 406], ['GS1-EPCIS-Max', '1.2', 406],
      ] as const) {
        const answer = await push(documentOf(), { headers: { [name]: value } });
        expect([answer.status, answer.json.errors?.[0]?.field], `${name}: ${value}`).to.deep.equal([status, name.toLowerCase()]);
      }
      for (const version of ['2.0', '2.0.0', '2.0.1']) expect((await push(documentOf(), { headers: { 'GS1-EPCIS-Version': version } })).status).to.equal(200);
    });

    it('more than it can take at once', async () => {
      const many = await push(documentOf(...Array.from({ length: 501 }, () => 0)));
      expect([many.status, many.json.code]).to.deep.equal([413, 'TOO_MANY_EVENTS']);
      const parcels = await push([scan(Array.from({ length: 5_001 }, (_, index) => `urn:x:obj:${index}`), 'arriving', 8)]);
      expect([parcels.status, parcels.json.code]).to.deep.equal([413, 'TOO_MANY_PARCELS']);
      const spread = await push([scan(Array.from({ length: 1_000 }, (_, index) => `urn:x:obj:${index}`), 'arriving', 8, { 'ex:long': 'x'.repeat(20_000) })]);
      expect([spread.status, spread.json.code]).to.deep.equal([413, 'TOO_MANY_PARCELS']);
    });

    it('whose shipment it is not, for each parcel', async () => {
      const strict = t.demo.strict_provider.key;
      const answer = await push([scan([newParcel().urn], 'arriving', 8)], { key: strict });
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([422, 'UNKNOWN_SHIPMENT']);
      expect(answer.json.events[0].errors[0]).to.include({ path: '/0/epcList/0' });
      const given = `urn:otep:parcel:obj:${t.demo.trackings[1]}`;
      const both = await push([scan([newParcel().urn, given], 'arriving', 8)], { key: strict });
      expect(outcomesOf(both)).to.deep.equal(['accepted']);
      expect(both.json.events[0].errors.map(({ code, path }: { code: string; path: string }) => [code, path])).to.deep.equal([['UNKNOWN_SHIPMENT', '/0/epcList/0']]);
    });

    it('callers without a key', async () => expect((await push(documentOf(), { key: undefined })).status).to.equal(401));
  });

  describe('with rollback', () => {
    it('stores nothing when one event is refused, and says which', async () => {
      const parcel = newParcel();
      const before = await logSize();
      const refusals: [string, EpcisEvent, string?][] = [
        ['NOT_A_WORD', scan([parcel.urn], 'delivering', 9)], ['TOO_FAR_AHEAD', scan([parcel.urn], 'arriving', 9, { eventTime: '2030-01-01T00:00:00Z' })],
      ];
      for (const [code, wrong] of refusals) {
        const answer = await push(documentOf(scan([parcel.urn], 'departing', 8), wrong, scan([], 'other', 8, { epcList: undefined, quantityList: [{ epcClass: 'urn:x:c:1' }] })), rollback);
        expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([422, 'ROLLED_BACK', code, 'ROLLED_BACK']);
      }
      const given = `urn:otep:parcel:obj:${t.demo.trackings[1]}`;
      const strict = await push(documentOf(scan([given], 'departing', 8), scan([given, parcel.urn], 'arriving', 9)), { ...rollback, key: t.demo.strict_provider.key });
      expect([strict.status, ...outcomesOf(strict)]).to.deep.equal([422, 'ROLLED_BACK', 'UNKNOWN_SHIPMENT']);
      expect(await logSize()).to.equal(before);
    });

    it('refuses an id of ours that stands for another content', async () => {
      const number = newNumber();
      const ours = (status: string) => ({ 'otep:event_id': 'https://id.example/once', 'otep:status_code': status, 'otep:subject': { 'otep:tracking_number': number } });
      await push([scan([], 'departing', 8, ours('package_outbound'))]);
      const before = await logSize();
      const answer = await push([scan([newParcel().urn], 'arriving', 9), scan([], 'receiving', 8, ours('received'))], rollback);
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([422, 'ROLLED_BACK', 'EVENT_ID_REUSED']);
      expect(answer.json.events[1].errors[0]).to.include({ field: 'otep:event_id', path: '/1/otep:event_id' });
      expect(await logSize()).to.equal(before);
    });

    it('takes everything that is sound, duplicates among it', async () => {
      const parcel = newParcel();
      await push([scan([parcel.urn], 'departing', 8)]);
      const answer = await push([scan([parcel.urn], 'departing', 8), scan([parcel.urn], 'arriving', 9)], rollback);
      expect(outcomesOf(answer)).to.deep.equal(['duplicate', 'accepted']);
      expect(await statuses(parcel.sscc, answer)).to.deep.equal(['package_outbound', 'arrival_scan']);
    });
  });

  it('writes nothing for a push that brings nothing new', async () => {
    const document = documentOf(scan([newParcel().urn], 'departing', 8));
    await push(document);
    const before = await logSize();
    const again = await push(document);
    expect(outcomesOf(again)).to.deep.equal(['duplicate']);
    expect(again.headers.get('x-event-position')).to.match(/./);
    expect(await logSize()).to.equal(before);
  });

  it('keeps a document of the largest size, in parts, and nothing of it in the open', async () => {
    const secret = `streng geheim ${process.pid}`;
    const noise = Array.from({ length: 12 }, (_, index) => scan([newParcel().urn], 'departing', index, { 'ex:note': secret, 'ex:noise': Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at * (index + 7)) % 251)).toString('base64') }));
    const answer = await push(documentOf(...noise));
    expect([answer.status, answer.json.accepted]).to.deep.equal([200, 12]);
    const rows = (await stored(t, ['capture-'])).slice(-8).map(({ type, data }) => ({ type, text: JSON.stringify(data) }));
    expect(rows.map(({ type }) => type)).to.include.members(['EpcisCapturePart', 'EpcisCaptured', 'EpcisCaptureFinished']);
    expect(Math.max(...rows.map(({ text }) => text.length))).to.be.below(1_000_000);
    expect(rows.some(({ text }) => text.includes(secret))).to.equal(false);
  });

  it('is told the same by a replay of the log', async () => {
    const { log, projectionPool: pool } = t.service.engines;
    await Promise.all(PROJECTIONS.map(async ({ name }) => t.service.progress.waitFor(name, await log.head(), 5_000)));
    for (const projection of PROJECTIONS) {
      const { differences, events } = await rebuild(projection, { log, pool, types: EVENT_TYPES, switchOver: false });
      expect(differences, projection.name).to.equal(0);
      if (['timeline', 'captures', 'epcis_events'].includes(projection.name)) expect(events, projection.name).to.be.greaterThan(0);
    }
  });

  it('answers a retry with the same key as it answered first', async () => {
    const document = documentOf(scan([newParcel().urn], 'departing', 8));
    const headers = { 'idempotency-key': `k-${process.pid}-${Date.now()}` };
    const [first, again] = [await push(document, { headers }), await push(document, { headers })];
    expect(outcomesOf(again)).to.deep.equal(outcomesOf(first)).and.deep.equal(['accepted']);
    expect(again.headers.get('x-event-position')).to.equal(first.headers.get('x-event-position'));
    expect(again.headers.get('gs1-epcis-version')).to.equal('2.0');
  });
});

/** What stands in the log, whichever engine it lives in; only streams of these prefixes. */
async function stored({ service: { engines } }: TestService, prefixes?: readonly string[]): Promise<StoredEvent[]> {
  const stop = new AbortController();
  const events: StoredEvent[] = [];
  for await (const batch of engines.log.subscribe(START, { batch: 1_000, signal: stop.signal, ...(prefixes && { prefixes }) })) {
    events.push(...batch.events);
    if (batch.caughtUp) break;
  }
  stop.abort();
  return events;
}
