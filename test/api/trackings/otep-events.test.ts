import { expect } from 'chai';
import type { Answer } from '../../support/clients/http.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { event, newNumber, timelineOf, timeOf, START } from '../../support/inputs/pushes.js';
import { trackingStream } from '../../../src/events/trackings/events.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

interface Change {
  readonly event_id: string;
  readonly status_code?: string;
  readonly retracts?: string;
}

describe('OTEP: events of a timeline', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const events = (number: string, after?: Answer, query = '', key?: string) =>
    t.api(`/otep/trackings/${number}/events${query}`, { key, headers: positionOf(after) });

  it('are those of the timeline, in its order, and in the formats with such a list', async () => {
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, [event('delivered', 9), event('picked_up', 1)]));
    const { status, json } = await events(number, pushed);
    expect(status).to.equal(200);
    expect(json).to.include({ result: true, tracking_number: number });
    expect(json.events).to.deep.equal((await t.read(number)).json.events);
    const formats = (await t.api('/otep/formats')).json.formats as { name: string; events: boolean }[];
    for (const format of formats) {
      const response = await events(number, pushed, `?format=${format.name}`);
      expect(response.status, format.name).to.equal(format.events ? 200 : 400);
      if (!format.events) expect(response.json.code).to.equal('UNKNOWN_FORMAT');
    }
    expect((await events('UNHEARDOF')).json.code).to.equal('TRACKING_NOT_FOUND');
  });

  it('are returned to a poller page by page, including retractions, each once', async () => {
    const number = newNumber();
    const ids = Array.from({ length: 7 }, (_, index) => `urn:example:${number}:${index}`);
    let revision = -1;
    const seen: string[] = [];
    const poll = async (after: Answer, limit: number) => {
      for (;;) {
        const { json } = await events(number, after, `?after=${revision}&limit=${limit}`);
        const page = json.events as Change[];
        expect(page.length).to.be.at.most(limit);
        expect(json.revision).to.be.at.least(revision);
        revision = json.revision;
        if (page.length === 0) return;
        seen.push(...page.map((one) => (one.retracts === undefined ? one.event_id : `-${one.retracts}`)));
      }
    };
    // Later events first: a poller gets them in the order in which they were recorded.
    await poll(
      await t.push(
        timelineOf(
          number,
          ids
            .slice(0, 5)
            .reverse()
            .map((event_id, index) => event('in_transit', 9 - index, { event_id })),
        ),
      ),
      2,
    );
    await poll(
      await t.push(
        timelineOf(number, [
          { occurred_at: timeOf(START), retracts: ids[1] },
          event('received', 1, { event_id: ids[5] }),
        ]),
      ),
      1,
    );
    await poll(await t.push(timelineOf(number, [event('delivered', 20, { event_id: ids[6] })])), 500);
    expect(seen).to.deep.equal([ids[4], ids[3], ids[2], ids[1], ids[0], `-${ids[1]}`, ids[5], ids[6]]);
    const whole = await events(number, undefined, '?after=-1');
    expect(whole.json.events.map((one: Change) => one.retracts ?? one.event_id)).to.deep.equal([
      ids[4],
      ids[3],
      ids[2],
      ids[0],
      ids[1],
      ids[5],
      ids[6],
    ]);
    expect((await events(number, undefined, `?after=${revision + 1_000}`)).json.events).to.deep.equal([]);
  });

  it('reject invalid paging', async () => {
    for (const query of [
      '?after=x',
      '?after=-2',
      '?after=1.5',
      '?limit=0',
      '?limit=501',
      '?limit=1e3',
      '?after=',
      '?limit=1&limit=2',
      '?after=9007199254740993',
    ]) {
      const { status, json } = await events(t.demo.trackings[0]!, undefined, query);
      expect(status, query).to.equal(400);
      expect(json.errors[0].field, query).to.match(/^(after|limit)$/);
    }
  });

  describe('that were retracted', () => {
    const event_id = 'urn:example:wrong-scan';

    it('leave the timeline and its status, and stay for the owner', async () => {
      const number = newNumber();
      await t.push(timelineOf(number, [event('picked_up', 1), event('delivered', 2, { event_id })]));
      const before = Date.now();
      const after = await t.push(timelineOf(number, [{ occurred_at: timeOf(START), retracts: event_id }]));
      expect(after.json).to.include({ accepted: 1 });
      const publicView = (await t.read(number, after)).json;
      expect(publicView).to.include({ current_status: 'picked_up', delivered: false });
      expect(publicView).to.not.have.property('retracted');
      const { retracted } = (await t.read(number, after, { key: t.demo.provider.key })).json;
      expect(retracted).to.have.length(1);
      expect(retracted[0].event).to.include({ event_id, status_code: 'delivered' });
      expect(Date.parse(retracted[0].retracted_at)).to.be.within(before - 1_000, Date.now() + 1_000);
    });

    it('may be retracted before they arrive', async () => {
      const number = newNumber();
      await t.push(timelineOf(number, [event('picked_up', 1), { occurred_at: timeOf(START), retracts: event_id }]));
      const after = await t.push(timelineOf(number, [event('delivered', 2, { event_id })]));
      expect(after.json).to.include({ accepted: 1 });
      expect((await t.read(number, after)).json.current_status).to.equal('picked_up');
    });

    it('can be retracted only by their sender', async () => {
      const number = t.demo.trackings[1]!;
      const key = t.demo.strict_provider.key;
      const other = await addWriter('other-writer', number);
      const sent = await t.push(timelineOf(number, [event('picked_up', 1, { event_id })]), { key });
      expect(sent.json).to.include({ accepted: 1 });
      const refused = await t.push(timelineOf(number, [{ occurred_at: timeOf(START), retracts: event_id }]), {
        key: other,
        headers: positionOf(sent),
      });
      expect([refused.status, refused.json.code]).to.deep.equal([422, 'NOTHING_ACCEPTED']);
      expect(refused.json.events[0].errors[0]).to.include({ code: 'NOT_YOUR_EVENT', field: 'retracts' });
    });

    it('are not retracted by another provider that was first, for readers and pollers alike', async () => {
      const number = t.demo.trackings[2]!;
      const other = await addWriter('early-writer', number);
      const early = await t.push(timelineOf(number, [{ occurred_at: timeOf(START), retracts: event_id }]), {
        key: other,
      });
      expect(early.json).to.include({ accepted: 1 });
      const sent = await t.push(timelineOf(number, [event('picked_up', 1, { event_id })]), {
        key: t.demo.strict_provider.key,
      });
      expect((await t.read(number, sent)).json.current_status).to.equal('picked_up');
      const { json } = await events(number, sent, '?after=-1');
      expect(json.events.map((one: Change) => one.retracts ?? one.event_id)).to.deep.equal([event_id]);
    });
  });

  /** A provider that may write to a tracking that another provider opened. */
  async function addWriter(id: string, number: string): Promise<string> {
    const key = await t.addProvider(id, { mayOpen: false });
    const { engines, commands, progress } = t.service;
    const { rows } = await engines.pool.query<{ id: string }>('select id from timeline.trackings where number = $1', [
      number,
    ]);
    const tracking = rows[0]!.id;
    const { position } = await commands.trackings(
      trackingStream(tracking),
      { kind: 'grant', id: tracking, provider: id },
      { correlationId: 'test', actor: { kind: 'system', id: 'test' }, channel: 'system' },
    );
    expect(await progress.waitFor('timeline', position!, WAIT_LIMIT_MS)).to.equal(true);
    return key;
  }
});
