/**
 * Push messages: sent to all devices of a user by the gateway, stored in the outbox without one, and never sent to an
 * erased user.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMessenger } from '../../../src/engines/messages/messenger.js';
import { createOutbox, type Outbox } from '../../../src/engines/messages/outbox.js';
import { createPushTokens, type PushTokens } from '../../../src/engines/postgres/push-tokens.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

interface PushRequest {
  readonly authorization: string | undefined;
  readonly body: { readonly type: string; readonly token: string; readonly data: object };
}

describe('push messages', () => {
  let t: TestService;
  let gateway: Server;
  let tokens: PushTokens;
  let dataDir: string;
  const requests: PushRequest[] = [];
  let fail = 0;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-outbox-'));
    t = await startTestService({ env: { DATA_DIR: dataDir } });
    tokens = createPushTokens(t.service.engines.pool, t.service.engines.vault);
    gateway = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (fail-- > 0) return void response.writeHead(503).end();
        requests.push({ authorization: request.headers.authorization, body: JSON.parse(text) as PushRequest['body'] });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    gateway.closeAllConnections();
    gateway.close();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const errors: string[] = [];
  const messenger = (outbox?: Outbox, configured = true) =>
    createMessenger({
      tokens,
      gateway: configured
        ? { url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/push`, token: 'gateway secret' }
        : undefined,
      outbox,
      now: Date.now,
      onError: (error) => errors.push(String(error)),
      pauses: [5, 5],
    });
  const set = async (who: UserName, device: string, token: string) =>
    t.api(`/me/push-tokens/${device}`, { key: await signIns(t)(who), method: 'PUT', body: { token, platform: 'ios' } });
  const message = (to: number) => ({
    id: randomUUID(),
    business: 1,
    to,
    type: 'board_posted',
    data: { route_id: '7' },
  });

  it('reach each device of the user, with its latest token, also after failures', async () => {
    const { id } = t.demo.users.driver;
    await set('driver', 'phone', 'old');
    const { json } = await set('driver', 'phone', 'new');
    expect(json).to.deep.equal({ result: true, push_token: { device_id: 'phone', platform: 'ios' } });
    await set('driver', 'tablet', 'other');
    fail = 1;
    expect(await messenger().push(message(id))).to.deep.equal({ delivered: true });
    expect(requests.map(({ body }) => body.token).sort()).to.deep.equal(['new', 'other']);
    expect(requests[0]).to.deep.include({ authorization: 'Bearer gateway secret' });
    expect(requests[0]!.body).to.deep.include({ type: 'board_posted', data: { route_id: '7' } });
    fail = 100;
    expect(await messenger().push(message(id))).to.deep.equal({ delivered: false });
    expect(errors.splice(0)).to.have.length(2);
    fail = 0;
    const { rows } = await t.service.engines.pool.query<{ token: Buffer }>('select token from access.push_tokens');
    expect(
      rows.some(({ token }) => token.includes('new')),
      'in the open',
    ).to.equal(false);
  });

  it('are in the outbox without a gateway, for each business its own', async () => {
    const outbox = createOutbox(dataDir);
    const { id } = t.demo.users.driver;
    const seen = async (who: UserName) => (await t.api('/developer/outbox', { key: await signIns(t)(who) })).json;
    const { business_id } = (await t.api('/me', { key: await signIns(t)('client_admin') })).json.user;
    const push = { ...message(id), business: business_id };
    for (const repeated of [false, true])
      expect(await messenger(outbox, false).push(push), `repeated: ${repeated}`).to.deep.equal({
        delivered: false,
        outbox: true,
      });
    const { messages } = await seen('client_admin');
    expect(messages, 'the message that was sent twice is there once').to.have.length(1);
    expect(messages[0]).to.deep.include({ to: id, type: 'board_posted', delivered: false, outbox: true });
    expect((await seen('other_client_admin')).messages).to.deep.equal([]);
    expect(await messenger(undefined, false).push(message(id))).to.deep.equal({ delivered: false, configured: false });
  });

  it('reach no erased user', async () => {
    const { id } = t.demo.users.driver;
    const key = await signIns(t)('client_admin');
    await set('driver', 'watch', 'of the erased');
    const { business_id: business } = (await t.api('/me', { key })).json.user;
    await messenger(createOutbox(dataDir), false).push({ ...message(id), business });
    expect(await tokens.of(id)).to.include('of the erased');
    expect((await t.api('/developer/outbox', { key })).json.messages).to.not.deep.equal([]);
    const erased = await t.api(`/privacy/subjects/account-${id}/erase`, { key, body: {} });
    expect(erased.status, erased.text).to.equal(200);
    expect(await tokens.of(id)).to.deep.equal([]);
    expect((await t.api('/developer/outbox', { key })).json.messages).to.deep.equal([]);
  });
});
