/** The line that can fail fails as networks do: late, but never in another order. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startTcpProxy } from '../support/tcp-proxy.js';

describe('the line of the fault tests', () => {
  it('keeps the order of what was late and what no longer is', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = await startTcpProxy('127.0.0.1', (server.address() as AddressInfo).port);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(line.port, '127.0.0.1');
    const [far] = await accepted;
    let got = '';
    client.on('data', (chunk) => (got += chunk.toString()));
    line.slow(80);
    far.write('a');
    await sleep(20);
    far.write('b');
    await sleep(20);
    expect(got).to.equal('');
    line.slow(0);
    far.write('c');
    await sleep(150);
    far.write('d');
    await sleep(50);
    expect(got).to.equal('abcd');
    client.destroy();
    await line.close();
    server.close();
  });
});
