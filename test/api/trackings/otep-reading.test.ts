import { expect } from 'chai';
import type { Answer } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

describe('OTEP: reading a timeline', () => {
  let t: TestService;
  const number = newNumber();
  let pushed: Answer;

  before(async () => {
    t = await startTestService();
    pushed = await t.push(
      timelineOf(number, [
        event('delivered', 9),
        event('picked_up', 1, { location: { city: 'Hamburg', country: 'DE' } }),
        event('in_transit', 3),
      ]),
    );
  });
  after(() => t.stop());

  it('returns the unified timeline, oldest event first, for any order of the push', async () => {
    const { status, headers, json } = await t.read(number, pushed);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(json).to.include({
      otep_version: '0.1',
      profile: 'parcel',
      current_status: 'delivered',
      current_phase: 'delivered',
      terminal_status: 'delivered',
      delivered: true,
    });
    expect(json.subject).to.deep.equal({ tracking_number: number });
    expect(json.events.map((one: { status_code: string }) => one.status_code)).to.deep.equal([
      'picked_up',
      'in_transit',
      'delivered',
    ]);
    expect(json.events[0]).to.include({
      status_id: 'otep:parcel:picked_up',
      phase: 'pickup',
      phase_id: 'otep:phase:pickup',
      occurred_at: '2026-01-05T09:00:00.000Z',
    });
    expect(json.events[0].location).to.deep.equal({ city: 'Hamburg', country: 'DE' });
  });

  it('finds a number in any notation', async () => {
    for (const written of [
      number.toLowerCase(),
      `${number.slice(0, 4)} ${number.slice(4)}`,
      `${number.slice(0, 2)}-${number.slice(2)}`,
    ]) {
      expect((await t.read(written, pushed)).json?.subject, written).to.deep.equal({ tracking_number: number });
    }
  });

  it('finds an SSCC as digits, with its application identifier, as EPC URN and as Digital Link', async () => {
    const gs1_sscc = '340123450000000031';
    const pushed = await t.push({ subject: { gs1_sscc }, events: [event('received')] });
    expect(pushed.json.accepted, pushed.text).to.equal(1);
    for (const written of [
      gs1_sscc,
      `00${gs1_sscc}`,
      `(00) ${gs1_sscc}`,
      'urn:epc:id:sscc:4012345.3000000003',
      `https://id.gs1.org/00/${gs1_sscc}`,
      `https://example.com/a/00/${gs1_sscc}`,
    ]) {
      const { status, json } = await t.read(written, pushed);
      expect([status, json.subject?.gs1_sscc], written).to.deep.equal([200, gs1_sscc]);
    }
    for (const other of ['urn:epc:id:sscc:4012345.30000000031', 'https://id.gs1.org/01/340123450000000031'])
      expect((await t.read(other, pushed)).status, other).to.equal(404);
  });

  it('returns 404 for an unknown number', async () => {
    const { status, json } = await t.read('UNHEARDOF');
    expect(status).to.equal(404);
    expect(json.code).to.equal('TRACKING_NOT_FOUND');
    expect(json.errors[0]).to.include({ field: 'tracking_number', code: 'TRACKING_NOT_FOUND' });
  });

  it('returns 304 to a reader that already has the timeline', async () => {
    const first = await t.read(number, pushed);
    const etag = first.headers.get('etag')!;
    const modified = first.headers.get('last-modified')!;
    // The bytes were compressed: the validator is weak. Without compression it is strong.
    expect(etag).to.match(/^W\/"[\w-]+"$/);
    const strong = etag.slice(2);
    const plain = await t.read(number, pushed, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('etag')).to.equal(strong);
    expect(new Date(modified).toUTCString()).to.equal(modified);
    const known: [headers: Record<string, string>, answered: string][] = [
      [{ 'if-none-match': etag }, etag],
      [{ 'if-none-match': `"other", ${strong}` }, strong],
      [{ 'if-none-match': '*' }, strong],
      [{ 'if-modified-since': modified }, strong],
    ];
    for (const [headers, answered] of known) {
      const again = await t.read(number, pushed, { headers });
      expect([again.status, again.text, again.headers.get('etag')], JSON.stringify(headers)).to.deep.equal([
        304,
        '',
        answered,
      ]);
    }
    const older = new Date(Date.parse(modified) - 1_000).toUTCString();
    const changed: Record<string, string>[] = [
      { 'if-none-match': '"other"' },
      { 'if-modified-since': older },
      { 'if-none-match': '"other"', 'if-modified-since': modified },
      { 'if-modified-since': 'yesterday' },
    ];
    for (const headers of changed) {
      expect((await t.read(number, pushed, { headers })).status, JSON.stringify(headers)).to.equal(200);
    }
  });

  it('has another ETag for another format, view or revision', async () => {
    const own = newNumber();
    const tag = async (after: Answer, options = {}) => (await t.read(own, after, options)).headers.get('etag');
    const one = await t.push(timelineOf(own, [event('picked_up', 1, { description: 'at the back door' })]));
    const tags = [
      await tag(one),
      await tag(one, { query: '?format=shippo' }),
      await tag(one, { key: t.demo.provider.key }),
    ];
    const two = await t.push(timelineOf(own, [event('in_transit', 2)]));
    tags.push(await tag(two));
    const event_id = 'urn:example:1';
    const three = await t.push(timelineOf(own, [event('received', 3, { event_id })]));
    tags.push(
      await tag(three),
      await tag(await t.push(timelineOf(own, [{ occurred_at: '2026-01-06T00:00:00Z', retracts: event_id }]))),
    );
    expect(new Set(tags).size).to.equal(tags.length);
  });

  it('requires caches to revalidate, and never mixes views', async () => {
    const publicView = await t.read(number, pushed);
    expect(publicView.headers.get('cache-control')).to.equal('no-cache');
    expect(publicView.headers.get('vary')!.split(', ')).to.include.members(['Accept', 'Authorization']);
    expect((await t.read(number, pushed, { key: t.demo.provider.key })).headers.get('cache-control')).to.equal(
      'no-store',
    );
  });

  it('handles HEAD like GET, without the body', async () => {
    const get = await t.read(number, pushed);
    const head = await t.read(number, pushed, { method: 'HEAD' });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'vary'])
      expect(head.headers.get(name), name).to.equal(get.headers.get(name));
    expect((await t.read('UNHEARDOF', undefined, { method: 'HEAD' })).status).to.equal(404);
  });

  it('is readable from pages of any origin', async () => {
    const get = await t.read(number, pushed, { headers: { origin: 'https://shop.example' } });
    expect(get.headers.get('access-control-allow-origin')).to.equal('*');
    for (const name of ['ETag', 'X-Event-Position', 'Retry-After'])
      expect(get.headers.get('access-control-expose-headers')).to.contain(name);
    const preflight = await t.read(number, undefined, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-methods')).to.contain('GET');
    expect(preflight.headers.get('access-control-allow-headers')!.toLowerCase())
      .to.contain('if-none-match')
      .and.contain('authorization');
    expect(
      (await t.read('UNHEARDOF', undefined, { headers: { origin: 'https://shop.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).to.equal('*');
  });

  it('supports the six languages of the service', async () => {
    const messageIn = async (language: string) => {
      const { json, headers } = await t.read('UNHEARDOF', undefined, { headers: { 'accept-language': language } });
      expect(headers.get('vary')).to.contain('Accept-Language');
      return [headers.get('content-language'), json.message as string] as const;
    };
    const expected = {
      en: 'en',
      'fr-CA': 'fr',
      de: 'de',
      'es-MX, en;q=0.5': 'es',
      'zh-CN': 'zh-Hans',
      'zh-TW': 'zh-Hant',
      'zh-Hant': 'zh-Hant',
      'xx, de;q=0.3, fr;q=0.7': 'fr',
      xx: 'en',
      '': 'en',
      ';;;=,': 'en',
    };
    const texts = new Map<string, string>();
    for (const [requested, language] of Object.entries(expected)) {
      const [contentLanguage, text] = await messageIn(requested);
      expect(contentLanguage, requested).to.equal(language);
      texts.set(contentLanguage!, text);
    }
    expect(new Set(texts.values()).size).to.equal(6);
    const { json } = await t.read('UNHEARDOF', undefined, { headers: { 'accept-language': 'de' } });
    expect(json.detail).to.equal(texts.get('de'));
    expect(json.title).to.equal(texts.get('en'));
  });

  it('ignores spaces in a number, however long the text is, at both addresses (field-tracking F10)', async () => {
    const long = `${newNumber()}${'7'.repeat(44)}`.slice(0, 64);
    const answer = await t.push(timelineOf(long, [event('picked_up', 1)]));
    const spaced = encodeURIComponent(long.replace(/(.{4})/g, '$1 ').toLowerCase());
    const headers = positionOf(answer);
    expect((await t.api(`/otep/trackings/${spaced}`, { headers })).json.subject.tracking_number).to.equal(long);
    expect((await t.api(`/tracking/${spaced}`, { headers })).json.tracking_number).to.equal(long);
    for (const path of ['/tracking/', '/otep/trackings/'])
      expect((await t.api(`${path}${'A'.repeat(257)}`)).status, path).to.equal(400);
  });

  it('finds a parcel by the barcode of a USPS label, and the number of a push that has one (field-tracking)', async () => {
    const number = `94001118992231${String(process.pid).padStart(8, '0')}`;
    const barcodes = [`42094105${number}`, `420941051234${number}`, `420 94105 ${number}`];
    const events = [event('picked_up', 1), event('in_transit', 2), event('out_for_delivery', 3), event('delivered', 4)];
    let answer!: Answer;
    for (const [index, name] of [...barcodes, number].entries()) {
      answer = await t.push(timelineOf(name, [events[index]!]));
      expect(answer.json, name).to.include({ accepted: 1 });
    }
    const headers = positionOf(answer);
    for (const name of [...barcodes, number]) {
      const { json } = await t.api(`/otep/trackings/${encodeURIComponent(name)}`, { headers });
      expect([json.subject.tracking_number, json.events.length], name).to.deep.equal([number, 4]);
    }
    const { json } = await t.api('/otep/trackings/batch', { body: { tracking_numbers: barcodes }, headers });
    expect(json.found).to.equal(3);
  });

  describe('in batches', () => {
    const batch = (body: unknown, headers = {}) => t.api('/otep/trackings/batch', { body, headers });

    it('returns found and missing numbers, each once', async () => {
      const { status, json } = await batch({ tracking_numbers: [number, 'UNHEARDOF', number, t.demo.trackings[0]] });
      expect(status).to.equal(200);
      expect(json).to.include({ result: true, found: 2 });
      expect(json.not_found).to.deep.equal(['UNHEARDOF']);
      expect(json.trackings.map((one: { tracking_number: string }) => one.tracking_number)).to.deep.equal([
        number,
        t.demo.trackings[0],
      ]);
      expect(json.trackings[0].timeline).to.deep.equal((await t.read(number)).json);
    });

    it('returns them in the chosen format', async () => {
      const { json } = await batch({ tracking_numbers: [number], format: 'shippo' });
      expect(json.trackings[0].timeline).to.deep.equal(
        (await t.read(number, undefined, { query: '?format=shippo' })).json,
      );
    });

    it('accepts 1 to 100 numbers', async () => {
      const many = (count: number) => ({ tracking_numbers: Array.from({ length: count }, (_, index) => `N${index}`) });
      expect((await batch(many(100))).json.not_found).to.have.length(100);
      for (const body of [
        many(101),
        many(0),
        {},
        { tracking_numbers: number },
        { tracking_numbers: [1] },
        { tracking_numbers: [number], format: 'telegram' },
        [],
        null,
      ]) {
        const { status, json } = await batch(body);
        expect(status, JSON.stringify(body)?.slice(0, 60)).to.equal(400);
        expect(json.errors).to.not.be.empty;
      }
    });
  });
});
