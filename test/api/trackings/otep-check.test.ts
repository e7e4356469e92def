import { expect } from 'chai';
import { FORMATS } from '../../../src/serializers/index.js';
import { documentOf, newParcel, scan } from '../../support/inputs/epcis-documents.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { call } from '../../support/clients/http.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('OTEP: checking and converting documents', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const validate = (body: unknown, headers = {}) => t.api('/otep/validate', { body, headers });
  const sourced = (status_code: string, hours: number, more = {}) =>
    event(status_code, hours, { source: { type: 'carrier' }, ...more });

  it('finds no error in a valid timeline or a single event', async () => {
    const { status, json } = await validate(timelineOf('AB123456', [sourced('picked_up', 1), sourced('delivered', 2)]));
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ conformant: true, level: 1, errors: [], warnings: [] });
    expect(
      (await validate({ otep_version: '0.1', subject: { tracking_number: 'AB123456' }, ...sourced('picked_up', 1) }))
        .json,
    ).to.include({ conformant: true, level: 1 });
  });

  it('returns 200 with the errors, each with its place, in the caller’s language', async () => {
    const document = timelineOf(
      'AB123456',
      [
        sourced('delivered', 2),
        sourced('in_transit', 1),
        sourced('received', 30),
        sourced('lost', 3),
        { ...sourced('received', 4), occurred_at: 'x' },
        { ...sourced('received', 5), foo: 1 },
      ],
      { gs1_sscc: '1' },
    );
    const english = await validate(document);
    expect(english.status).to.equal(200);
    expect(english.json).to.include({ conformant: false, level: 0 });
    const found = (list: { code: string; path: string }[]) => list.map(({ code, path }) => `${code} ${path}`);
    expect(found(english.json.errors)).to.have.members([
      'INVALID_SSCC /subject/gs1_sscc',
      'UNKNOWN_STATUS /events/3/status_code',
      'INVALID_TIME /events/4/occurred_at',
    ]);
    expect(found(english.json.warnings)).to.include('UNKNOWN_FIELD /events/5/foo');
    const german = await validate(document, { 'accept-language': 'de' });
    expect(found(german.json.errors)).to.deep.equal(found(english.json.errors));
    for (const [index, { message }] of german.json.errors.entries())
      expect(message).to.not.equal(english.json.errors[index].message);
  });

  it('accepts any JSON value as a document', async () => {
    for (const value of ['null', '1', '"text"', '[]', '{}', '[[]]', '{"events":null}', '{"__proto__":{"events":[]}}']) {
      const { status, json } = await validate(value);
      expect([status, json.conformant], value).to.deep.equal([200, false]);
      expect(json.errors, value).to.not.be.empty;
    }
  });

  it("finds responses of the service conformant, in the public and the owner's view", async () => {
    const number = newNumber();
    await t.push(
      timelineOf(number, [
        event('picked_up', 1),
        event('delivered', 2, { event_id: 'urn:example:1', description: 'at the door' }),
        event('received', 9),
      ]),
    );
    const pushed = await t.push(
      timelineOf(number, [
        { occurred_at: '2026-01-07T00:00:00Z', retracts: 'urn:example:1' },
        event('return_to_sender', 5),
      ]),
    );
    for (const key of [undefined, t.demo.provider.key]) {
      const { json } = await t.read(number, pushed, { key });
      expect((await validate(json)).json).to.deep.include({ conformant: true, errors: [] });
      // Every response names its carrier, so a converted document has none.
      const { carrier: _carrier, ...timeline } = json;
      expect((await t.api('/otep/convert?to=otep', { body: json })).json).to.deep.equal(timeline);
    }
  });

  it('adversary L1: accepts 256 KiB without a token, and more with one', async () => {
    const events = Array.from({ length: 900 }, (_, n) => sourced('in_transit', n, { description: 'x'.repeat(200) }));
    const document = timelineOf('AB123456', events);
    expect(JSON.stringify(document)).to.have.length.within(262_144, 1_000_000);
    for (const path of ['/otep/validate', '/otep/convert?to=epcis']) {
      const refused = await t.api(path, { body: document });
      expect([refused.status, refused.json.code], path).to.deep.equal([413, 'BODY_TOO_LARGE']);
      expect(refused.text, path).to.include('262');
      expect((await t.api(path, { body: document, key: t.demo.provider.key })).status, path).to.equal(200);
    }
  });

  it('converts to every format like a read of the same timeline', async () => {
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, [event('picked_up', 1), event('delivered', 2)]));
    const { json } = await t.read(number, pushed);
    for (const { name, mediaType } of FORMATS) {
      const converted = await t.api(`/otep/convert?to=${name}`, { body: json });
      expect(converted.status, name).to.equal(200);
      expect(converted.headers.get('content-type')!.split(';')[0], name).to.equal(mediaType.split(';')[0]);
      const storedDocument = (await t.read(number, pushed, { query: `?format=${name}` })).json;
      // A document that was never stored has no carrier and no recording times.
      expect(Object.keys(storedDocument), name).to.include.members(Object.keys(converted.json));
    }
  });

  it('keeps the time of recording on the way through EPCIS (formats F14)', async () => {
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, [event('picked_up', 1), event('delivered', 2)]));
    const own = await t.read(number, pushed);
    const { json: document } = await t.read(number, pushed, { query: '?format=epcis' });
    const { json } = await t.api('/otep/convert?to=otep', { body: document });
    expect(json.events).to.deep.equal(own.json.events);
    expect(json.events[0].recorded_at).to.be.a('string');
  });

  it('takes its own EPCIS output and what a push accepts, also with scans after the end (formats F6)', async () => {
    const number = newNumber();
    const given = timelineOf(number, [event('delivered', 2), event('in_transit', 3)]);
    const own = await t.read(number, await t.push(given));
    const codes = (json: { events: { status_code: string; anomaly?: string }[] }) =>
      json.events.map(({ status_code, anomaly }) => [status_code, anomaly]);
    expect(codes(own.json)).to.deep.equal([
      ['delivered', undefined],
      ['in_transit', 'after_terminal'],
    ]);
    const { json: document } = await t.read(number, undefined, { query: '?format=epcis' });
    for (const body of [document, given]) {
      const { status, json, text } = await t.api('/otep/convert?to=otep', { body });
      expect(status, text).to.equal(200);
      expect(codes(json)).to.deep.equal(codes(own.json));
    }
  });

  it('limits experimental codes to 128 characters, and to phases without an end (formats F13)', async () => {
    const validate = async (members: object) => {
      const { json } = await t.api('/otep/validate', {
        body: timelineOf(newNumber(), [{ ...event('in_transit', 1), ...members }] as never),
      });
      return JSON.stringify(json);
    };
    expect(await validate({ status_code: `x-${'a'.repeat(126)}` })).not.to.include('"TOO_LONG"');
    expect(await validate({ status_code: `x-${'a'.repeat(127)}` })).to.include('"TOO_LONG"');
    expect(await validate({ status_code: 'x-left-in-safe', phase: 'delivered' })).to.include('"PHASE_NOT_ALLOWED"');
  });

  it('converts from EPCIS as well: its own output to the same timeline, and foreign events', async () => {
    const number = newNumber();
    const given = timelineOf(number, [sourced('picked_up', 1), sourced('delivered', 2)]);
    const timeline = (await t.api('/otep/convert?to=otep', { body: given })).json;
    const document = (await t.api('/otep/convert?to=epcis', { body: given })).json;
    const headers = { 'content-type': 'application/ld+json' };
    for (const body of [document, document.epcisBody.eventList])
      expect((await t.api('/otep/convert?to=otep', { body, headers })).json.events).to.deep.equal(timeline.events);
    const { urn, sscc } = newParcel();
    const foreign = documentOf(scan([urn], 'departing', 8), scan([urn], 'arriving', 10));
    const track = (await t.api('/otep/convert?to=shippo', { body: foreign })).json;
    expect(track.tracking_number).to.equal(sscc);
    expect(track.tracking_history.map(({ status }: { status: string }) => status)).to.deep.equal([
      'TRANSIT',
      'TRANSIT',
    ]);
    const declared = scan([urn], 'arriving', 10, {
      errorDeclaration: { declarationTime: '2026-03-02T00:00:00Z', reason: 'did_not_occur' },
    });
    const convertedTimeline = (
      await t.api('/otep/convert?to=otep', { body: documentOf(...foreign.epcisBody.eventList, declared) })
    ).json;
    expect(convertedTimeline.events.map((one: { status_code: string }) => one.status_code)).to.deep.equal([
      'package_outbound',
    ]);

    const refused = async (body: unknown) => {
      const { status, json } = await t.api('/otep/convert?to=otep', { body });
      return [status, json.code, json.errors[0].path];
    };
    const both = scan([urn, newParcel().urn], 'arriving', 9);
    expect(await refused(documentOf(both))).to.deep.equal([400, 'NOT_ONE_PARCEL', '']);
    expect(await refused([scan([], 'arriving', 9)])).to.deep.equal([400, 'NOT_ONE_PARCEL', '']);
    expect(await refused([])).to.deep.equal([400, 'NOT_ONE_PARCEL', '']);
    expect(await refused(documentOf(scan([urn], 'delivering', 9)))).to.deep.equal([
      400,
      'INVALID_EPCIS',
      '/epcisBody/eventList/0/bizStep',
    ]);
    expect(await refused([scan([urn], 'arriving', 9, { eventTime: '2999-01-01T00:00:00Z' })])).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/0',
    ]);
  });

  it("converts anything that can be pushed: a provider's own codes with its key, statuses without a time, one timeline of a list", async () => {
    const number = newNumber();
    const raw = {
      occurred_at: '2026-11-19T07:58:00+01:00',
      raw: { code: 'OD', text: 'x' },
      source: { type: 'carrier' },
    };
    const push = { otep_version: '0.1', subject: { tracking_number: number }, events: [raw] };
    const { key } = t.demo.provider;
    const to = '/otep/convert?to=otep';
    for (const body of [push, { timelines: [push] }]) {
      const mapped = await t.api(to, { key, body });
      expect(mapped.status, mapped.text).to.equal(200);
      expect(mapped.json.current_status).to.equal('out_for_delivery');
    }
    expect((await t.api(to, { body: push })).text).to.include('UNMAPPED_STATUS');
    const status = { tracking_number: number, status_code: 'in_transit' };
    for (const body of [
      status,
      [status],
      { statuses: [status] },
      { subject: { tracking_number: number }, raw: raw.raw },
    ]) {
      const taken = await t.api(to, { key, body });
      expect(taken.status, taken.text).to.equal(200);
      expect(taken.json.subject.tracking_number).to.equal(number);
      expect(taken.json.events).to.have.length(1);
    }
    const two = await t.api(to, { key, body: [status, { ...status, tracking_number: newNumber() }] });
    expect([two.status, two.json.code]).to.deep.equal([400, 'NOT_ONE_PARCEL']);
    const wrong = await t.api(to, { key, body: { statuses: [status, { ...status, status_code: 'x' }] } });
    expect(wrong.json.errors[0].path).to.equal('/statuses/1/status_code');
  });

  it('converts into the requested language', async () => {
    const body = timelineOf(newNumber(), [event('picked_up')]);
    const convert = (language: string) =>
      t.api('/otep/convert?to=shopify', { body, headers: { 'accept-language': language } });
    const [english, german] = [await convert('en'), await convert('de')];
    expect(german.headers.get('content-language')).to.equal('de');
    expect(german.json.fulfillment_events[0].message).to.not.equal(english.json.fulfillment_events[0].message);
  });

  it('describes the bodies that it accepts', async () => {
    const { json } = await call(`${t.url}/api/openapi.json`);
    const bodyOf = (path: string) => JSON.stringify(json.paths[path].post.requestBody);
    for (const path of ['/v1/otep/convert', '/v1/otep/ingest/epcis', '/v1/otep/epcis/capture'])
      expect(bodyOf(path), path).to.include('EpcisDocumentInput');
    expect(bodyOf('/v1/otep/convert')).to.include('OtepStatusInput');
  });

  it('rejects invalid documents, and unknown target formats', async () => {
    const sound = timelineOf('AB123456', [sourced('picked_up', 1)]);
    const wrong = await t.api('/otep/convert?to=shippo', { body: timelineOf('AB123456', [sourced('lost', 1)]) });
    expect([wrong.status, wrong.json.code, wrong.json.errors[0].path]).to.deep.equal([
      400,
      'INVALID_INPUT',
      '/events/0/status_code',
    ]);
    for (const [query, code, field] of [
      ['?to=telegram', 'UNKNOWN_FORMAT', 'to'],
      ['', 'INVALID_INPUT', 'to'],
      ['?to=otep&to=shippo', 'INVALID_INPUT', 'to'],
      ['?to=otep&from=epcis', 'INVALID_INPUT', 'from'],
    ]) {
      const { status, json } = await t.api(`/otep/convert${query}`, { body: sound });
      expect([status, json.code, json.errors[0].field], query).to.deep.equal([400, code, field]);
    }
  });

  it('stores nothing', async () => {
    const head = await t.service.engines.log.head();
    const number = newNumber();
    await validate(timelineOf(number, [sourced('picked_up', 1)]));
    await t.api('/otep/convert?to=shippo', { body: timelineOf(number, [sourced('picked_up', 1)]) });
    expect(await t.service.engines.log.head()).to.equal(head);
    expect((await t.read(number)).status).to.equal(404);
  });
});
