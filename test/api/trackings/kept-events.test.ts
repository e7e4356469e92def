/** Events whose raw code no table contains are kept, hidden, and mapped once when a table learns the code (rule N17). */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventuallyPasses } from '../../support/eventually.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { openDispatchFixture } from '../../support/worlds/dispatch.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('events with an unknown raw code', () => {
  let t: TestService;
  let key: string;
  before(async () => {
    t = await startTestService();
    key = await t.addProvider('keeping');
  });
  after(() => t.stop());

  const map = (mapping: unknown) => t.api('/provider/status-mapping', { method: 'PUT', key, body: { mapping } });
  const choose = (carrier_codes: unknown) =>
    t.api('/provider-settings', { method: 'PATCH', key, body: { carrier_codes } });
  const raw = (code: string, hours: number, more: Readonly<Record<string, unknown>> = {}) => {
    const { status_code: _none, ...rest } = event('', hours, more);
    return { raw: { code }, ...rest };
  };
  const push = (number: string, ...events: unknown[]) => t.push(timelineOf(number, events), { key });
  const unmapped = async (): Promise<readonly string[]> =>
    (await t.api('/provider/status-mapping/unmapped', { key })).json.unmapped.map(({ raw }: { raw: string }) => raw);
  const timeline = async (number: string) => (await t.read(number, undefined, { key })).json;
  const statuses = async (number: string): Promise<readonly string[]> =>
    (await timeline(number)).events.map(({ status_code }: { status_code: string }) => status_code);
  /** Types of the events of the tracking that have a scan. */
  const stored = async (number: string): Promise<readonly string[]> => {
    const { rows } = await t.service.engines.pool.query<{ id: string }>(
      'select id from timeline.trackings where number = $1',
      [number],
    );
    const types: string[] = [];
    for await (const { type } of t.service.engines.log.read(`tracking-${rows[0]!.id}`)) types.push(type);
    return types.filter((type) => type.startsWith('TrackingEvent'));
  };

  it('are accepted with a warning, hidden, and listed', async () => {
    const number = newNumber();
    const pushed = await push(number, event('picked_up', 1), raw('Q1', 2), { ...raw('Q1', 3), proof: { kind: 'pin' } });
    expect([pushed.status, pushed.json.accepted, pushed.json.rejected]).to.deep.equal([200, 3, 0]);
    const [known, ...kept] = pushed.json.events;
    expect(known).not.to.have.property('warnings');
    for (const [index, one] of kept.entries())
      expect(one.warnings).to.deep.include({
        field: 'raw',
        path: `/events/${index + 1}/raw`,
        code: 'UNMAPPED_STATUS',
        message: one.warnings[0].message,
      });
    const read = (await t.read(number, pushed, { key })).json;
    expect(read).to.include({ current_status: 'picked_up', delivered: false });
    expect(read.events).to.have.length(1);
    expect(await unmapped()).to.include('Q1');
    expect((await push(number, raw('Q1', 2))).json).to.include({ duplicates: 1 });
  });

  it('are mapped once when the provider adds a row', async () => {
    const number = newNumber();
    await push(number, event('picked_up', 1), raw('Q2', 2, { description: 'Handed to Ada' }), raw('Q3', 3));
    await map([{ raw: 'q2', status_code: 'out_for_delivery' }]);
    await eventuallyPasses(async () => expect(await statuses(number)).to.deep.equal(['picked_up', 'out_for_delivery']));
    const [, mapped] = (await timeline(number)).events;
    expect(mapped).to.deep.include({ raw: { code: 'Q2' }, description: 'Handed to Ada', phase: 'out_for_delivery' });
    expect(await unmapped()).not.to.include('Q2');

    await map([
      { raw: 'Q2', status_code: 'arrival_scan' },
      { raw: 'Q3', status_code: 'delivered' },
    ]);
    await eventuallyPasses(async () => expect((await timeline(number)).terminal_status).to.equal('delivered'));
    expect(await statuses(number)).to.deep.equal(['picked_up', 'out_for_delivery', 'delivered']);
    expect(await stored(number)).to.deep.equal([
      'TrackingEventRecorded',
      'TrackingEventKept',
      'TrackingEventKept',
      'TrackingEventMapped',
      'TrackingEventMapped',
    ]);
    expect((await push(number, raw('Q3', 3))).json).to.include({ duplicates: 1 });
    await map([]);
  });

  it('are mapped by a chosen table, with its text patterns and reasons', async () => {
    const number = newNumber();
    await push(number, raw('DE', 1, { description: 'Customer not available or business closed' }), raw('HP', 2));
    expect((await timeline(number)).events).to.deep.equal([]);
    await choose('fedex');
    await eventuallyPasses(async () =>
      expect(await statuses(number)).to.deep.equal(['delivery_failed', 'x-carrier_notice']),
    );
    expect((await timeline(number)).events[0].incident_reason).to.deep.equal({ code: 'recipient_absent' });
    await choose(null);
  });

  it('get the status with which their producer sends them again', async () => {
    const number = newNumber();
    const [derived, own] = [raw('Q4', 1), raw('Q5', 2, { event_id: 'urn:example:kept-own' })];
    await push(number, derived, own);
    const again = await push(number, { ...derived, status_code: 'received' }, { ...own, status_code: 'in_transit' });
    expect(again.json).to.include({ accepted: 2, rejected: 0 });
    expect((await t.read(number, again, { key })).json.events).to.have.length(2);
    expect(await statuses(number)).to.deep.equal(['received', 'in_transit']);
  });

  it('stay hidden if they were retracted', async () => {
    const number = newNumber();
    await push(number, raw('Q6', 1, { event_id: 'urn:example:kept-wrong' }));
    await push(number, { occurred_at: event('', 2)['occurred_at'], retracts: 'urn:example:kept-wrong' });
    await map([{ raw: 'Q6', status_code: 'delivered' }]);
    await eventuallyPasses(async () => expect(await stored(number)).to.include('TrackingEventMapped'));
    expect((await timeline(number)).terminal_status).to.equal(null);
    await map([]);
  });

  it('are refused as a status of the sender, and as a row of the mapping', async () => {
    const { json } = await push(newNumber(), event('x-unmapped', 1));
    expect(json.events[0].errors[0].code).to.equal('UNKNOWN_STATUS');
    expect((await map([{ raw: 'Q7', status_code: 'x-unmapped' }])).json.errors[0].code).to.equal('UNKNOWN_STATUS');
  });

  it('survive a rebuild', () => expectSameReplay(t, ['timeline', 'kept_events']));
});

describe('an event of an order with an unknown raw code', () => {
  it('changes the order when it is mapped', async () => {
    const fixture = await openDispatchFixture();
    try {
      const { service } = fixture;
      const [id] = await fixture.orders.create(1);
      await fixture.as('employee', `/orders/${id}/third-party`, { provider: service.demo.provider.id });
      const order = async () => (await fixture.as('employee', `/orders/${id}`)).json.order;
      const { status: before, packages } = await order();
      const pushed = await service.push(
        timelineOf(packages[0].tracking_number, [{ occurred_at: new Date().toISOString(), raw: { code: 'ZZ' } }]),
      );
      expect(pushed.json.events[0].warnings[0].code).to.equal('UNMAPPED_STATUS');
      expect((await order()).status).to.equal(before);
      const { key } = service.demo.provider;
      const { mapping } = (await service.api('/provider/status-mapping', { key })).json;
      await service.api('/provider/status-mapping', {
        method: 'PUT',
        key,
        body: { mapping: [...mapping, { raw: 'ZZ', status_code: 'delivered' }] },
      });
      await eventuallyPasses(async () => expect((await order()).status).to.equal('DELIVERED'));
    } finally {
      await fixture.stop();
    }
  });
});
