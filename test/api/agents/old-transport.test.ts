/**
 * The MCP transport of protocol version 2024-11-05 (HTTP with SSE). The official clients of that time connect through a
 * load balancer without sticky sessions. So a message often arrives at a process that does not hold the stream. Streams
 * are limited.
 */
import { expect } from 'chai';
import { application, hostOf, OLD_GENERATIONS, type Generation, type HostClient } from '../../support/clients/hosts.js';
import { tokenOf } from '../../support/clients/mcp.js';
import { createBrowser, obtainCode, REDIRECT } from '../../support/clients/oauth.js';
import { eventually } from '../../support/eventually.js';
import { freePorts } from '../../support/processes/ports.js';
import { startBalancer, type Balancer } from '../../support/processes/balancer.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('transport of 2024-11-05', () => {
  let balancer: Balancer;
  let services: TestService[];
  let token: string;

  before(async () => {
    balancer = await startBalancer();
    const ports = await freePorts(2);
    const envs = ports.map((port) => ({ BASE_URL: balancer.url, PORT: String(port) }));
    balancer.behind.push(`http://127.0.0.1:${ports[0]}`);
    const first = await startTestService({ env: envs[0]! });
    services = [first, await startTestService({ env: envs[1]!, databaseUrl: first.databaseUrl, seed: false })];
    balancer.behind.push(`http://127.0.0.1:${ports[1]}`);
    token = await tokenOf(first, 'client_admin');
  });
  after(async () => {
    balancer?.close();
    for (const service of [...(services ?? [])].reverse()) await service.stop();
  });

  const withToken = (key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    const withHeaders = (url: string | URL, init?: RequestInit) =>
      fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } });
    return { eventSourceInit: { fetch: withHeaders }, requestInit: { headers } };
  };
  const open = async (generation: Generation, path: string, options: object): Promise<HostClient> =>
    (await hostOf(generation, balancer.url + path, options)).connect();
  const openStreams = async () =>
    Number(
      (await services[0]!.service.engines.pool.query<{ count: string }>('select count(*) from access.mcp_streams'))
        .rows[0]!.count,
    );

  for (const generation of OLD_GENERATIONS)
    for (const path of ['/mcp', '/api/mcp', '/mcp/developer'])
      it(`the official client ${generation} works at ${path} with a token, whichever process receives a message`, async () => {
        const client = await open(generation, path, withToken(token));
        const { tools } = await client.listTools();
        expect(tools.length).to.be.above(10);
        for (let count = 0; count < 6; count++) {
          const answer = await client.callTool({ name: 'track_package', arguments: { tracking_number: 'NOSUCH' } });
          expect(answer.content[0]!.text).to.include('TRACKING_NOT_FOUND');
        }
        await client.close();
      });

  it('used both processes', () => {
    expect(Math.min(...balancer.given)).to.be.above(20);
  });

  it('the official client 1.9 needs only the server address to sign in, and calls get_orders', async () => {
    let authorization: URL | undefined;
    const app = application(REDIRECT, (url) => (authorization = url));
    const host = await hostOf('1.9', `${balancer.url}/mcp`, { authProvider: app });
    const first = await host.connect().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(first, 'a person must sign in first').to.be.instanceOf(Error);
    const browser = createBrowser(balancer.url);
    const back = await obtainCode(browser, authorization!.href, services[0]!.demo.users.client_admin);
    await host.finish(back.searchParams);
    const client = await host.connect();
    const { isError } = await client.callTool({ name: 'get_orders', arguments: {} });
    expect(isError).not.to.equal(true);
    await client.close();
  });

  it('serves anonymous clients at /mcp/public, and requires sign-in elsewhere', async () => {
    const client = await open('1.9', '/mcp/public', {});
    expect((await client.listTools()).tools).to.have.length(3);
    await client.close();
    const refused = await fetch(`${balancer.url}/mcp`, { headers: { accept: 'text/event-stream' } });
    expect([refused.status, refused.headers.get('www-authenticate')?.includes('scope="orders:read')]).to.deep.equal([
      401,
      true,
    ]);
  });

  it('a stream accepts messages only from its owner, one by one, and only while it is open', async () => {
    const stop = new AbortController();
    const stream = await fetch(`${balancer.url}/mcp`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    const { value } = await stream.body!.pipeThrough(new TextDecoderStream()).getReader().read();
    const address = balancer.url + /data: (\S+)/.exec(value!)![1]!;
    const post = async (key: string, body: unknown) =>
      (
        await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        })
      ).status;
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const other = await signIns(services[0]!)('other_client_admin');
    expect(await post(token, ping)).to.equal(202);
    expect(await post(other, ping), 'of another').to.equal(404);
    expect(await post(token, [ping]), 'a batch').to.equal(400);
    expect(await post('nobody', ping), 'without rights').to.equal(401);
    stop.abort();
    await eventually(async () => (await openStreams()) === 0, 'the end of the streams');
    expect(await post(token, ping), 'closed').to.equal(404);
  });

  it('stores nothing of delivered responses, and limits the streams of a caller', async () => {
    const { pool } = services[0]!.service.engines;
    expect((await pool.query('select from access.mcp_answers')).rowCount).to.equal(0);
    const stop = new AbortController();
    const statuses: number[] = [];
    for (let count = 0; count < 25; count++) {
      const answer = await fetch(`${balancer.url}/mcp`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
        signal: stop.signal,
      });
      statuses.push(answer.status);
    }
    stop.abort();
    // Ten on each process.
    expect(statuses.filter((status) => status === 200)).to.have.length(20);
    expect(statuses.at(-1)).to.equal(429);
  });
});
