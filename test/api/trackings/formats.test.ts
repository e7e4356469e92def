/** How a reader selects a format, and the headers of the response; also how a fifteenth format is added (B5). */
import { expect } from 'chai';
import type { Format, Representation } from '../../../src/serializers/format.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { geojson } from '../../support/fakes/geojson-format.js';
import type { Answer } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const EVENTS = [
  event('delivered', 9),
  event('picked_up', 1, { location: { city: 'Hamburg', country: 'DE', latitude: 53.55, longitude: 9.99 } }),
  event('in_transit', 3),
];
const typeOf = (mediaType: string): string => mediaType.split(';')[0]!;

interface FormatCase {
  readonly format: Format;
  readonly representation: Representation;
  /** The media type in `Accept`. */
  readonly accept: string;
}

const formatCases = (formats: readonly Format[]): FormatCase[] =>
  formats.flatMap((format) =>
    [format, ...(format.variants ?? [])].map((representation) => ({
      format,
      representation,
      accept: `${typeOf(representation.mediaType)}; profile="urn:otep:format:${format.name}"`,
    })),
  );

describe('OTEP: formats over HTTP', () => {
  let t: TestService;
  let pushed: Answer;
  const number = newNumber();
  const accepting = (accept: string, headers: Readonly<Record<string, string>> = {}) =>
    t.read(number, pushed, { headers: { accept, ...headers } });
  const named = (format: string) => t.read(number, pushed, { query: `?format=${format}` });

  before(async () => {
    t = await startTestService();
    pushed = await t.push(timelineOf(number, EVENTS));
  });
  after(() => t.stop());

  it('lists them all, with the details for a reader', async () => {
    const { json } = await t.api('/otep/formats');
    expect(json.formats).to.deep.equal(
      FORMATS.map(({ name, mediaType, variants = [], standard, version, direction, lost, events }) => ({
        name,
        media_types: [mediaType, ...variants.map((variant) => variant.mediaType)],
        profile: `urn:otep:format:${name}`,
        standard,
        version,
        direction,
        lost,
        events: events !== undefined,
      })),
    );
    expect(json.formats).to.have.length(14);
  });

  for (const { format, representation, accept } of formatCases(FORMATS)) {
    it(`${format.name} as ${representation.mediaType}: by parameter and by Accept, with the headers of the standard`, async () => {
      const byAccept = await accepting(accept);
      expect(byAccept.status).to.equal(200);
      expect((await accepting(accept.replace(/"urn:otep:format:(\w+)"/, '$1'))).text).to.equal(byAccept.text);
      const byName = await t.read(number, pushed, {
        query: `?format=${format.name}`,
        headers: { accept: typeOf(representation.mediaType) },
      });
      for (const answer of [byAccept, byName]) {
        expect(answer.text).to.equal(byAccept.text);
        expect(answer.headers.get('content-type')).to.equal(
          representation.mediaType === 'application/json'
            ? 'application/json; charset=utf-8'
            : representation.mediaType,
        );
        expect(answer.headers.get('vary')!.split(', ')).to.include.members(['Accept', 'Authorization']);
        for (const [name, value] of Object.entries(representation.headers ?? {}))
          expect(answer.headers.get(name), name).to.equal(value);
      }
    });
  }

  it('gives every representation a separate ETag, and returns 304 only for that one', async () => {
    const all = formatCases(FORMATS);
    const tags = await Promise.all(all.map(async ({ accept }) => (await accepting(accept)).headers.get('etag')!));
    expect(new Set(tags).size).to.equal(all.length);
    for (const [index, { accept }] of all.entries()) {
      const known = await accepting(accept, { 'if-none-match': tags[index]! });
      expect([known.status, known.text, known.headers.get('etag')]).to.deep.equal([304, '', tags[index]]);
      expect(known.headers.get('vary')).to.contain('Accept');
      const others = tags.filter((_, other) => other !== index).join(', ');
      expect((await accepting(accept, { 'if-none-match': others })).status, accept).to.equal(200);
    }
  });

  it('accepts a format by a media type alone, the first of those that share it', async () => {
    const expected: readonly (readonly [accept: string, name: string])[] = [
      ['application/json', 'otep'],
      ['*/*', 'otep'],
      ['application/*', 'otep'],
      ['Application/JSON', 'otep'],
      ['application/ld+json', 'epcis'],
      ['application/ld+json; version=2.3.0', 'onerecord'],
      ['application/ld+json;version="2.3.0"; q=0.7', 'onerecord'],
      ['application/*; profile=shippo', 'shippo'],
      ['*/*; profile=shippo', 'shippo'],
      ['application/json; charset=utf-8', 'otep'],
    ];
    for (const [accept, name] of expected)
      expect((await accepting(accept)).text, accept).to.equal((await named(name)).text);
  });

  it('chooses the best format in Accept', async () => {
    const [otep, shippo] = [(await named('otep')).text, (await named('shippo')).text];
    expect(shippo).to.not.equal(otep);
    expect((await accepting('text/plain, application/json;q=0.5; profile=shippo, */*;q=0.1')).text).to.equal(shippo);
    expect((await accepting('application/json; profile=shippo; q=0.2, application/json; q=0.9')).text).to.equal(otep);
    expect((await accepting('application/xhtml+xml,*/*;q=0.8')).text).to.equal(otep);
    expect((await accepting('application/json; profile=shippo; q=0, application/json; q=0.1')).text).to.equal(otep);
  });

  it('returns a page of the public view to a browser, in its language: tracking links lead to it (D11)', async () => {
    const browser = { 'accept-language': 'de' };
    const page = await accepting('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', browser);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.match(/default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get('content-language')).to.equal('de');
    expect(page.text).to.match(/^<!doctype html><html lang="de">/);
    for (const text of [number, 'Zugestellt', 'Abgeholt', 'Hamburg, DE']) expect(page.text).to.include(text);
    for (const name of ['walmart', 'woocommerce', 'bigcommerce']) {
      const link = /"(?:trackingURL|custom_tracking_link|tracking_link)":"([^"]+)"/.exec((await named(name)).text)![1]!;
      const led = await fetch(link, { headers: { accept: 'text/html', ...browser } });
      expect(await led.text(), name).to.equal(page.text);
    }
    expect((await t.read(number, pushed, { query: '?format=otep', headers: { accept: 'text/html' } })).json.delivered)
      .to.be.true;
    const evil = newNumber();
    const city = '<script>alert(1)</script>"&';
    const answer = await t.push(timelineOf(evil, [event('picked_up', 1, { location: { city } })]));
    const { text } = await t.read(evil, answer, { headers: { accept: 'text/html' } });
    expect(text).to.include('&#60;script&#62;').and.not.to.include('<script');
    expect((await t.api('/otep/trackings/NOBODYS', { headers: { accept: 'text/html' } })).json.code).to.equal(
      'TRACKING_NOT_FOUND',
    );
  });

  it('serves the targets of SensorThings links (D10)', async () => {
    const { json: thing } = await named('sensorthings');
    const follow = async (link: string) => (await fetch(link)).json() as Promise<unknown>;
    expect(await follow(thing['Datastreams@iot.navigationLink'])).to.deep.equal({ value: thing.Datastreams });
    const [stream] = thing.Datastreams;
    expect(await follow(stream['@iot.selfLink'])).to.deep.equal(stream);
    expect(await follow(stream.Observations[0]['@iot.selfLink'])).to.deep.equal(stream.Observations[0]);
    const of = async (query: string) => (await t.read(number, pushed, { query })).json;
    expect((await of('?format=sensorthings&entity=Things')).code).to.equal('NOT_FOUND');
    expect((await of('?format=otep&entity=Datastreams')).errors[0].code).to.equal('UNKNOWN_PARAMETER');
  });

  describe('negotiation (formats F11)', () => {
    it('answers JSON with a profile in a type that the client accepts', async () => {
      for (const name of ['epcis', 'onerecord']) {
        const label = `application/json; profile="urn:otep:format:${name}"`;
        const answers = [
          await accepting(`application/json; profile=${name}`),
          await accepting(`application/json;profile="urn:otep:format:${name}", text/html;q=0.1`),
          await t.read(number, pushed, { query: `?format=${name}`, headers: { accept: 'application/json' } }),
        ];
        for (const { status, headers, text } of answers) {
          expect(status).to.equal(200);
          expect(headers.get('content-type')!.replace('; charset=utf-8', '')).to.equal(label);
          expect(text).to.equal((await named(name)).text);
        }
        const any = 'application/json, text/plain, */*';
        const byName = await t.read(number, pushed, { query: `?format=${name}`, headers: { accept: any } });
        expect(byName.headers.get('content-type'), any).to.match(/^application\/ld\+json/);
      }
    });

    it('excludes a type with q=0, also next to a wildcard', async () => {
      for (const [accept, name] of [
        ['application/json;q=0, */*', 'epcis'],
        ['*/*, application/json; q=0.0', 'epcis'],
        ['application/json;q=0, application/*;q=0.5', 'epcis'],
        ['application/ld+json; version=2.3.0; q=0, application/ld+json', 'epcis'],
        ['application/json; profile=epcis; q=0, application/json', 'otep'],
        ['application/ld+json;q=0, */*', 'otep'],
        ['application/json;q=0.3, */*;q=0.9', 'epcis'],
        ['*/*, application/json', 'otep'],
      ] as const)
        expect((await accepting(accept)).text, accept).to.equal((await named(name)).text);
      const none = await accepting('application/json;q=0, application/ld+json;q=0, */*');
      expect([none.status, none.json.code]).to.deep.equal([406, 'NOT_ACCEPTABLE']);
    });

    it('chooses the format of a batch and of a list of events by Accept', async () => {
      const batch = (accept: string, more = {}) =>
        t.api('/otep/trackings/batch', { body: { tracking_numbers: [number], ...more }, headers: { accept } });
      const events = (accept: string) => t.api(`/otep/trackings/${number}/events`, { headers: { accept } });
      for (const [accept, name] of [
        ['application/json; profile=shippo', 'shippo'],
        ['application/json; profile="urn:otep:format:epcis"', 'epcis'],
        ['application/json', 'otep'],
        ['*/*', 'otep'],
      ] as const) {
        const { status, headers, json } = await batch(accept);
        expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json; charset=utf-8']);
        expect(json.trackings[0].timeline, accept).to.deep.equal((await named(name)).json);
      }
      for (const accept of [
        'application/xml',
        'application/ld+json',
        'application/json;q=0',
        'application/json; profile=x',
      ])
        for (const { status, json } of [await batch(accept), await events(accept)])
          expect([status, json.code], accept).to.deep.equal([406, 'NOT_ACCEPTABLE']);
      const byName = await batch('application/json; profile=epcis', { format: 'shippo' });
      expect(byName.json.trackings[0].timeline).to.deep.equal((await named('shippo')).json);
    });
  });

  it('prefers the parameter to Accept', async () => {
    expect(
      (
        await t.read(number, pushed, {
          query: '?format=shippo',
          headers: { accept: 'application/json; profile=epcis' },
        })
      ).text,
    ).to.equal((await named('shippo')).text);
  });

  it('rejects an unknown format, and names the valid formats', async () => {
    const byName = await named('telegram');
    expect([byName.status, byName.json.code, byName.json.errors[0].field]).to.deep.equal([
      400,
      'UNKNOWN_FORMAT',
      'format',
    ]);
    for (const { name } of FORMATS) expect(byName.json.message).to.contain(name);
    for (const accept of [
      'application/json; profile=telegram',
      'text/plain',
      'application/xml, image/*;q=0.5',
      'application/json;q=0',
      'text/html; profile=shippo',
      'application/problem+json; profile=shippo',
      'application/ld+json; profile=shippo',
      '*/*;q=0',
    ]) {
      const { status, json } = await accepting(accept);
      expect([status, json.code, json.errors[0].field], accept).to.deep.equal([406, 'NOT_ACCEPTABLE', 'accept']);
      for (const { name } of FORMATS) expect(json.message).to.contain(name);
    }
  });

  it('returns only the events in the formats with a list of them', async () => {
    for (const { name, events } of FORMATS) {
      const { status, json } = await t.api(`/otep/trackings/${number}/events?format=${name}`);
      expect(status, name).to.equal(events ? 200 : 400);
      expect(events ? json.result : json.code, name).to.equal(events ? true : 'UNKNOWN_FORMAT');
    }
  });

  it('converts a posted timeline to each of them, and stores nothing', async () => {
    const unknown = newNumber();
    const document = timelineOf(unknown, EVENTS);
    for (const { format, representation, accept } of formatCases(FORMATS)) {
      const { status, headers, text } = await t.api(`/otep/convert?to=${format.name}`, {
        body: document,
        headers: { accept },
      });
      expect(status, accept).to.equal(200);
      expect(headers.get('content-type'), accept).to.contain(representation.mediaType);
      expect(headers.get('etag'), accept).to.equal(null);
      expect(text.length, accept).to.be.above(50);
    }
    expect((await t.read(unknown)).status).to.equal(404);
  });
});

describe('OTEP: a fifteenth format', () => {
  let t: TestService;
  before(async () => void (t = await startTestService({ formats: [...FORMATS, geojson] })));
  after(() => t.stop());

  it('needs one file and one line in the registry: listed, chosen, converted, described', async () => {
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, EVENTS));
    const feature = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [9.99, 53.55] },
      properties: { status_code: 'picked_up', occurred_at: '2026-01-05T09:00:00.000Z' },
    };
    const expected = { type: 'FeatureCollection', features: [feature] };
    const label = 'application/json; profile="urn:otep:format:geojson"';
    for (const [mediaType, how] of [
      ['application/geo+json', { query: '?format=geojson' }],
      ['application/geo+json', { headers: { accept: 'application/geo+json' } }],
      [label, { headers: { accept: 'application/json; profile=geojson' } }],
    ] as const) {
      const { status, headers, json } = await t.read(number, pushed, how);
      expect([status, json]).to.deep.equal([200, expected]);
      expect([headers.get('content-type'), headers.get('content-language')]).to.deep.equal([mediaType, 'en']);
      const asked: Readonly<Record<string, string>> = 'headers' in how ? how.headers : {};
      expect(
        (await t.read(number, pushed, { ...how, headers: { ...asked, 'if-none-match': headers.get('etag')! } })).status,
      ).to.equal(304);
    }
    expect(
      (await t.api('/otep/trackings/batch', { body: { tracking_numbers: [number], format: 'geojson' } })).json
        .trackings[0].timeline,
    ).to.deep.equal(expected);
    expect(
      (await t.api('/otep/convert?to=geojson', { body: timelineOf(number, EVENTS) })).json.features,
    ).to.have.length(1);
    expect((await t.api('/otep/formats')).json.formats.at(-1)).to.deep.include({
      name: 'geojson',
      media_types: ['application/geo+json'],
      events: false,
    });
    expect((await t.api('/otep/trackings/x?format=telegram')).json.message).to.contain('geojson');
    expect(await fetch(`${t.url}/api/openapi.json`).then((answer) => answer.text())).to.contain('prestashop, geojson');
    expect((await t.read(number, pushed)).json.current_status, 'the others stay as they were').to.equal('delivered');
  });
});
