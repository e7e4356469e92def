import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHttpServer, IDLE_SECONDS } from '../../../src/api/rest/http-server.js';

describe('HTTP server', () => {
  async function serve() {
    const { server, drain } = createHttpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    const ask = () => once(get({ agent, port }), 'response') as Promise<[IncomingMessage]>;
    return { server, drain, agent, ask };
  }

  it('reports how long a connection may be idle', async () => {
    const { server, drain, agent, ask } = await serve();
    server.on('request', (_request, response) => response.end());
    const [answer] = await ask();
    expect(answer.headers['keep-alive']).to.equal(`timeout=${IDLE_SECONDS}`);
    await answer.toArray();
    await drain();
    agent.destroy();
  });

  it('completes pending requests when it stops, and waits for nothing else', async () => {
    const { server, drain, agent, ask } = await serve();
    let cut = false;
    const closeAll = server.closeAllConnections.bind(server);
    server.closeAllConnections = () => ((cut = true), closeAll());
    const pending = ask();
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const drained = drain();
    response.end('late');
    const [answer] = await pending;
    expect(answer.headers.connection).to.equal('close');
    expect(await answer.setEncoding('utf8').toArray()).to.deep.equal(['late']);
    await drained;
    expect(cut, 'a connection had to be cut off').to.equal(false);
    agent.destroy();
  });

  it('responds to an immediate next request, and announces that this was the last request', async () => {
    const { server, drain, agent, ask } = await serve();
    server.on('request', (_request, response) => response.end('here'));
    await (await ask())[0].toArray();
    const drained = drain();
    const [answer] = await ask();
    expect(answer.headers.connection).to.equal('close');
    expect(await answer.setEncoding('utf8').toArray()).to.deep.equal(['here']);
    await drained;
    agent.destroy();
  });
});
