/** Signed messages of an external system. */
import { expect } from 'chai';
import type { InboundMessage } from '../../../src/effects/inbound.js';
import { atDepth } from '../../support/depth.js';
import { signatureOf, tokenOf } from '../../support/double/area.js';
import { eventually } from '../../support/eventually.js';
import { openEffects, type EffectWorld } from '../../support/worlds/effects.js';

const MESSAGES = atDepth(10_000, 1_000);
const PARALLEL = 32;

describe('messages of an external system', () => {
  let world: EffectWorld;
  const processed: InboundMessage[] = [];
  let isFailing = false;
  let token: string;
  before(async () => {
    world = await openEffects({
      process: async (message) => {
        processed.push(message);
        if (isFailing) throw Object.assign(new Error('secret of the message'), { code: 'E_BROKEN' });
      },
    });
    const { json } = await world.as('client_admin', '/me');
    token = tokenOf(json.user.business_id as number);
  });
  after(() => world?.stop());

  const send = (
    id: string,
    body: string | Uint8Array,
    { signature = signatureOf(Buffer.from(body)), path = `double/${token}`, type = 'application/json' } = {},
  ) =>
    world.test.api(`/inbound/${path}`, {
      body,
      headers: { 'x-signature': signature, 'x-message-id': id, 'content-type': type },
    });
  const rows = async (): Promise<number> =>
    Number((await world.test.service.engines.pool.query('select count(*) from access.inbox')).rows[0].count);
  const times = (id: string): number => processed.filter(({ messageId }) => messageId === id).length;

  it(`effects 3: ${MESSAGES} messages, each three times and shuffled, take effect once`, async () => {
    const ids = Array.from({ length: MESSAGES * 3 }, (_, index) => `m${index % MESSAGES}`);
    for (let last = ids.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [ids[last], ids[other]] = [ids[other]!, ids[last]!];
    }
    const before = await rows();
    let next = 0;
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (let id = ids[next++]; id !== undefined; id = ids[next++])
          expect((await send(id, `{"about":"${id}"}`)).status).to.equal(200);
      }),
    );
    expect(await rows()).to.equal(before + MESSAGES);
    await eventually(() => processed.length >= MESSAGES, 'all messages are processed');
    await eventually(async () => {
      const { rows: left } = await world.test.service.engines.pool.query(
        'select from access.inbox where done_at is null',
      );
      return left.length === 0;
    }, 'all messages are done');
    expect(new Set(processed.map(({ messageId }) => messageId)).size).to.equal(MESSAGES);
    expect(processed).to.have.length(MESSAGES);
    expect(processed[0]!.bytes.toString()).to.equal(`{"about":"${processed[0]!.messageId}"}`);
  });

  it('effects 3: with a changed byte are refused, and leave no row', async () => {
    const before = await rows();
    const body = '{"amount":"1.00"}';
    const changed = await send('changed', '{"amount":"9.00"}', { signature: signatureOf(body) });
    expect([changed.status, changed.json.code]).to.deep.equal([401, 'BAD_SIGNATURE']);
    expect((await send('unsigned', body, { signature: '' })).status).to.equal(401);
    expect(await rows()).to.equal(before);
  });

  it('are checked in order: size, account, signature', async () => {
    const before = await rows();
    const large = await send('large', 'x'.repeat(262_145), { path: 'unknown/unknown', signature: '' });
    expect([large.status, large.json.code]).to.deep.equal([413, 'BODY_TOO_LARGE']);
    for (const path of ['unknown/unknown', `unknown/${token}`, 'double/unknown']) {
      const { status, json } = await send('lost', '{}', { path, signature: '' });
      expect([status, json.code], path).to.deep.equal([404, 'NOT_FOUND']);
    }
    expect(await rows()).to.equal(before);
    expect((await send('largest', 'x'.repeat(262_144))).status).to.equal(200);
  });

  it('are verified over the bytes that arrived, also of a form', async () => {
    const form = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
    expect((await send('form', form, { type: 'multipart/form-data; boundary=b' })).status).to.equal(200);
    expect((await send('none', '')).status).to.equal(200);
    const bytes = Buffer.from([0, 255, 254, 10]);
    expect((await send('bytes', bytes, { type: 'application/octet-stream' })).status).to.equal(200);
    await eventually(() => times('form') === 1 && times('bytes') === 1, 'both are processed');
    expect(processed.find(({ messageId }) => messageId === 'form')!.bytes.toString()).to.equal(form);
    expect(processed.find(({ messageId }) => messageId === 'bytes')!.bytes.equals(bytes)).to.equal(true);
  });

  it('with an unusual id are also recognized', async () => {
    const id = 'x'.repeat(5_000);
    const before = await rows();
    for (let round = 0; round < 2; round++) expect((await send(id, '{}')).status).to.equal(200);
    expect(await rows()).to.equal(before + 1);
  });

  it('of one account are processed in the order of their arrival', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `in-order-${index}`);
    for (const id of ids) await send(id, '{}');
    await eventually(() => times(ids.at(-1)!) === 1, 'the last one is processed');
    expect(processed.map(({ messageId }) => messageId).filter((id) => id.startsWith('in-order'))).to.deep.equal(ids);
  });

  it('that fail are tried eight times and then listed, without their content', async () => {
    isFailing = true;
    await send('failing', '{}');
    await eventually(async () => {
      // The delays are skipped.
      await world.test.service.engines.pool.query(
        `update access.inbox set next_at = now() where message_id = 'failing' and next_at is not null`,
      );
      return times('failing') === 8;
    }, 'eight attempts');
    const found = await eventually(async () => {
      const { json } = await world.as('employee', '/effects?kind=inbox');
      return json.effects.find(({ subject }: { subject: string }) => subject === 'failing');
    }, 'the message is listed');
    expect(found).to.deep.include({
      kind: 'inbox',
      status: 'open',
      adapter: 'double',
      account: 'account-1',
      attempts_made: 8,
      cause: 'E_BROKEN',
    });
    expect((await world.as('other_client_admin', '/effects?kind=inbox')).json.total).to.equal(0);
    expect(await (await fetch(`${world.test.url}/metrics`)).text()).to.match(/^inbox_failed 1$/m);
    const settled = await world.as('client_admin', `/effects/${found.id}/settle`, { happened: true, evidence: 'Seen' });
    expect(settled.status, 'a message cannot be settled').to.equal(404);
    isFailing = false;
  });
});
