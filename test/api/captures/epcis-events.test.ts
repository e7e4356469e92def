/** EPCIS queries of a provider for its own shipments. */
import { expect } from 'chai';
import type { ValidateFunction } from 'ajv';
import { needs, officialSchema } from '../../support/inputs/epcis.js';
import { documentOf, newParcel, scan, type Parcel } from '../../support/inputs/epcis-documents.js';
import type { Answer, CallOptions } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { signIns } from '../../support/worlds/users.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

interface EventResponse {
  readonly eventID: string;
  readonly eventTime: string;
  readonly bizStep?: string;
  readonly disposition?: string;
  readonly epcList: string[];
  readonly errorDeclaration?: unknown;
}

describe('EPCIS: queries', () => {
  let t: TestService;
  let mine: string;
  let last: Answer;
  let parcel: Parcel;
  const number = newNumber();
  before(async () => {
    t = await startTestService();
    mine = await t.addProvider('asker');
    parcel = newParcel();
    await t.push(timelineOf(newNumber(), [event('departed_not', 0), event('in_transit', 3)]));
    await t.push(
      timelineOf(
        number,
        [
          event('information_submitted', 0),
          event('picked_up', 1),
          event('in_transit', 2, { incident_reason: { code: 'damaged' } }),
          event('cancelled', 5),
        ],
        { order_id: 'O-77' },
      ),
      { key: mine },
    );
    last = await t.api('/otep/ingest/epcis', {
      key: mine,
      body: documentOf(
        scan([parcel.urn], 'departing', 8, {
          disposition: 'in_transit',
          'ex:seal': 'S-1',
          eventID: 'https://id.example/d/1',
        }),
        scan([parcel.urn], 'https://ex.example/steps/weighing', 9),
        scan([parcel.urn], 'arriving', 10),
        scan([parcel.urn], 'arriving', 10, {
          errorDeclaration: { declarationTime: '2026-03-02T00:00:00Z', reason: 'did_not_occur' },
        }),
      ),
    });
  });
  after(() => t.stop());

  const ask = (query: string, options: CallOptions = {}) =>
    t.api(`/otep/epcis/events${query}`, { key: mine, headers: positionOf(last), ...options });
  const found = ({ json }: Answer): EventResponse[] => json.epcisBody.queryResults.resultsBody.eventList;
  const steps = async (query: string) => found(await ask(query)).map(({ bizStep }) => bizStep);

  it('return all events of the caller’s shipments by time, in full', async () => {
    const answer = await ask('');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/json/);
    expect(answer.headers.get('gs1-epcis-version')).to.equal('2.0');
    expect(answer.headers.get('link')).to.equal(null);
    const events = found(answer);
    expect(events.map(({ bizStep }) => bizStep)).to.deep.equal([
      'commissioning',
      'accepting',
      'transporting',
      'other',
      'departing',
      'https://ex.example/steps/weighing',
      'arriving',
      'arriving',
    ]);
    expect(events[0]).to.deep.nested.include({ 'otep:subject.otep:order_id': 'O-77' });
    expect(events[4]).to.deep.include({ 'ex:seal': 'S-1' });
    expect(events.map(({ errorDeclaration }) => errorDeclaration !== undefined)).to.deep.equal([
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    // D1: the time of the declaration, not of its receipt.
    expect(events.at(-1)!['errorDeclaration']).to.deep.equal({
      declarationTime: '2026-03-02T00:00:00Z',
      reason: 'did_not_occur',
    });
  });

  it('are documents of the official schema', async function () {
    needs(this, 'standards');
    const valid: ValidateFunction = officialSchema();
    for (const query of ['', '?perPage=1', '?EQ_bizStep=inspecting'])
      expect(valid((await ask(query)).json), `${query} ${JSON.stringify(valid.errors)}`).to.equal(true);
  });

  it('find a parcel by URN and Digital Link alike', async () => {
    for (const parameter of ['MATCH_epc', 'MATCH_anyEPC']) {
      for (const epc of [parcel.urn, parcel.link, `https://id.gs1.org/00/${parcel.sscc}`])
        expect(found(await ask(`?${parameter}=${encodeURIComponent(epc)}`))).to.have.length(4);
    }
    expect(
      await steps(`?MATCH_epc=${encodeURIComponent(`urn:otep:parcel:obj:${number}`)}&EQ_bizStep=accepting`),
    ).to.deep.equal(['accepting']);
    expect(
      found(await ask(`?MATCH_epc=${encodeURIComponent(`${parcel.urn}|urn:otep:parcel:obj:${number}`)}`)),
    ).to.have.length(8);
    expect(found(await ask(`?MATCH_epc=${encodeURIComponent(newParcel().urn)}`))).to.deep.equal([]);
  });

  it('find by time, step, disposition and id', async () => {
    expect(await steps('?GE_eventTime=2026-03-01T09:00:00Z')).to.deep.equal([
      'https://ex.example/steps/weighing',
      'arriving',
      'arriving',
    ]);
    expect(await steps('?LT_eventTime=2026-01-05T10:00:00%2B01:00')).to.deep.equal(['commissioning']);
    expect(await steps('?GE_eventTime=2026-01-05T10:00:00Z&LT_eventTime=2026-03-01T09:00:00.000000001Z')).to.deep.equal(
      ['transporting', 'other', 'departing', 'https://ex.example/steps/weighing'],
    );
    expect(await steps('?EQ_bizStep=cbv:BizStep-departing')).to.deep.equal(['departing']);
    expect(await steps('?EQ_bizStep=departing&EQ_bizStep=other')).to.deep.equal(['other', 'departing']);
    expect(await steps('?EQ_bizStep=https%3A%2F%2Fex.example%2Fsteps%2Fweighing')).to.have.length(1);
    expect(await steps('?EQ_bizStep=decommissioning|void_shipping')).to.deep.equal([]);
    expect(await steps('?EQ_disposition=damaged')).to.deep.equal(['transporting']);
    expect(await steps('?EQ_disposition=in_transit')).to.deep.equal(['accepting', 'departing']);
    const [, second] = found(await ask(''));
    expect(found(await ask(`?EQ_eventID=${second!.eventID}`)).map(({ eventID }) => eventID)).to.deep.equal([
      second!.eventID,
    ]);
    expect(await steps('?EQ_eventID=https%3A%2F%2Fid.example%2Fd%2F1')).to.deep.equal(['departing']);
  });

  it('find by type and action', async () => {
    const { urn } = newParcel();
    const [child, parent] = [newParcel(), newParcel()];
    const aggregated = {
      ...scan([], 'loading', 11),
      type: 'AggregationEvent',
      epcList: undefined,
      action: 'ADD',
      parentID: parent.urn,
      childEPCs: [child.urn],
    };
    const pushed = await t.api('/otep/ingest/epcis', {
      key: mine,
      body: documentOf({ ...scan([urn], 'decommissioning', 12), action: 'DELETE' }, aggregated),
    });
    const findEvents = async (query: string) => found(await ask(query, { headers: positionOf(pushed) }));
    expect((await findEvents('?eventType=AggregationEvent')).map(({ bizStep }) => bizStep)).to.deep.equal(['loading']);
    expect(await findEvents('?eventType=TransformationEvent|AssociationEvent')).to.deep.equal([]);
    const objects = (await findEvents('?eventType=ObjectEvent')).length;
    expect(await findEvents('?eventType=ObjectEvent|AggregationEvent')).to.have.length(objects + 1);
    expect((await findEvents('?EQ_action=DELETE')).map(({ bizStep }) => bizStep)).to.deep.equal(['decommissioning']);
    expect((await findEvents('?EQ_action=ADD')).map(({ bizStep }) => bizStep)).to.deep.equal([
      'commissioning',
      'loading',
    ]);
    expect((await findEvents('?EQ_action=DELETE&eventType=AggregationEvent')).length).to.equal(0);
  });

  it('return the latest first on request, also page by page', async () => {
    const ids = (events: readonly EventResponse[]) =>
      events.map(({ eventID, errorDeclaration }) => `${eventID} ${errorDeclaration === undefined}`);
    const oldest = found(await ask('?perPage=100&orderDirection=ASC'));
    const latest = found(await ask('?perPage=100&orderBy=eventTime'));
    expect(ids(latest)).to.have.members(ids(oldest)).and.not.deep.equal(ids(oldest));
    const times = latest.map(({ eventTime }) => Date.parse(eventTime));
    expect(times).to.deep.equal([...times].sort((one, other) => other - one));
    expect(ids(found(await ask('?perPage=100&orderBy=eventTime&orderDirection=ASC')))).to.deep.equal(ids(oldest));
    const paged: EventResponse[] = [];
    for (let query: string | undefined = '?perPage=3&orderDirection=DESC'; query !== undefined;) {
      const answer: Answer = await ask(query);
      paged.push(...found(answer));
      const next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      query = next && new URL(next).search;
    }
    expect(ids(paged)).to.deep.equal(ids(latest));
  });

  it('return pages, each event once, by the links alone', async () => {
    const all = found(await ask('?perPage=100'));
    for (const perPage of [1, 3, 7, 8]) {
      const pages: EventResponse[][] = [];
      for (let query: string | undefined = `?perPage=${perPage}`; query !== undefined;) {
        const answer: Answer = await ask(query);
        pages.push(found(answer));
        const next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
        if (next !== undefined) expect(next.startsWith(`${t.url}/api/v1/otep/epcis/events?`)).to.equal(true);
        query = next && new URL(next).search;
      }
      expect(
        pages.flat().map(({ eventID, errorDeclaration }) => [eventID, errorDeclaration]),
        String(perPage),
      ).to.deep.equal(all.map(({ eventID, errorDeclaration }) => [eventID, errorDeclaration]));
      expect(pages.slice(0, -1).every((page) => page.length === perPage)).to.equal(true);
    }
    expect((await ask('?perPage=2&EQ_bizStep=arriving|departing')).headers.get('link'))
      .to.include('EQ_bizStep=arriving%7Cdeparting')
      .and.to.include('perPage=2');
  });

  it('return only shipments of the caller, and granted shipments', async () => {
    expect(
      found(await ask(`?MATCH_epc=${encodeURIComponent(parcel.urn)}`, { key: t.demo.provider.key })),
    ).to.deep.equal([]);
    expect(
      found(await ask('?EQ_eventID=https%3A%2F%2Fid.example%2Fd%2F1', { key: t.demo.provider.key })),
    ).to.deep.equal([]);
    const strict = t.demo.strict_provider.key;
    const pushed = await t.push(timelineOf(t.demo.trackings[1]!, [event('picked_up', 1)]), { key: strict });
    expect(
      found(await ask('', { key: strict, headers: positionOf(pushed) })).map(({ bizStep }) => bizStep),
    ).to.deep.equal(['accepting']);
    expect((await ask('', { key: undefined })).status).to.equal(401);
  });

  it('return durable data without a position (D6)', async () => {
    for (let round = 0; round < 5; round++) {
      const { urn } = newParcel();
      const match = `?MATCH_epc=${encodeURIComponent(urn)}`;
      await t.api('/otep/ingest/epcis', { key: mine, body: documentOf(scan([urn], 'departing', 8)) });
      expect(found(await ask(match, { headers: {} }))).to.have.length(1);
      const taken = await t.api('/otep/epcis/capture', { key: mine, body: documentOf(scan([urn], 'arriving', 9)) });
      const location = taken.headers.get('location')!.replace('/api/v1', '');
      let job;
      do job = (await t.api(location, { key: mine })).json;
      while (job.running);
      expect(job.success).to.equal(true);
      expect(found(await ask(match, { headers: {} }))).to.have.length(2);
    }
  });

  it('return a business its own shipments, whoever scanned them (D7)', async () => {
    const strict = t.demo.strict_provider.key;
    const [, own] = t.demo.trackings;
    const pushed = await t.push(timelineOf(own!, [event('in_transit', 2)]), { key: strict });
    const key = await signIns(t)('client_admin');
    const mineToo = `?MATCH_epc=${encodeURIComponent(`urn:otep:parcel:obj:${own}`)}`;
    const events = found(await ask(mineToo, { key, headers: positionOf(pushed) }));
    expect(events.map(({ bizStep }) => bizStep)).to.include('transporting');
    const all = found(await ask('?perPage=100', { key }));
    expect(all.length).to.be.greaterThan(events.length - 1);
    expect(JSON.stringify(all)).not.to.include(parcel.sscc);
    expect(found(await ask(`?MATCH_epc=${encodeURIComponent(parcel.urn)}`, { key }))).to.deep.equal([]);
  });

  it('name the form of EPCs, and reject another one (D9)', async () => {
    const formatted = (format: string) => ask('', { headers: { 'GS1-EPC-Format': format } });
    const byStep = async (format: string) => {
      const answer = await ask(`?EQ_bizStep=departing&MATCH_epc=${parcel.urn}`, {
        headers: { 'GS1-EPC-Format': format },
      });
      return [answer.headers.get('gs1-epc-format'), ...found(answer).flatMap(({ epcList }) => epcList)];
    };
    for (const format of ['No_Preference', 'Never_Translates', 'never_translates'])
      expect(await byStep(format), format).to.deep.equal(['Never_Translates', parcel.urn]);
    for (const format of ['Always_GS1_Digital_Link', 'always_gs1_digital_link'])
      expect(await byStep(format), format).to.deep.equal([
        'Always_GS1_Digital_Link',
        `https://id.gs1.org/00/${parcel.sscc}`,
      ]);
    for (const [format, status, type] of [
      ['Always_EPC_URN', 406, 'epcisException:NotAcceptableException'],
      ['Nonsense', 400, 'epcisException:QueryParameterException'],
    ] as const) {
      const answer = await formatted(format);
      expect([answer.status, answer.json.type], format).to.deep.equal([status, type]);
    }
    const pushedAs = (format: string) =>
      t.api('/otep/ingest/epcis', {
        key: mine,
        headers: { 'GS1-EPC-Format': format },
        body: documentOf(scan([newParcel().urn], 'departing', 8)),
      });
    expect((await pushedAs('Never_Translates')).status).to.equal(200);
    expect((await pushedAs('Nonsense')).status).to.equal(400);
  });

  it('return versions and the form of EPCs for OPTIONS', async () => {
    for (const path of ['/otep/epcis/events', '/otep/epcis/capture', `/otep/epcis/capture/${newParcel().sscc}`]) {
      const { headers } = await t.api(path, { method: 'OPTIONS' });
      expect(
        ['gs1-epcis-version', 'gs1-epcis-min', 'gs1-epcis-max', 'gs1-cbv-version', 'gs1-cbv-min', 'gs1-cbv-max'].map(
          (name) => headers.get(name),
        ),
        path,
      ).to.deep.equal(Array(6).fill('2.0'));
      expect(headers.get('gs1-epc-format')).to.equal('Never_Translates');
    }
  });

  it('report errors in the form of the standard (D8)', async () => {
    const type = async (path: string, options: CallOptions) =>
      (await t.api(`/otep/epcis/${path}`, options)).json.type.replace('epcisException:', '');
    expect(await type('events', {})).to.equal('SecurityException');
    expect(await type('events', { key: 'nobody' })).to.equal('SecurityException');
    expect(await type('events', { key: mine, headers: { accept: 'application/xml' } })).to.equal(
      'NotAcceptableException',
    );
    expect(await type('events', { key: mine, method: 'PUT', body: {} })).to.equal('QueryParameterException');
    expect(await type('capture/no-such-job', { key: mine })).to.equal('NoSuchResourceException');
    expect(await type('capture', { key: mine, body: { type: 'EPCISDocument' } })).to.equal('ValidationException');
    expect(await type('capture', { key: mine, body: '<xml/>', headers: { 'content-type': 'text/xml' } })).to.equal(
      'UnsupportedMediaTypeException',
    );
    // Errors of other addresses still have the documentation page as their type.
    expect((await t.api('/otep/trackings/NOBODYS')).json.type).to.match(/\/api\/docs\/errors#TRACKING_NOT_FOUND$/);
  });

  it('reject unknown parameters by name', async () => {
    const token = ['2026-03-01T08:00:00.000000000Z', '-'.repeat(36), null];
    const noUuid = Buffer.from(JSON.stringify(token)).toString('base64url');
    const refused: [string, string, string][] = [
      ['?EQ_colour=red', 'EQ_colour', 'UNKNOWN_PARAMETER'],
      ['?match_epc=x', 'match_epc', 'UNKNOWN_PARAMETER'],
      ['?perPage=0', 'perPage', 'TOO_SMALL'],
      ['?perPage=101', 'perPage', 'TOO_BIG'],
      ['?perPage=many', 'perPage', 'INVALID_TYPE'],
      ['?GE_eventTime=yesterday', 'GE_eventTime', 'INVALID_TIME'],
      ['?EQ_bizStep=delivering', 'EQ_bizStep', 'INVALID_VALUE'],
      ['?EQ_disposition=lost', 'EQ_disposition', 'INVALID_VALUE'],
      ['?eventType=QuantityEvent', 'eventType', 'INVALID_VALUE'],
      ['?EQ_action=MOVE', 'EQ_action', 'INVALID_VALUE'],
      ['?orderBy=recordTime', 'orderBy', 'INVALID_VALUE'],
      ['?orderDirection=up', 'orderDirection', 'INVALID_VALUE'],
      ['?MATCH_epc=12', 'MATCH_epc', 'INVALID_VALUE'],
      // D9: a valid filter without matches would look the same.
      ['?MATCH_epc=urn:epc:idpat:sscc:4012345.*', 'MATCH_epc', 'INVALID_VALUE'],
      [`?MATCH_anyEPC=${encodeURIComponent(`${parcel.urn}|urn:epc:idpat:sscc:*.*`)}`, 'MATCH_anyEPC', 'INVALID_VALUE'],
      ['?nextPageToken=abc', 'nextPageToken', 'INVALID_VALUE'],
      [`?nextPageToken=${noUuid}`, 'nextPageToken', 'INVALID_VALUE'],
    ];
    for (const [query, field, code] of refused) {
      const { status, json } = await ask(query);
      expect([status, json.errors[0].field, json.errors[0].code], query).to.deep.equal([400, field, code]);
      expect(json.type, query).to.equal('epcisException:QueryParameterException');
    }
    expect((await ask('', { headers: { accept: 'application/xml' } })).status).to.equal(406);
    expect((await ask('', { headers: { accept: 'application/ld+json' } })).headers.get('content-type')).to.equal(
      'application/ld+json',
    );
    expect((await ask('', { headers: { 'GS1-EPCIS-Version': '1.2' } })).status).to.equal(406);
  });
});
