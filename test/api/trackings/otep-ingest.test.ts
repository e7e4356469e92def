import { expect } from 'chai';
import type { Answer } from '../../support/clients/http.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { DAY, event, HOUR, newNumber, START, timelineOf, timeOf } from '../../support/inputs/pushes.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

interface Outcome {
  readonly timeline: number;
  readonly index: number;
  readonly event_id?: string;
  readonly outcome: string;
  readonly errors?: readonly {
    readonly field: string;
    readonly path: string;
    readonly code: string;
    readonly message: string;
  }[];
}

const outcomes = ({ json }: Answer): string[] =>
  json.events.map((one: Outcome) => one.errors?.[0]?.code ?? one.outcome);
const counts = ({ json }: Answer) => ({
  accepted: json.accepted,
  duplicates: json.duplicates,
  rejected: json.rejected,
});

describe('OTEP: pushing scans', () => {
  let t: TestService;
  const clock = { now: Date.UTC(2026, 6, 1, 12) };
  before(async () => void (t = await startTestService({ now: () => clock.now })));
  after(() => t.stop());

  it('returns the outcome of every event', async () => {
    const number = newNumber();
    const good = event('picked_up', 1);
    const answer = await t.push({
      timelines: [
        timelineOf(number, [good, event('lost_in_space', 2), good]),
        timelineOf(newNumber(), [{ status_code: 'received' }, 17]),
      ],
    });
    expect(answer.status).to.equal(200);
    expect(counts(answer)).to.deep.equal({ accepted: 1, duplicates: 1, rejected: 3 });
    const events = answer.json.events as Outcome[];
    expect(events.map(({ timeline, index }) => [timeline, index])).to.deep.equal([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
    ]);
    expect(outcomes(answer)).to.deep.equal(['accepted', 'UNKNOWN_STATUS', 'duplicate', 'REQUIRED', 'INVALID_TYPE']);
    expect(events[0]!.event_id)
      .to.equal(events[2]!.event_id)
      .and.to.match(/^[0-9a-f-]{36}$/);
    expect(events[1]!.errors![0]).to.include({ field: 'status_code', path: '/timelines/0/events/1/status_code' });
    expect(events[3]!.errors![0]).to.include({ field: 'occurred_at', path: '/timelines/1/events/0/occurred_at' });
    expect((await t.read(number, answer)).json.events).to.have.length(1);
  });

  it('accepts one timeline, many, or one event with its own subject', async () => {
    const number = newNumber();
    const lone = await t.push({ ...event('picked_up', 1), subject: { tracking_number: number } });
    expect(counts(lone)).to.deep.equal({ accepted: 1, duplicates: 0, rejected: 0 });
    expect(
      outcomes(await t.push(timelineOf(number, [event('picked_up', 1), event('otep:parcel:received', 2)]))),
    ).to.deep.equal(['duplicate', 'accepted']);
    const last = await t.push({
      timelines: [timelineOf(number, [event('received', 2)]), timelineOf(number, [event('delivered', 3)])],
    });
    expect(outcomes(last)).to.deep.equal(['duplicate', 'accepted']);
    expect((await t.read(number, last)).json.events).to.have.length(3);
  });

  it('responds in the caller’s language', async () => {
    const messageIn = async (language: string) =>
      (
        (
          await t.push(timelineOf(newNumber(), [event('lost_in_space'), event('received')]), {
            headers: { 'accept-language': language },
          })
        ).json.events as Outcome[]
      )[0]!.errors![0]!.message;
    expect(await messageIn('de')).to.not.equal(await messageIn('en'));
  });

  it('returns 422 with the same members if nothing was accepted', async () => {
    const answer = await t.push(
      timelineOf(newNumber(), [event('lost_in_space'), event('received', 1, { occurred_at: 'yesterday' })]),
    );
    expect([answer.status, answer.json.code]).to.deep.equal([422, 'NOTHING_ACCEPTED']);
    expect(counts(answer)).to.deep.equal({ accepted: 0, duplicates: 0, rejected: 2 });
    expect(outcomes(answer)).to.deep.equal(['UNKNOWN_STATUS', 'INVALID_TIME']);
    const repeated = timelineOf(newNumber(), [event('received')]);
    await t.push(repeated);
    expect(
      (
        await t.push(
          timelineOf((repeated['subject'] as { tracking_number: string }).tracking_number, [
            event('received'),
            event('lost_in_space'),
          ]),
        )
      ).status,
    ).to.equal(200);
  });

  it('rejects a push without a list of events, with the error', async () => {
    const cases: [unknown, string][] = [
      [{}, 'subject'],
      [[], 'body'],
      ['"text"', 'body'],
      [null, 'body'],
      [7, 'body'],
      [{ timelines: {} }, 'timelines'],
      [{ timelines: [1] }, '0'],
      [{ subject: { tracking_number: newNumber() } }, 'events'],
      [{ subject: { tracking_number: newNumber() }, events: {} }, 'events'],
    ];
    for (const [document, field] of cases) {
      const { status, json } = await t.push(document);
      expect([status, json.code], JSON.stringify(document)).to.deep.equal([400, 'INVALID_INPUT']);
      expect(
        json.errors.map((one: { field: string }) => one.field),
        JSON.stringify(document),
      ).to.include(field);
    }
  });

  it('rejects every event of an invalid envelope', async () => {
    const number = newNumber();
    for (const envelope of [
      { otep_version: '9.0' },
      { profile: 'freight' },
      { subject: {} },
      { subject: { tracking_number: '???' } },
      { subject: { gs1_sscc: '340123450000000032' } },
    ]) {
      const { status, json } = await t.push({
        ...timelineOf(number, [event('received'), event('delivered', 1)]),
        ...envelope,
      });
      expect([status, json.rejected], JSON.stringify(envelope)).to.deep.equal([422, 2]);
    }
    expect((await t.read(number)).status).to.equal(404);
  });

  it('accepts at most 500 events', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => event('in_transit', index / 100));
    const [one, two] = [newNumber(), newNumber()];
    for (const document of [
      timelineOf(one, many(501)),
      { timelines: [timelineOf(one, many(250)), timelineOf(two, many(251))] },
      { timelines: Array.from({ length: 501 }, () => 1) },
    ]) {
      const { status, json } = await t.push(document);
      expect([status, json.code]).to.deep.equal([413, 'TOO_MANY_EVENTS']);
      expect(json.errors[0].message).to.contain('500');
    }
    expect((await t.read(one)).status).to.equal(404);
  });

  it('binds an id to one content', async () => {
    const number = newNumber();
    const event_id = '0B7E0CB8-6A5D-4E42-9A5E-2F6C0D0D7A11';
    expect(outcomes(await t.push(timelineOf(number, [event('received', 1, { event_id })])))).to.deep.equal([
      'accepted',
    ]);
    expect(
      outcomes(
        await t.push(
          timelineOf(number, [
            event('received', 1, { event_id: event_id.toLowerCase(), recorded_at: '2026-02-02T00:00:00Z' }),
          ]),
        ),
      ),
    ).to.deep.equal(['duplicate']);
    for (const changed of [event('delivered', 1, { event_id }), event('received', 2, { event_id })]) {
      const { status, json } = await t.push(timelineOf(number, [changed]));
      expect(status).to.equal(422);
      expect(json.events[0].errors[0]).to.include({ code: 'EVENT_ID_REUSED', field: 'event_id' });
    }
    const updated = await t.push(timelineOf(number, [event('received', 1, { event_id, description: 'else' })]));
    expect(outcomes(updated)).to.deep.equal(['updated']);
    expect(updated.json).to.include({ accepted: 0, updated: 1, duplicates: 0 });
    expect(outcomes(await t.push(timelineOf(newNumber(), [event('delivered', 1, { event_id })])))).to.deep.equal([
      'accepted',
    ]);
  });

  it('keeps parcels of one order apart', async () => {
    const [one, two] = [newNumber(), newNumber()];
    const order_id = `order-${one}`;
    const first = await t.push(timelineOf(one, [event('picked_up', 1)], { order_id, package_id: 'A' }));
    const second = await t.push(timelineOf(two, [event('delivered', 2)], { order_id, package_id: 'B' }), {
      headers: positionOf(first),
    });
    expect(outcomes(second)).to.deep.equal(['accepted']);
    expect((await t.read(one, second)).json).to.include({ current_status: 'picked_up' });
    expect((await t.read(two, second)).json).to.include({ current_status: 'delivered' });
  });

  it('recognises a parcel by another identifier, and by a later number', async () => {
    const number = newNumber();
    const gs1_sscc = '340123450000000048';
    const first = await t.push({ subject: { gs1_sscc }, events: [event('information_submitted')] });
    const second = await t.push(timelineOf(number, [event('picked_up', 1)], { gs1_sscc }));
    expect((await t.read(number, second)).json.events).to.have.length(2);
    const third = await t.push(timelineOf(number, [event('delivered', 2)]));
    expect([first, second, third].map(outcomes)).to.deep.equal([['accepted'], ['accepted'], ['accepted']]);
    for (const name of [number, gs1_sscc]) expect((await t.read(name, third)).json.events, name).to.have.length(3);
  });

  describe('shipments of a provider', () => {
    it('a strict provider may write only granted parcels, checked for each event', async () => {
      const key = t.demo.strict_provider.key;
      const known = newNumber();
      await t.push(timelineOf(known, [event('picked_up', 1)]));
      const answer = await t.push(
        {
          timelines: [
            timelineOf(t.demo.trackings[1]!, [event('picked_up', 1)]),
            timelineOf(known, [event('received', 2), event('delivered', 3)]),
            timelineOf(newNumber(), [event('received')]),
          ],
        },
        { key, headers: {} },
      );
      expect(answer.status).to.equal(200);
      expect(outcomes(answer)).to.deep.equal([
        'accepted',
        'NOT_YOUR_SHIPMENT',
        'NOT_YOUR_SHIPMENT',
        'UNKNOWN_SHIPMENT',
      ]);
      expect((answer.json.events as Outcome[])[2]!.errors![0]).to.include({
        field: 'subject',
        path: '/timelines/1/events/1',
      });
      const nothing = await t.push(timelineOf(known, [event('received', 2)]), { key });
      expect([nothing.status, nothing.json.code, ...outcomes(nothing)]).to.deep.equal([
        422,
        'NOTHING_ACCEPTED',
        'NOT_YOUR_SHIPMENT',
      ]);
      expect((await t.read(known, answer)).json.current_status).to.equal('picked_up');
    });

    it('ends with the permission to write', async () => {
      const number = t.demo.trackings[2]!;
      const key = t.demo.strict_provider.key;
      expect(outcomes(await t.push(timelineOf(number, [event('picked_up', 1)]), { key }))).to.deep.equal(['accepted']);
      const { engines, commands, progress } = t.service;
      const { rows } = await engines.pool.query<{ id: string }>('select id from timeline.trackings where number = $1', [
        number,
      ]);
      const { position } = await commands.trackings(
        `tracking-${rows[0]!.id}`,
        { kind: 'revoke', id: rows[0]!.id, provider: t.demo.strict_provider.id },
        { correlationId: 'test', actor: { kind: 'system', id: 'test' }, channel: 'system' },
      );
      await progress.waitFor('timeline', position!, WAIT_LIMIT_MS);
      // It may still report what happened before, but nothing later.
      const later = { occurred_at: new Date(clock.now + 60_000).toISOString() };
      const both = timelineOf(number, [event('in_transit', 2), event('delivered', 3, later)]);
      expect(outcomes(await t.push(both, { key }))).to.deep.equal(['accepted', 'NOT_YOUR_SHIPMENT']);
    });

    it('keeps the same number of two carriers apart', async () => {
      const number = newNumber();
      const key = await t.addProvider('second-carrier');
      await t.push(timelineOf(number, [event('delivered', 9)]));
      const after = await t.push(timelineOf(number, [event('picked_up', 1)]), { key });
      expect(outcomes(after)).to.deep.equal(['accepted']);
      expect((await t.read(number, after, { query: '?carrier=second-carrier' })).json.events).to.have.length(1);
    });
  });

  describe('times', () => {
    it('rejects events more than a day ahead, and holds other future events until their time', async () => {
      const number = newNumber();
      const soon = clock.now + 5 * HOUR;
      const answer = await t.push(
        timelineOf(number, [
          { occurred_at: timeOf(clock.now - HOUR), status_code: 'picked_up' },
          { occurred_at: timeOf(soon), status_code: 'delivered' },
          { occurred_at: timeOf(clock.now + 25 * HOUR), status_code: 'delivered' },
        ]),
      );
      expect(outcomes(answer)).to.deep.equal(['accepted', 'accepted', 'TOO_FAR_AHEAD']);
      const before = await t.read(number, answer);
      expect(before.json).to.include({ current_status: 'picked_up', delivered: false });
      expect(before.json.events[1]).to.include({ status_code: 'delivered', anomaly: 'in_the_future' });
      clock.now = soon + HOUR;
      const validators: Record<string, string>[] = [
        { 'if-none-match': before.headers.get('etag')! },
        { 'if-modified-since': before.headers.get('last-modified')! },
      ];
      for (const headers of validators) {
        const after = await t.read(number, answer, { headers });
        expect(after.status, JSON.stringify(headers)).to.equal(200);
        expect(after.json).to.include({ current_status: 'delivered', delivered: true });
        expect(after.json.events[1]).to.not.have.property('anomaly');
      }
    });

    it('begins a second life of a number that returns 120 days after its end', async () => {
      const number = newNumber();
      const end = START + 2 * DAY;
      const at = (days: number, status_code: string) => ({ occurred_at: timeOf(end + days * DAY), status_code });
      await t.push(timelineOf(number, [event('picked_up', 1), at(0, 'delivered')]));
      // Late, but still part of the first life.
      expect(outcomes(await t.push(timelineOf(number, [at(119, 'in_transit')])))).to.deep.equal(['accepted']);
      const again = await t.push(timelineOf(number, [at(121, 'information_submitted'), at(122, 'picked_up')]));
      expect(outcomes(again)).to.deep.equal(['accepted', 'accepted']);
      const second = (await t.read(number, again)).json;
      expect(second).to.include({ current_status: 'picked_up', delivered: false });
      expect(second.events).to.have.length(2);
      // Known events are assigned to the life that has them, new events to the life that fits.
      const mixed = await t.push(
        timelineOf(number, [
          at(121, 'information_submitted'),
          event('picked_up', 1),
          at(123, 'received'),
          event('received', 2),
        ]),
      );
      expect(outcomes(mixed)).to.deep.equal(['duplicate', 'duplicate', 'accepted', 'accepted']);
      expect((await t.read(number, mixed)).json.events).to.have.length(3);
      const wrong = await t.push(
        timelineOf(number, [{ ...at(124, 'delivered'), event_id: 'urn:example:second-life' }]),
      );
      expect((await t.read(number, wrong)).json.delivered).to.equal(true);
      const back = await t.push(
        timelineOf(number, [{ occurred_at: timeOf(end + 125 * DAY), retracts: 'urn:example:second-life' }]),
      );
      expect((await t.read(number, back)).json).to.include({ delivered: false, current_status: 'received' });
      const both = (await t.read(number, back)).json;
      expect(both).to.include({ life: 2, lives: 2 });
      const first = (await t.read(number, back, { query: '?life=1' })).json;
      expect(first).to.include({ current_status: 'delivered', life: 1, lives: 2 });
      expect(first.events).to.have.length(4);
      const { status, json } = await t.read(number, back, { query: '?life=3' });
      expect([status, json.errors[0].field]).to.deep.equal([404, 'life']);
      const { rows } = await t.service.engines.pool.query('select 1 from timeline.trackings where number = $1', [
        number,
      ]);
      expect(rows).to.have.length(1);
    });
  });
});
