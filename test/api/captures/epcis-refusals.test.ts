/** EPCIS documents that are pushed over HTTP and rejected immediately: one event alone, or all events with it. */
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
import { newNumber } from '../../support/inputs/pushes.js';
import { expectSameReplay } from '../../support/checks/replay.js';

describe('EPCIS: pushing documents', () => {
  let fixture: EpcisFixture;
  before(async () => void (fixture = await openEpcisFixture()));
  after(() => fixture.stop());

  describe('rejects', () => {
    it('an invalid EPCIS document at once', async () => {
      const cases: [unknown, string][] = [
        [{}, '/type'],
        [17, ''],
        [{ ...documentOf(), schemaVersion: 2 }, '/schemaVersion'],
        [{ ...documentOf(), epcisBody: {} }, '/epcisBody/eventList'],
      ];
      for (const [document, path] of cases) {
        const answer = await fixture.push(document);
        expect([answer.status, answer.json.code]).to.deep.equal([400, 'INVALID_EPCIS']);
        expect(answer.json.errors.map((one: { path: string }) => one.path)).to.include(path);
      }
    });

    it('an invalid event with a pointer to the error, and accepts the others', async () => {
      const parcel = newParcel();
      const events = [
        scan([parcel.urn], 'delivering', 8),
        scan([parcel.urn], 'arriving', 9),
        { ...scan([parcel.urn], 'arriving', 9), eventTime: '2026-03-01' },
        scan([parcel.urn], 'arriving', 10, { eventTime: '2030-01-01T00:00:00Z' }),
      ];
      const answer = await fixture.push(documentOf(...events));
      expect(outcomesOf(answer)).to.deep.equal(['NOT_A_WORD', 'accepted', 'NOT_A_TIME', 'TOO_FAR_AHEAD']);
      expect(
        answer.json.events.flatMap((one: { errors?: { path: string }[] }) => one.errors?.map(({ path }) => path) ?? []),
      ).to.deep.equal([
        '/epcisBody/eventList/0/bizStep',
        '/epcisBody/eventList/2/eventTime',
        '/epcisBody/eventList/3/eventTime',
      ]);
    });

    it('members of the service that no native event could have', async () => {
      const ours = {
        'otep:event_id': 'https://c.example/9',
        'otep:status_code': 'lost_in_space',
        'otep:subject': { 'otep:tracking_number': '!' },
      };
      const answer = await fixture.push(documentOf(scan([newParcel().urn], 'other', 8, ours)));
      expect(answer.status).to.equal(422);
      expect(
        answer.json.events[0].errors.map(({ code, path }: { code: string; path: string }) => [code, path]),
      ).to.deep.equal([
        ['INVALID_TRACKING_NUMBER', '/epcisBody/eventList/0/otep:subject'],
        ['UNKNOWN_STATUS', '/epcisBody/eventList/0/otep:status_code'],
      ]);
    });

    it('headers that it does not understand, by name', async () => {
      for (const [name, value, status] of [
        ['GS1-Capture-Error-Behaviour', 'maybe', 400],
        ['GS1-EPCIS-Capture-Error-Behaviour', 'all', 400],
        ['GS1-EPCIS-Version', '1.2', 406],
        ['GS1-CBV-Version', '3.0.0', 406],
        ['GS1-EPCIS-Version', 'two', 400],
        ['GS1-EPCIS-Min', '2.1', 406],
        ['GS1-EPCIS-Max', '1.2', 406],
      ] as const) {
        const answer = await fixture.push(documentOf(), { headers: { [name]: value } });
        expect([answer.status, answer.json.errors?.[0]?.field], `${name}: ${value}`).to.deep.equal([
          status,
          name.toLowerCase(),
        ]);
      }
      for (const version of ['2.0', '2.0.0', '2.0.1'])
        expect((await fixture.push(documentOf(), { headers: { 'GS1-EPCIS-Version': version } })).status).to.equal(200);
    });

    it('more than the limit at once', async () => {
      const many = await fixture.push(documentOf(...Array.from({ length: 501 }, () => 0)));
      expect([many.status, many.json.code]).to.deep.equal([413, 'TOO_MANY_EVENTS']);
      const parcels = await fixture.push([
        scan(
          Array.from({ length: 5_001 }, (_, index) => `urn:x:obj:${index}`),
          'arriving',
          8,
        ),
      ]);
      expect([parcels.status, parcels.json.code]).to.deep.equal([413, 'TOO_MANY_PARCELS']);
      const spread = await fixture.push([
        scan(
          Array.from({ length: 1_000 }, (_, index) => `urn:x:obj:${index}`),
          'arriving',
          8,
          { 'ex:long': 'x'.repeat(20_000) },
        ),
      ]);
      expect([spread.status, spread.json.code]).to.deep.equal([413, 'TOO_MANY_PARCELS']);
    });

    it('foreign shipments, for each parcel', async () => {
      const strict = fixture.t.demo.strict_provider.key;
      const answer = await fixture.push([scan([newParcel().urn], 'arriving', 8)], { key: strict });
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([422, 'UNKNOWN_SHIPMENT']);
      expect(answer.json.events[0].errors[0]).to.include({ path: '/0/epcList/0' });
      const given = `urn:otep:parcel:obj:${fixture.t.demo.trackings[1]}`;
      const both = await fixture.push([scan([newParcel().urn, given], 'arriving', 8)], { key: strict });
      expect(outcomesOf(both)).to.deep.equal(['accepted']);
      expect(
        both.json.events[0].errors.map(({ code, path }: { code: string; path: string }) => [code, path]),
      ).to.deep.equal([['UNKNOWN_SHIPMENT', '/0/epcList/0']]);
    });

    it('callers without a key', async () =>
      expect((await fixture.push(documentOf(), { key: undefined })).status).to.equal(401));
  });

  describe('with rollback', () => {
    it('stores nothing if one event is rejected, and names it', async () => {
      const parcel = newParcel();
      const before = await fixture.logSize();
      const refusals: [string, EpcisEvent, string?][] = [
        ['NOT_A_WORD', scan([parcel.urn], 'delivering', 9)],
        ['TOO_FAR_AHEAD', scan([parcel.urn], 'arriving', 9, { eventTime: '2030-01-01T00:00:00Z' })],
      ];
      for (const [code, wrong] of refusals) {
        const answer = await fixture.push(
          documentOf(
            scan([parcel.urn], 'departing', 8),
            wrong,
            scan([], 'other', 8, { epcList: undefined, quantityList: [{ epcClass: 'urn:x:c:1' }] }),
          ),
          ROLLBACK,
        );
        expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([422, 'ROLLED_BACK', code, 'ROLLED_BACK']);
      }
      const given = `urn:otep:parcel:obj:${fixture.t.demo.trackings[1]}`;
      const strict = await fixture.push(
        documentOf(scan([given], 'departing', 8), scan([given, parcel.urn], 'arriving', 9)),
        { ...ROLLBACK, key: fixture.t.demo.strict_provider.key },
      );
      expect([strict.status, ...outcomesOf(strict)]).to.deep.equal([422, 'ROLLED_BACK', 'UNKNOWN_SHIPMENT']);
      expect(await fixture.logSize()).to.equal(before);
    });

    it('rejects an id of the service with other content', async () => {
      const number = newNumber();
      const ours = (status: string) => ({
        'otep:event_id': 'https://id.example/once',
        'otep:status_code': status,
        'otep:subject': { 'otep:tracking_number': number },
      });
      await fixture.push([scan([], 'departing', 8, ours('package_outbound'))]);
      const before = await fixture.logSize();
      const answer = await fixture.push(
        [scan([newParcel().urn], 'arriving', 9), scan([], 'receiving', 8, ours('received'))],
        ROLLBACK,
      );
      expect([answer.status, ...outcomesOf(answer)]).to.deep.equal([422, 'ROLLED_BACK', 'EVENT_ID_REUSED']);
      expect(answer.json.events[1].errors[0]).to.include({ field: 'otep:event_id', path: '/1/otep:event_id' });
      expect(await fixture.logSize()).to.equal(before);
    });

    it('accepts all valid events, including duplicates', async () => {
      const parcel = newParcel();
      await fixture.push([scan([parcel.urn], 'departing', 8)]);
      const answer = await fixture.push(
        [scan([parcel.urn], 'departing', 8), scan([parcel.urn], 'arriving', 9)],
        ROLLBACK,
      );
      expect(outcomesOf(answer)).to.deep.equal(['duplicate', 'accepted']);
      expect(await fixture.statuses(parcel.sscc, answer)).to.deep.equal(['package_outbound', 'arrival_scan']);
    });
  });

  // A group, because Mocha runs the tests of a suite before its groups.
  describe('at the end', () => {
    it('a replay of the log gives the same rows', () =>
      expectSameReplay(fixture.t, ['timeline', 'captures', 'epcis_events']));
  });
});
