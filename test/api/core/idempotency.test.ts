import { expect } from 'chai';
import { createHash, randomUUID } from 'node:crypto';
import { createIdempotency } from '../../../src/api/core/idempotency.js';
import type { EventLog } from '../../../src/events/core/log.js';
import type { Answer } from '../../support/clients/http.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('Idempotency-Key (G5)', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const push = (document: unknown, idempotencyKey: string, key = t.demo.provider.key) =>
    t.push(document, { key, headers: { 'idempotency-key': idempotencyKey } });
  const summaryOf = ({ status, json, headers }: Answer) => ({
    status,
    json,
    position: headers.get('x-event-position'),
  });

  it('returns the first response for a retry, and changes nothing', async () => {
    const number = newNumber();
    const document = timelineOf(number, [
      event('picked_up', 1),
      event('received', 2, { description: 'to nobody’s neighbour' }),
    ]);
    const first = await push(document, 'key-1');
    expect(first.json).to.include({ accepted: 2, duplicates: 0 });
    const head = await t.service.engines.log.head();
    expect(summaryOf(await push(document, 'key-1'))).to.deep.equal(summaryOf(first));
    expect(summaryOf(await push(document, 'key-1'))).to.deep.equal(summaryOf(first));
    expect(await t.service.engines.log.head()).to.equal(head);
    expect((await push(document, 'key-1b')).json).to.include({ accepted: 0, duplicates: 2 });
  });

  it('rejects another request with the same key', async () => {
    const [one, two] = [newNumber(), newNumber()];
    await push(timelineOf(one, [event('picked_up')]), 'key-2');
    const other = await push(timelineOf(two, [event('picked_up')]), 'key-2');
    expect([other.status, other.json.code, other.json.errors[0].field]).to.deep.equal([
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'idempotency-key',
    ]);
    const elsewhere = await t.api('/provider/status-mapping', {
      method: 'PUT',
      key: t.demo.provider.key,
      body: timelineOf(one, [event('picked_up')]),
      headers: { 'idempotency-key': 'key-2' },
    });
    expect(elsewhere.status).to.be.oneOf([400, 422]);
    expect((await t.read(two)).status).to.equal(404);
  });

  it('separates the keys of two callers', async () => {
    const stranger = await t.addProvider('other-keys');
    const document = timelineOf(newNumber(), [event('picked_up')]);
    expect((await push(document, 'key-3')).json.accepted).to.equal(1);
    expect((await push(document, 'key-3', stranger)).json.accepted).to.equal(1);
  });

  it('returns 409 while the first request is pending', async () => {
    const document = timelineOf(newNumber(), [event('picked_up')]);
    const key = `key-4-${randomUUID()}`;
    const held = holdAppends(t.service.engines.log);
    try {
      const first = push(document, key);
      await held.reached;
      const second = await push(document, key);
      expect([second.status, second.json.code]).to.deep.equal([409, 'IDEMPOTENCY_IN_FLIGHT']);
      expect(Number(second.headers.get('retry-after'))).to.be.at.least(1);
      held.release();
      expect((await first).json.accepted).to.equal(1);
      expect(summaryOf(await push(document, key))).to.deep.equal(summaryOf(await first));
    } finally {
      held.release();
    }
  });

  it('runs one of many concurrent requests; the others get the same result or 409', async () => {
    const document = timelineOf(newNumber(), [event('picked_up')]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => push(document, 'key-5')));
    const answered = answers.filter(({ status }) => status === 200);
    expect(answered.length).to.be.at.least(1);
    for (const { json } of answered) expect(json).to.include({ accepted: 1, duplicates: 0 });
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409]);
  });

  it('takes over an unfinished request of a dead process', async () => {
    const number = newNumber();
    const document = timelineOf(number, [event('picked_up')]);
    const body = JSON.stringify(document);
    const claim = (key: string, busyUntil: string) =>
      t.service.engines.pool.query(
        `insert into access.idempotency (principal, key, fingerprint, command_id, busy_until) values ($1, $2, $3, gen_random_uuid(), ${busyUntil})`,
        [
          `provider:${t.demo.provider.id}`,
          key,
          createHash('sha256').update(`POST /api/v1/otep/ingest\n${body}`).digest(),
        ],
      );
    await claim('key-6', "now() + interval '30 seconds'");
    expect((await push(document, 'key-6')).json.code).to.equal('IDEMPOTENCY_IN_FLIGHT');
    await claim('key-7', "now() - interval '1 second'");
    // The dead process had already appended, so nothing is appended twice.
    await t.push(document);
    const again = await push(document, 'key-7');
    expect(again.json).to.include({ accepted: 0, duplicates: 1 });
    expect(summaryOf(await push(document, 'key-7'))).to.deep.equal(summaryOf(again));
  });

  it('frees the key of a rejected request', async () => {
    const number = newNumber();
    const key = await t.addProvider('later-opener', { mayOpen: false });
    const document = timelineOf(number, [event('picked_up')]);
    expect((await push(document, 'key-8', key)).json.code).to.equal('NOTHING_ACCEPTED');
    await t.service.commands.providers(
      'provider-later-opener',
      { do: 'register', commandId: '2f0c8a52-5f7e-4c38-9c39-54a1a5b1b8c1', name: 'x', kind: 'carrier', may_open: true },
      { correlationId: 'test', actor: { kind: 'system', id: 'test' }, channel: 'system' },
    );
    await t.service.progress.waitFor('providers', await t.service.engines.log.head(), WAIT_LIMIT_MS);
    expect((await push(document, 'key-8', key)).json).to.include({ accepted: 1 });
  });

  it('has 1 to 255 printable characters', async () => {
    const document = timelineOf(newNumber(), [event('picked_up')]);
    for (const bad of ['', 'two words', 'x'.repeat(256), 'ü']) {
      const { status, json } = await push(document, bad);
      expect([status, json.code, json.errors[0].field], bad).to.deep.equal([
        400,
        'INVALID_IDEMPOTENCY_KEY',
        'idempotency-key',
      ]);
      expect(json.message).to.contain('255');
    }
    expect((await push(document, 'x'.repeat(255))).status).to.equal(200);
  });

  it('stores responses encrypted, and deletes them after a day', async () => {
    await push(timelineOf(newNumber(), [event('picked_up')]), 'key-9');
    const { pool, vault, limits } = t.service.engines;
    const stored = await pool.query<{ answer: Buffer; principal: string }>(
      "select answer, principal from access.idempotency where key = 'key-9'",
    );
    expect(stored.rows[0]!.answer.toString('latin1')).to.not.contain('accepted');
    expect(vault.open(stored.rows[0]!.answer, `${stored.rows[0]!.principal} key-9`).toString()).to.contain('accepted');
    expect(() => vault.open(stored.rows[0]!.answer, `${stored.rows[0]!.principal} key-1`)).to.throw();
    await pool.query("update access.idempotency set claimed_at = now() - interval '25 hours' where key = 'key-9'");
    expect(await createIdempotency(pool, vault, limits).sweep()).to.equal(1);
    expect((await pool.query("select from access.idempotency where key = 'key-9'")).rowCount).to.equal(0);
  });
});

/** Every append waits until the test releases it, whichever engine has the log. */
function holdAppends(log: EventLog): { reached: Promise<void>; release(): void } {
  const append = log.append.bind(log);
  let release!: () => void;
  const open = new Promise<void>((resolve) => (release = resolve));
  const reached = new Promise<void>((resolve) => {
    log.append = async (appends) => {
      resolve();
      await open;
      return append(appends);
    };
  });
  return {
    reached,
    release: () => {
      log.append = append;
      release();
    },
  };
}
