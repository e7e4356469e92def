/** The proxy that simulates network faults behaves like a network: data arrives late, but never in another order. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startTcpProxy } from '../../support/fakes/tcp-proxy.js';

describe('proxy of the fault tests', () => {
  it('keeps the order of delayed and later undelayed data', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = await startTcpProxy('127.0.0.1', (server.address() as AddressInfo).port);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(line.port, '127.0.0.1');
    const [far] = await accepted;
    let got = '';
    client.on('data', (chunk) => (got += chunk.toString()));
    for (const [text, late, pause] of [
      ['a', 80, 20],
      ['b', 80, 20],
      ['c', 0, 150],
      ['d', 0, 50],
    ] as const) {
      line.slow(late);
      far.write(text);
      await sleep(pause);
      if (late > 0) expect(got).to.equal('');
    }
    expect(got).to.equal('abcd');
    client.destroy();
    await line.close();
    server.close();
  });
});
