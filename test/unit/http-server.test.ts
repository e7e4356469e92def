import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHttpServer, drain, IDLE_SECONDS } from '../../src/api/http-server.js';

describe('HTTP server', () => {
  async function serve() {
    const server = createHttpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent({ keepAlive: true });
    const ask = () => once(get({ agent, port: (server.address() as AddressInfo).port }), 'response') as Promise<[IncomingMessage]>;
    return { server, agent, ask };
  }

  it('says how long a connection may be idle', async () => {
    const { server, agent, ask } = await serve();
    server.on('request', (_request, response) => response.end());
    const [answer] = await ask();
    expect(answer.headers['keep-alive']).to.equal(`timeout=${IDLE_SECONDS}`);
    answer.resume();
    await once(answer, 'end');
    await drain(server);
    agent.destroy();
  });

  it('answers what is under way when it stops, and waits for nothing more', async () => {
    const { server, agent, ask } = await serve();
    let cut = false;
    const closeAll = server.closeAllConnections.bind(server);
    server.closeAllConnections = () => ((cut = true), closeAll());
    const answer = ask();
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const drained = drain(server);
    response.end('late');
    expect(await (await answer)[0].setEncoding('utf8').toArray()).to.deep.equal(['late']);
    await drained;
    expect(cut, 'a connection had to be cut off').to.equal(false);
    agent.destroy();
  });
});
