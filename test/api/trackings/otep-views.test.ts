import { FORMATS } from '../../../src/serializers/index.js';
import { expect } from 'chai';
import { identifiersOf, trackingId } from '../../../src/events/trackings/events.js';
import type { Answer } from '../../support/clients/http.js';
import { event, newNumber, recently, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const SSCC = '340123450000000031';

/** All members of an event that may contain personal data; each text is unique. */
const SECRETS = [
  'Petra Driver',
  'left with the neighbour',
  'gate code 4711',
  'he shouted',
  'proofs.example/photo',
  '+49 170 1234567',
  '53.551086',
  '9.993682',
];
const personal = event('delivered', 5, {
  location: {
    name: 'Petra Driver’s van',
    city: 'Hamburg',
    postal_code: '20095',
    country: 'DE',
    latitude: 53.551086,
    longitude: 9.993682,
  },
  source: { type: 'driver', name: 'Petra Driver' },
  description: 'left with the neighbour',
  raw: { code: 'DL', text: 'gate code 4711' },
  incident_reason: { code: 'other', text: 'he shouted' },
  proof: { kind: 'photo', url: 'https://proofs.example/photo' },
  'x-recipient': { phone: '+49 170 1234567' },
});

describe('OTEP: views of a timeline', () => {
  let t: TestService;
  let pushed: Answer;
  let stranger: string;
  const number = newNumber();
  const order = `order ${newNumber()}`;
  const box = `package ${newNumber()}`;
  const piece = `https://1r.example/pieces/${newNumber()}`;

  before(async () => {
    t = await startTestService();
    stranger = await t.addProvider('stranger');
    pushed = await t.push(
      timelineOf(number, [event('picked_up', 1), personal], {
        order_id: order,
        package_id: box,
        gs1_sscc: SSCC,
        piece_id: piece,
      }),
    );
    expect(pushed.json).to.include({ accepted: 2 });
  });
  after(() => t.stop());

  it('the public view, also for a foreign key, has no personal data, in any format and operation', async () => {
    const formats = (await t.api('/otep/formats')).json.formats as { name: string; events: boolean }[];
    for (const key of [undefined, stranger]) {
      const texts: string[] = [];
      for (const { name, events } of formats) {
        texts.push((await t.read(number, pushed, { key, query: `?format=${name}` })).text);
        if (events) texts.push((await t.api(`/otep/trackings/${number}/events?format=${name}`, { key })).text);
      }
      texts.push(
        (await t.api(`/otep/trackings/${number}/events?after=-1`, { key })).text,
        (await t.api('/otep/trackings/batch', { key, body: { tracking_numbers: [number] } })).text,
      );
      for (const text of texts) {
        expect(text.length).to.be.above(50);
        for (const secret of [...SECRETS, order, box]) expect(text).to.not.contain(secret);
      }
    }
  });

  it('the public view has the approximate place, and the raw code', async () => {
    const [, last] = (await t.read(number, pushed)).json.events;
    expect(last.location).to.deep.equal({
      city: 'Hamburg',
      postal_code: '20095',
      country: 'DE',
      latitude: 53.55,
      longitude: 9.99,
    });
    expect(last.source).to.deep.equal({ type: 'driver' });
    expect(last.raw).to.deep.equal({ code: 'DL' });
    expect(last.incident_reason).to.deep.equal({ code: 'other' });
  });

  it('the public view has the names of places and carriers that are not persons', async () => {
    const open = newNumber();
    const after = await t.push(
      timelineOf(open, [
        event('arrival_scan', 1, {
          location: { name: 'Hub Hannover' },
          source: { type: 'node_scan', name: 'Hub scanner 7' },
        }),
      ]),
    );
    const [one] = (await t.read(open, after)).json.events;
    expect([one.location.name, one.source.name]).to.deep.equal(['Hub Hannover', 'Hub scanner 7']);
  });

  it('the owner sees everything unchanged', async () => {
    const { json } = await t.read(number, pushed, { key: t.demo.provider.key });
    expect(json.subject).to.deep.equal({
      tracking_number: number,
      order_id: order,
      package_id: box,
      gs1_sscc: SSCC,
      piece_id: piece,
    });
    expect(json.events[1]).to.deep.include(personal);
    const [, viaEvents] = (await t.api(`/otep/trackings/${number}/events`, { key: t.demo.provider.key })).json.events;
    expect(viaEvents).to.deep.equal(json.events[1]);
  });

  it('a provider sees everything of a granted shipment', async () => {
    const given = t.demo.trackings[1]!;
    const after = await t.push(timelineOf(given, [personal]), { key: t.demo.strict_provider.key });
    expect((await t.read(given, after, { key: t.demo.strict_provider.key })).json.events[0]).to.deep.include(personal);
    expect((await t.read(given, after, { key: t.demo.provider.key })).text).to.not.contain('neighbour');
  });

  it('nothing personal is readable in the database, in the log or elsewhere', async () => {
    const tables = await t.service.engines.pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    expect(tables.rows.map(({ name }) => name)).to.include.members([
      'log.events',
      'timeline.trackings',
      'access.idempotency',
    ]);
    for (const { name } of tables.rows) {
      const { rows } = await t.service.engines.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
      for (const secret of SECRETS)
        expect(
          rows.some(({ text }) => text.includes(secret)),
          `${secret} in ${name}`,
        ).to.equal(false);
      expect(
        rows.some(({ text }) => text.includes(t.demo.provider.key)),
        `a key in ${name}`,
      ).to.equal(false);
    }
  });

  it('SSCC and piece id are public search keys, order and package id only for the owner', async () => {
    const found = async (identifier: string, key?: string) => (await t.read(identifier, pushed, { key })).status;
    for (const open of [SSCC, `00${SSCC}`, `(00)${SSCC}`, piece]) expect(await found(open), open).to.equal(200);
    for (const closed of [order, box]) {
      expect(
        [await found(closed), await found(closed, stranger), await found(closed, t.demo.provider.key)],
        closed,
      ).to.deep.equal([404, 404, 200]);
      const { json } = await t.api('/otep/trackings/batch', { body: { tracking_numbers: [closed] } });
      expect(json.not_found).to.deep.equal([closed]);
      expect((await t.api(`/otep/trackings/${encodeURIComponent(closed)}/events`)).status).to.equal(404);
    }
  });

  it('a tracking id that is derived from a package id finds nothing', async () => {
    const package_id = `package ${newNumber()}`;
    const after = await t.push({ subject: { package_id }, events: [event('picked_up', 1)] });
    expect(after.json).to.include({ accepted: 1 });
    const id = trackingId({ kind: 'provider', id: t.demo.provider.id }, identifiersOf({ package_id })[0]!, 0);
    const found = async (key?: string) => (await t.read(`urn:uuid:${id}`, after, { key })).status;
    expect([await found(), await found(stranger), await found(t.demo.provider.key)]).to.deep.equal([404, 404, 200]);
  });

  it('several carriers with the same number: the first one is returned, the others are listed', async () => {
    const shared = newNumber();
    await t.push(timelineOf(shared, [recently('picked_up', 1)]));
    const later = await t.push(timelineOf(shared, [recently('out_for_delivery', 8)]), { key: stranger });
    const read = async (query: string) => (await t.read(shared, later, { query })).json;
    expect(await read(''))
      .to.include({ current_status: 'picked_up', carrier: 'demo-carrier' })
      .and.to.deep.include({ alternatives: ['stranger'] });
    expect(await read('?carrier=stranger'))
      .to.include({ current_status: 'out_for_delivery', carrier: 'stranger' })
      .and.to.deep.include({ alternatives: ['demo-carrier'] });
    // The later provider reads its own parcel, with a link to the first one.
    expect((await t.read(shared, later, { key: stranger })).json).to.include({ carrier: 'stranger' });
    for (const { name } of FORMATS) {
      const { headers } = await t.read(shared, later, { query: `?format=${name}` });
      const link = headers.get('link')!;
      expect(link, name).to.match(/otep\/trackings\/\w+\?carrier=demo-carrier[^>]*>; rel="canonical"/);
      expect(link, name).to.match(/otep\/trackings\/\w+\?carrier=stranger[^>]*>; rel="alternate"/);
      const other = /<([^>]+)>; rel="alternate"/.exec(link)![1]!;
      expect((await fetch(other)).headers.get('link'), name).to.match(/carrier=stranger[^>]*>; rel="canonical"/);
    }
    const nobodys = await read('?carrier=nobody');
    expect(nobodys).to.include({ code: 'TRACKING_NOT_FOUND' });
    expect(nobodys.errors).to.have.length(1);
    expect(nobodys.errors[0]).to.include({ field: 'carrier', code: 'INVALID_VALUE' });
    expect(nobodys.errors[0].message).to.include('demo-carrier, stranger');
    expect((await t.read(number, pushed)).json).to.not.have.property('alternatives');
  });

  it('destroying the key erases a person for good, and nothing else', async () => {
    const own = newNumber();
    const key = t.demo.provider.key;
    const first = await t.push(timelineOf(own, [personal], { order_id: 'O-1' }));
    const before = await t.read(own, first, { key });
    expect(before.text).to.contain('neighbour');
    const { rows } = await t.service.engines.pool.query<{ id: string }>(
      'select id from timeline.trackings where number = $1',
      [own],
    );
    await t.service.engines.keyRing.destroy([rows[0]!.id]);
    const after = await t.read(own, first, { key, headers: { 'if-none-match': before.headers.get('etag')! } });
    expect(after.status).to.equal(200);
    for (const secret of SECRETS) expect(after.text).to.not.contain(secret);
    expect(after.json.events[0]).to.deep.include({ status_code: 'delivered', raw: { code: 'DL' } });
    expect((await t.read(number, pushed, { key })).text).to.contain('neighbour');

    const second = await t.push(
      timelineOf(own, [event('return_to_sender', 30, { description: 'again at the neighbour' })]),
    );
    expect([second.status, second.json.accepted]).to.deep.equal([200, 1]);
    const later = await t.read(own, second, { key });
    expect(later.json.events[1].status_code).to.equal('return_to_sender');
    expect(later.text).to.not.contain('neighbour');
  });
});
