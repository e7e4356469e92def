/** The outcome of one HTTP call: a result is known only if the response proves it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { callOutside } from '../../../src/engines/outside/call-outside.js';

describe('callOutside', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((request, response) => {
      const [, status, body = ''] = request.url!.split('/').map(decodeURIComponent);
      if (status === 'reset') return void request.socket.resetAndDestroy();
      if (status === 'hang') return;
      if (status === 'cut') {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        return void setImmediate(() => request.socket.resetAndDestroy());
      }
      response.writeHead(Number(status), status === '302' ? { location: '/200/{}' } : {}).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const outcome = (path: string, signal = new AbortController().signal) =>
    callOutside({
      url: `${url}/${path}`,
      method: 'POST',
      body: '{}',
      signal,
      maxBytes: 100,
      read: (json) => (json as { number?: string }).number,
      refusals: { DECLINED: { final: true } },
      refusalOf: (json) => json as { code: string; text?: string },
    });
  const body = (json: unknown): string => encodeURIComponent(JSON.stringify(json));

  it('is done for a readable 2xx response', async () =>
    expect(await outcome(`201/${body({ number: 'N1' })}`)).to.deep.equal({ is: 'done', result: 'N1' }));

  it('is not done for a listed code', async () =>
    expect(await outcome(`402/${body({ code: 'DECLINED', text: 'No' })}`)).to.deep.equal({
      is: 'not_done',
      code: 'DECLINED',
      text: 'No',
      final: true,
    }));

  for (const [path, cause] of [
    [`400/${body({ code: 'OTHER' })}`, 'status_400'],
    [`400/${body({ code: 'constructor' })}`, 'status_400'],
    ['409/broken', 'status_409'],
    ['429/{}', 'status_429'],
    ['500/{}', 'status_500'],
    [`503/${body({ code: 'DECLINED' })}`, 'status_503'],
    ['302/', 'redirect'],
    ['200/{"number":', 'unreadable'],
    ['200/', 'unreadable'],
    [`200/${body({ other: 1 })}`, 'unreadable'],
    [`200/${body({ number: 'N'.repeat(200) })}`, 'too_large'],
    ['reset', 'connection'],
    ['cut', 'connection'],
  ] as const)
    it(`is unknown for ${decodeURIComponent(path).slice(0, 40)}: ${cause}`, async () =>
      expect(await outcome(path)).to.deep.equal({ is: 'unknown', cause }));

  it('is unknown after the end of the time', async () =>
    expect(await outcome('hang', AbortSignal.timeout(50))).to.deep.equal({ is: 'unknown', cause: 'timeout' }));

  it('is unknown if nothing listens', async () =>
    expect(
      await callOutside({
        url: 'http://127.0.0.1:1/',
        method: 'GET',
        signal: new AbortController().signal,
        read: (json) => json,
      }),
    ).to.deep.equal({ is: 'unknown', cause: 'connection' }));
});
