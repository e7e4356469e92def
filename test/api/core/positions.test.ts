import { expect } from 'chai';
import type { Answer } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

describe('X-Event-Position (G6)', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  it('makes a read see the push, at once and every time', async () => {
    const number = newNumber();
    for (let hour = 0; hour < 30; hour++) {
      const pushed = await t.push(timelineOf(number, [event('in_transit', hour)]));
      expect(pushed.headers.get('x-event-position')).to.match(/\S/);
      const { status, json } = await t.read(number, pushed);
      expect([status, json.events.length]).to.deep.equal([200, hour + 1]);
    }
  });

  it('makes a read see the push, in every read operation', async () => {
    const number = newNumber();
    for (const path of [`/otep/trackings/${number}/events`, `/otep/trackings/${number}/events?after=-1`]) {
      const count = (await t.api(path)).json.events?.length ?? 0;
      const pushed = await t.push(timelineOf(number, [event('in_transit', count)]));
      expect((await t.api(path, { headers: positionOf(pushed) })).json.events, path).to.have.length(count + 1);
    }
    const other = newNumber();
    const pushed = await t.push(timelineOf(other, [event('in_transit')]));
    expect(
      (await t.api('/otep/trackings/batch', { body: { tracking_numbers: [other] }, headers: positionOf(pushed) })).json
        .found,
    ).to.equal(1);
  });

  it('is returned for a push without new events, too, for a client that lost the first response', async () => {
    const number = newNumber();
    const document = timelineOf(number, [event('in_transit')]);
    const [, second] = [await t.push(document), await t.push(document)];
    expect(second.json.duplicates).to.equal(1);
    expect(second.headers.get('x-event-position')).to.match(/\S/);
    expect((await t.read(number, second)).status).to.equal(200);
  });

  it('is rejected if invalid', async () => {
    for (const position of [
      'x',
      '-1',
      '1',
      '0x10',
      '99999999999999999999999999',
      "'; drop table log.events",
      '1e5',
      '0000000000000000001 ',
      '0'.repeat(18),
    ]) {
      const { status, json } = await t.read(t.demo.trackings[0]!, undefined, {
        headers: { 'x-event-position': position },
      });
      // Spaces around a header's value are not part of it.
      if (position.trim().length === 19) expect(status).to.equal(200);
      else
        expect([status, json.code, json.errors[0].field], position).to.deep.equal([
          400,
          'INVALID_POSITION',
          'x-event-position',
        ]);
    }
  });

  it('is rejected beyond the newest event', async () => {
    for (const position of ['9999999999999999999', '0000000000999999999']) {
      const { status, json } = await t.read(t.demo.trackings[0]!, undefined, {
        headers: { 'x-event-position': position },
      });
      expect([status, json.code, json.errors[0].field], position).to.deep.equal([
        400,
        'POSITION_AHEAD',
        'x-event-position',
      ]);
    }
  });

  it('is implied by a user’s own write: the response waits for the read model', async () => {
    const key = await t.addProvider('mapper');
    for (let turn = 0; turn < 5; turn++) {
      const mapping = [{ raw: `R${turn}`, status_code: 'received' }];
      const set = await t.api('/provider/status-mapping', { method: 'PUT', key, body: { mapping } });
      expect(set.status).to.equal(200);
      expect(set.headers.get('x-event-position')).to.match(/\S/);
      // These reads do not wait and do not send the position.
      expect(
        (
          await t.push(timelineOf(newNumber(), [{ occurred_at: '2026-01-05T08:00:00Z', raw: { code: `R${turn}` } }]), {
            key,
          })
        ).json.accepted,
      ).to.equal(1);
      expect((await t.api('/provider/status-mapping', { key })).json.mapping).to.deep.equal(mapping);
    }
  });

  it('waits for a pending append with a lower position: no read skips an event', async () => {
    const number = newNumber();
    const blocker = await t.service.engines.projectionPool.connect();
    try {
      // An append of another process that has taken a position and is not committed yet.
      await blocker.query('begin; select pg_advisory_xact_lock_shared(7305541260174001)');
      await blocker.query("select nextval('log.events_position_seq')");
      const pushed = await t.push(timelineOf(number, [event('in_transit')]));
      const read = t.read(number, pushed);
      await blocker.query('rollback');
      expect((await read).status).to.equal(200);
    } finally {
      blocker.release();
    }
  });

  describe('without a process for the read models', () => {
    let apiOnly: TestService;
    const number = newNumber();
    before(
      async () =>
        void (apiOnly = await startTestService({ databaseUrl: t.databaseUrl, env: { ROLES: 'api' }, seed: false })),
    );
    after(() => apiOnly.stop());

    it('works from a process without a projector', async () => {
      const first = await apiOnly.push(timelineOf(number, [event('picked_up')]), { key: t.demo.provider.key });
      expect((await apiOnly.read(number, first)).json.current_status).to.equal('picked_up');
      expect((await apiOnly.api('/provider/status-mapping', { key: t.demo.provider.key })).json.mapping).to.not.be
        .empty;
    });

    it('returns 503 with Retry-After without progress', async () => {
      const { service } = t;
      let pushed: Answer;
      // The only projector stops; the process that responds continues.
      await service.engines.pool.query(
        "update projections.checkpoints set owner = gen_random_uuid(), lease_until = now() + interval '1 hour'",
      );
      // The work that it had started is over once it no longer owns its checkpoint.
      for (;;) {
        pushed = await apiOnly.push(timelineOf(newNumber(), [event('picked_up')]), { key: t.demo.provider.key });
        if (!(await service.progress.waitFor('timeline', pushed.headers.get('x-event-position')!, 200))) break;
      }
      const { status, json, headers } = await apiOnly.read(number, pushed);
      expect([status, json.code]).to.deep.equal([503, 'NOT_CAUGHT_UP']);
      expect(Number(headers.get('retry-after'))).to.be.at.least(1);
      expect((await apiOnly.read(number)).status).to.equal(200);
      await service.engines.pool.query('update projections.checkpoints set owner = null, lease_until = null');
      expect((await apiOnly.read(number, pushed)).status).to.equal(200);
    });
  });
});
