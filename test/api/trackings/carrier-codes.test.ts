/** Tables of carriers' status codes: choosing one, the order of lookup, and events of aggregators. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { graphql } from '../../support/clients/graphql.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

interface ReadEvent {
  readonly status_code: string;
  readonly phase?: string;
  readonly incident_reason?: { readonly code: string };
  readonly source: { readonly carrier?: string };
}

describe('tables of carriers’ status codes', () => {
  let t: TestService;
  let key: string;
  before(async () => {
    t = await startTestService();
    key = await t.addProvider('aggregator');
  });
  after(() => t.stop());

  const choose = (carrier_codes: unknown, options = {}) =>
    t.api('/provider-settings', { method: 'PATCH', key, body: { carrier_codes }, ...options });
  const map = (mapping: unknown) => t.api('/provider/status-mapping', { method: 'PUT', key, body: { mapping } });
  const raw = (code: string | undefined, hours: number, more: Readonly<Record<string, unknown>> = {}) => {
    const { status_code: _none, ...rest } = event('', hours, more);
    return { raw: { code }, ...rest };
  };
  const push = (number: string, ...events: unknown[]) => t.push(timelineOf(number, events), { key });
  const read = async (...events: unknown[]): Promise<readonly ReadEvent[]> => {
    const number = newNumber();
    const pushed = await push(number, ...events);
    expect(pushed.json.rejected, pushed.text).to.equal(0);
    return (await t.read(number, pushed, { key })).json.events;
  };
  const codes = async (...events: unknown[]) => (await read(...events)).map(({ status_code }) => status_code);
  const keptOutcome = async (one: unknown) => {
    const { json } = await push(newNumber(), one);
    return [json.events[0].outcome, json.events[0].warnings[0].code];
  };
  const UNMAPPED = ['accepted', 'UNMAPPED_STATUS'];

  it('are chosen by the provider: no table at first; unknown tables are refused with the list', async () => {
    const settings = async () => (await t.api('/provider-settings', { key })).json.provider_settings;
    expect((await settings()).carrier_codes).to.equal(null);
    expect(await keptOutcome(raw('OD', 1))).to.deep.equal(UNMAPPED);
    const chosen = await choose('fedex');
    expect([chosen.status, chosen.json.provider_settings.carrier_codes]).to.deep.equal([200, 'fedex']);
    expect(await codes(raw('OD', 1), raw('dl ', 2))).to.deep.equal(['out_for_delivery', 'delivered']);

    const { status, json } = await choose('nosuchcarrier');
    expect([status, json.code, json.errors[0].code]).to.deep.equal([400, 'INVALID_INPUT', 'INVALID_VALUE']);
    expect(json.errors[0].message).to.include('an-post').and.to.include('usps');
    expect((await settings()).carrier_codes).to.equal('fedex');
    expect((await t.api('/provider-settings')).status).to.equal(401);

    await choose(null);
    expect(await keptOutcome(raw('OD', 1))).to.deep.equal(UNMAPPED);
  });

  it('distinguish texts, and set the incident reason of events without one', async () => {
    await choose('fedex');
    const [absent, given, text, description] = await read(
      raw('DE', 1, { raw: { code: 'DE', text: 'Customer not available or business closed' } }),
      raw('DE', 2, { incident_reason: { code: 'weather', text: 'business closed' } }),
      raw('PU', 3, { raw: { code: 'PU', text: 'Package available for clearance' } }),
      raw('PU', 4, { description: 'Package available for clearance' }),
    );
    expect(absent).to.deep.include({ status_code: 'delivery_failed', incident_reason: { code: 'recipient_absent' } });
    expect(given).to.deep.include({ incident_reason: { code: 'weather', text: 'business closed' } });
    expect([text!.status_code, description!.status_code]).to.deep.equal(['in_transit', 'in_transit']);
  });

  it('are used only if no row of the provider has the code, in any case', async () => {
    await choose('fedex');
    await map([
      { raw: 'hl', status_code: 'arrival_scan' },
      { raw: 'DE', status_code: 'delivery_rescheduled' },
    ]);
    const [own, reason, table] = await read(
      raw('HL', 1),
      raw('DE', 2, { description: 'business closed' }),
      raw('AR', 3),
    );
    expect(own!.status_code).to.equal('arrival_scan');
    expect(reason).to.include({ status_code: 'delivery_rescheduled' }).and.not.have.property('incident_reason');
    expect(table!.status_code).to.equal('arrival_scan');
    await map([]);
  });

  it('are chosen by an event of an aggregator, for that event alone', async () => {
    await choose('fedex');
    const events = await read(
      raw('10', 1, { source: { type: 'carrier', carrier: 'usps' } }),
      raw('OD', 2),
      raw('I:OT', 3, { source: { carrier: ' UPS ' } }),
      raw('01', 4, { source: { carrier: 'usps' }, raw: { code: '01', text: 'Delivered, To Original Sender' } }),
    );
    expect(events.map(({ status_code }) => status_code)).to.deep.equal([
      'in_transit',
      'out_for_delivery',
      'out_for_delivery',
      'return_to_sender',
    ]);
    expect(events[0]!.source).to.deep.include({ carrier: 'usps' });
    expect(await keptOutcome(raw('OD', 1, { source: { carrier: 'usps' } }))).to.deep.equal(UNMAPPED);
  });

  it('a carrier without a table is accepted with a warning, and uses no other table', async () => {
    await choose('fedex');
    await map([{ raw: 'Q1', status_code: 'received' }]);
    const source = { carrier: 'nosuchcarrier' };
    const { json } = await push(
      newNumber(),
      raw('Q1', 1, { source }),
      event('in_transit', 2, { source }),
      raw('Q1', 3),
    );
    expect(json).to.include({ accepted: 3, rejected: 0 });
    const [warned, stated, plain] = json.events;
    expect(warned.warnings).to.have.length(1);
    expect(warned.warnings[0]).to.include({ code: 'UNKNOWN_CARRIER', path: '/events/0/source/carrier' });
    expect(warned.warnings[0].message).to.include('nosuchcarrier');
    expect(stated.warnings[0].code).to.equal('UNKNOWN_CARRIER');
    expect(plain).not.to.have.property('warnings');

    const status = await t.api('/otep/ingest/status', {
      key,
      headers: { 'accept-language': 'de' },
      body: { tracking_number: newNumber(), raw: { code: 'OD' }, source },
    });
    expect([status.status, status.json.events[0].errors[0].code]).to.deep.equal([422, 'UNMAPPED_STATUS']);
    expect(status.json.events[0].warnings[0].message).to.include('Paketdienst');
    await map([]);
  });

  it('a known code without a status is information: it moves no status and is not unmapped', async () => {
    await choose('fedex');
    const number = newNumber();
    const pushed = await push(
      number,
      raw('AR', 1),
      raw('HP', 2, { description: 'Ready for recipient pickup' }),
      raw('OX', 3, { phase: 'delivered' }),
    );
    expect(pushed.json).to.include({ accepted: 3, rejected: 0 });
    expect(pushed.json.events[1]).not.to.have.property('warnings');
    const { json } = await t.read(number, pushed, { key });
    expect(json).to.include({ current_status: 'arrival_scan', current_phase: 'inbound', terminal_status: null });
    const [, notice, phased] = json.events as readonly ReadEvent[];
    expect(notice).to.deep.include({ status_code: 'x-carrier_notice', raw: { code: 'HP' } });
    expect(notice).not.to.have.property('phase');
    expect(phased).to.include({ status_code: 'x-carrier_notice' }).and.not.have.property('phase');

    const unmapped = async () =>
      ((await t.api('/provider/status-mapping/unmapped', { key })).json.unmapped as { raw: string }[]).map(
        ({ raw }) => raw,
      );
    await push(newNumber(), raw('ZZ9', 1));
    expect(await unmapped())
      .to.include('ZZ9')
      .and.not.include('HP')
      .and.not.include('OX')
      .and.not.include('OD');
  });

  it('change without an effect on recorded events, and a repeated push is still a duplicate', async () => {
    await choose(null);
    await map([{ raw: 'DE', status_code: 'received' }]);
    const number = newNumber();
    const [own, derived] = [raw('DE', 1, { event_id: 'urn:example:table' }), raw('DE', 2)];
    expect((await push(number, own, derived)).json).to.include({ accepted: 2 });
    await map([]);
    await choose('fedex');
    const texts = { description: 'business closed' };
    expect((await push(number, own, derived)).json).to.include({ duplicates: 2, rejected: 0 });
    const first = await push(number, { ...raw('DE', 3, { event_id: 'urn:example:reason' }), ...texts });
    await map([{ raw: 'DE', status_code: 'received' }]);
    const second = await push(number, { ...raw('DE', 3, { event_id: 'urn:example:reason' }), ...texts });
    expect([first.json.accepted, second.json.duplicates]).to.deep.equal([1, 1]);
    await map([]);
  });

  it('are listed without a key, with their rows in pages', async () => {
    const { status, json } = await t.api('/otep/carriers');
    expect([status, json.carriers.length]).to.deep.equal([200, 63]);
    const ups = json.carriers.find(({ code }: { code: string }) => code === 'ups');
    expect(ups).to.include({ name: 'UPS', code_count: 1054 });
    const page = await t.api('/otep/carriers/UPS/codes?page=6&per_page=200');
    expect(page.json).to.include({ total: 1054, page: 6, per_page: 200 });
    expect(page.json.codes).to.have.length(54);
    const { next_cursor } = (await t.api('/otep/carriers/ups/codes?per_page=200')).json;
    const second = await t.api(`/otep/carriers/ups/codes?per_page=200&cursor=${next_cursor}`);
    expect(second.json.codes).to.deep.equal((await t.api('/otep/carriers/ups/codes?per_page=200&page=2')).json.codes);
    expect(page.json.next_cursor).to.equal(null);
    const [first] = (await t.api('/otep/carriers/ups/codes?per_page=1')).json.codes;
    expect(first).to.deep.include({ raw_code: 'D', status_code: 'delivered', incident_reason_code: null });
    const missing = await t.api('/otep/carriers/nosuchcarrier/codes');
    expect([missing.status, missing.json.code]).to.deep.equal([404, 'CARRIER_NOT_FOUND']);
    const { data } = await graphql(t.url, '{ otepCarriers { carriers { code mappedCount } } }');
    expect(data.otepCarriers.carriers).to.have.length(63);
  });

  it('are used to convert documents, without a key by the carrier of the event', async () => {
    const { json } = await t.api('/otep/convert?to=otep', {
      body: timelineOf('CONVERTED1', [raw('07', 1, { source: { carrier: 'usps' } })]),
    });
    expect(json.events[0].status_code).to.equal('arrival_scan');
    const validated = await t.api('/otep/validate', {
      body: timelineOf('CONVERTED1', [raw('07', 1, { source: { type: 'carrier', carrier: 'nosuchcarrier' } })]),
    });
    expect(validated.json.warnings.map(({ code }: { code: string }) => code)).to.include('UNKNOWN_CARRIER');
  });

  it('survive a rebuild as the choice of the provider', async () => {
    await choose('usps');
    await expectSameReplay(t, ['providers']);
  });
});
