/** Shares of the memory for request bodies hold for every address of the service that reads a body. */
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { pino } from 'pino';
import { eventually } from '../../support/eventually.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** More bodies than the share of one network has room for, by the base cost of each. */
const BODIES = 300;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };

const ANONYMOUS_READERS = [
  ['REST', '/api/v1/otep/validate', JSON_BODY, '{"subject":{"tracking_number":"DEMO0000001"},"events":[]}'],
  ['GraphQL', '/api/graphql', JSON_BODY, '{"query":"{ __typename }"}'],
  ['MCP', '/mcp', JSON_BODY, '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['a sign-in page', '/oauth/interaction/unknown/login', FORM, 'email=a&password=b'],
  ['the token endpoint', '/oauth/token', FORM, 'grant_type=authorization_code'],
  ['client registration', '/oauth/register', JSON_BODY, '{"redirect_uris":["https://a.example/b"]}'],
] as const;

describe('N2: unfinished bodies of one address', () => {
  const lines: { level: number; msg: string }[] = [];
  let t: TestService;
  const sockets: Socket[] = [];
  before(async () => {
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
    t = await startTestService({ logger });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await t.stop();
  });

  /** Resolves when the first body was refused, so the share is full. */
  async function holdBodies(): Promise<void> {
    const { hostname, port } = new URL(t.url);
    const held = Array.from({ length: BODIES }, () => {
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.write(
        `POST /api/graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      return socket;
    });
    sockets.push(...held);
    await Promise.race(held.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  }

  for (const [name, path, headers, body] of ANONYMOUS_READERS)
    it(`are refused by ${name} with 429 and Retry-After, and nothing is logged as an error`, async () => {
      const refused = await eventually(async () => {
        const response = await fetch(t.url + path, { method: 'POST', headers, body });
        const text = await response.text();
        if (response.status === 429) return { headers: response.headers, text };
        // The share is not full yet, or bodies that stopped arriving were ended.
        await holdBodies();
        return false;
      }, '429');
      expect(refused.headers.get('retry-after')).to.equal('1');
      expect(refused.text).to.include('TOO_MANY_BODIES');
      const push = await t.push(timelineOf(newNumber(), [event('received')]));
      expect(push.status, 'a provider of the same address').to.equal(200);
      expect(lines.filter(({ level }) => level >= 50)).to.deep.equal([]);
    });
});
