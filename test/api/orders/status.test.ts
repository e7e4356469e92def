/** Sources that report only the current status (rule 5 of the protocol). */
import { expect } from 'chai';
import { outcomesOf } from '../../support/inputs/epcis-documents.js';
import type { CallOptions } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

interface TimelineEvent {
  readonly status_code: string;
  readonly occurred_at: string;
  readonly source: { readonly ref?: string; readonly type?: string };
}

describe('OTEP: pushing statuses', () => {
  let t: TestService;
  const clock = { now: Date.UTC(2026, 6, 1, 12) };
  before(async () => void (t = await startTestService({ now: () => clock.now })));
  after(() => t.stop());

  const push = (document: unknown, options: CallOptions = {}) =>
    t.api('/otep/ingest/status', { key: t.demo.provider.key, body: document, ...options });
  const at = (hour: number) => `2026-06-01T${String(hour).padStart(2, '0')}:00:00Z`;
  const timelineEvents = async (number: string, after: Awaited<ReturnType<typeof push>>): Promise<TimelineEvent[]> =>
    (await t.read(number, after)).json.events;

  it('create one event for each change, and none without a change', async () => {
    const tracking_number = newNumber();
    const first = await push({ tracking_number, status_code: 'in_transit' });
    expect(outcomesOf(first)).to.deep.equal(['accepted']);
    clock.now += 60_000;
    const same = await push({ tracking_number, status_code: 'in_transit' });
    expect(outcomesOf(same)).to.deep.equal(['duplicate']);
    expect(same.json.events[0].event_id).to.equal(first.json.events[0].event_id);
    clock.now += 60_000;
    const last = await push({ tracking_number, status_code: 'out_for_delivery' });
    const events = await timelineEvents(tracking_number, last);
    expect(events.map(({ status_code }) => status_code)).to.deep.equal(['in_transit', 'out_for_delivery']);
    expect(events.map(({ source }) => source)).to.deep.equal([
      { type: 'carrier', ref: 'synthesized' },
      { type: 'carrier', ref: 'synthesized' },
    ]);
    expect(events[1]!.occurred_at).to.equal(new Date(clock.now).toISOString());
  });

  it('record a change back and forth, in the order of a list', async () => {
    const tracking_number = newNumber();
    const list = ['in_transit', 'delivery_failed', 'in_transit', 'in_transit', 'delivery_failed'].map(
      (status_code) => ({ tracking_number, status_code }),
    );
    for (const document of [list, { statuses: list }]) {
      const answer = await push(document);
      if (document === list)
        expect(outcomesOf(answer)).to.deep.equal(['accepted', 'accepted', 'accepted', 'duplicate', 'accepted']);
      clock.now += 60_000;
    }
    const events = await timelineEvents(tracking_number, await push({ tracking_number, status_code: 'delivered' }));
    expect(events.map(({ status_code }) => status_code)).to.deep.equal([
      'in_transit',
      'delivery_failed',
      'in_transit',
      'delivery_failed',
      'in_transit',
      'delivery_failed',
      'in_transit',
      'delivery_failed',
      'delivered',
    ]);
  });

  it('are compared with all known scans of the tracking, at the time of the status', async () => {
    const tracking_number = newNumber();
    await t.push(
      timelineOf(tracking_number, [
        event('picked_up', 0, { occurred_at: at(8) }),
        event('in_transit', 0, { occurred_at: at(10) }),
        event('x-weighed', 0, { occurred_at: at(11) }),
      ]),
    );
    const answer = await push([
      { tracking_number, status_code: 'in_transit', occurred_at: at(12) },
      { tracking_number, status_code: 'x-weighed', occurred_at: at(12) },
      { tracking_number, status_code: 'picked_up', occurred_at: at(9) },
      { tracking_number, status_code: 'received', occurred_at: at(9) },
    ]);
    expect(outcomesOf(answer)).to.deep.equal(['duplicate', 'duplicate', 'duplicate', 'accepted']);
    expect((await timelineEvents(tracking_number, answer)).map(({ status_code }) => status_code)).to.deep.equal([
      'picked_up',
      'received',
      'in_transit',
      'x-weighed',
    ]);
  });

  it('do not repeat the end of a continued journey', async () => {
    const tracking_number = newNumber();
    const answer = await push(
      ['delivered', 'in_transit', 'delivered', 'in_transit'].map((status_code, hour) => ({
        tracking_number,
        status_code,
        occurred_at: at(hour),
      })),
    );
    expect(outcomesOf(answer)).to.deep.equal(['accepted', 'accepted', 'duplicate', 'duplicate']);
  });

  it('are mapped by the provider’s table, and name a parcel by any identifier', async () => {
    await t.api('/provider/status-mapping', {
      method: 'PUT',
      key: t.demo.provider.key,
      body: { mapping: [{ raw: 'IT', status_code: 'in_transit' }] },
    });
    const piece_id = `urn:x:piece:${newNumber()}`;
    const answer = await push({
      subject: { piece_id },
      raw: { code: 'IT', text: 'unterwegs' },
      location: { city: 'Oslo' },
    });
    expect(outcomesOf(answer)).to.deep.equal(['accepted']);
    expect((await timelineEvents(piece_id, answer))[0]).to.deep.include({
      status_code: 'in_transit',
      raw: { code: 'IT' },
      location: { city: 'Oslo' },
    });
  });

  it('change nothing if the request is repeated with its key, also if the first attempt died half-way', async () => {
    const tracking_number = newNumber();
    const list = ['in_transit', 'received', 'in_transit'].map((status_code) => ({ tracking_number, status_code }));
    const headers = { 'idempotency-key': `s-${newNumber()}` };
    const first = await push(list, { headers });
    clock.now += 60_000;
    const again = await push(list, { headers });
    expect(again.text).to.equal(first.text);
    expect(await timelineEvents(tracking_number, first)).to.have.length(3);
  });

  it('are rejected with the place of the error', async () => {
    const tracking_number = newNumber();
    const answer = await push([
      { tracking_number, status_code: 'lost_in_space' },
      { status_code: 'in_transit' },
      { tracking_number },
      7,
      { tracking_number: '!', status_code: 'in_transit' },
      { tracking_number, status_code: 'in_transit', occurred_at: 'noon' },
      { tracking_number, status_code: 'in_transit' },
      { tracking_number, status_code: 'in_transit', source: 5 },
    ]);
    expect(outcomesOf(answer)).to.deep.equal([
      'UNKNOWN_STATUS',
      'NO_IDENTIFIER',
      'REQUIRED',
      'INVALID_TYPE',
      'INVALID_TRACKING_NUMBER',
      'INVALID_TIME',
      'accepted',
      'INVALID_TYPE',
    ]);
    expect(
      answer.json.events.flatMap((one: { errors?: { path: string }[] }) => one.errors?.[0]?.path ?? []),
    ).to.deep.equal([
      '/0/status_code',
      '/1',
      '/2/status_code',
      '/3',
      '/4/tracking_number',
      '/5/occurred_at',
      '/7/source',
    ]);
    expect((await push({ statuses: {} })).json.errors[0]).to.include({ path: '/statuses', code: 'INVALID_TYPE' });
    expect((await push(Array.from({ length: 501 }, () => 0))).status).to.equal(413);
    expect(
      (await push({ tracking_number, status_code: 'received' }, { key: t.demo.strict_provider.key })).json.events[0]
        .errors[0],
    ).to.include({ code: 'NOT_YOUR_SHIPMENT', path: '/tracking_number' });
  });
});
