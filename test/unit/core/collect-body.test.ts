/** Request bodies that are being received: shares of memory, and the minimum rate. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import express, { type Request, type Response } from 'express';
import { ArrivalRate, MIN_BYTES_PER_SECOND, PERIOD_SECONDS } from '../../../src/api/core/arrival-rate.js';
import {
  BASE_BYTES,
  BODY_PARTS,
  bodyClientOf,
  createBodyShares,
  type BodyClient,
} from '../../../src/api/core/body-shares.js';
import { ANONYMOUS, type Caller } from '../../../src/api/core/callers.js';
import { bodyOf, DECODER_BYTES, MAX_BODY_BYTES } from '../../../src/api/core/collect-body.js';
import type { ApiError } from '../../../src/api/core/errors.js';
import { sendProblem, toApiError } from '../../../src/api/core/problem.js';
import { networkOf, siteOf } from '../../../src/engines/network-of.js';

/** One buffer that all bodies share; the shares count the memory that separate bodies would use. */
const CHUNK = Buffer.alloc(MAX_BODY_BYTES);
const SMALL = Buffer.alloc(200);
const [BASE, MAIN] = BODY_PARTS;
/** Number of bodies of 1 MiB in a share of the memory. The largest body of a share is not counted. */
const inShare = (share: number): number => 1 + Math.floor((MAIN!.total * share) / (MAX_BODY_BYTES - BASE_BYTES));

const user = (userId: number, businessId: number, role = 'employee'): Caller =>
  ({ role, userId, businessId }) as Caller;
const anonymous = (address: string): BodyClient => bodyClientOf(ANONYMOUS, address);

function sending(client: BodyClient, { bytes = CHUNK, headers: sent = {} as Record<string, string> } = {}) {
  const stream = new PassThrough({ highWaterMark: 2 * MAX_BODY_BYTES });
  const request = Object.assign(stream, { headers: sent, complete: false }) as unknown as Request;
  const response = { headersSent: false, once: () => {} } as unknown as Response;
  const outcome = bodyOf(request, response, client).then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );
  stream.write(bytes);
  return {
    outcome,
    /** Ends the body; resolves with its error. */
    finish() {
      (request as { complete: boolean }).complete = true;
      stream.end();
      return outcome;
    },
    abort: () => (stream.emit('aborted'), outcome),
  };
}
type Sending = ReturnType<typeof sending>;
const sendMany = (count: number, client: BodyClient | ((index: number) => BodyClient), options = {}): Sending[] =>
  Array.from({ length: count }, (_, index) => sending(typeof client === 'function' ? client(index) : client, options));
const abortAll = (all: readonly Sending[]) => Promise.all(all.map(({ abort }) => abort()));
const arrived = () => new Promise((resolve) => setTimeout(resolve, 50));
const refusalOf = (error: ApiError | undefined) =>
  error && [error.code, error.status, error.headers['Retry-After'], error.isByDesign];

describe('request bodies', () => {
  it('adversary H2: share a memory budget: one more body gets 503 with Retry-After, until another has ended', async () => {
    const slow = sendMany(inShare(1) - 1, (index) => bodyClientOf(user(index, index), ''));
    await arrived();
    const other = bodyClientOf(user(999, 999), '');
    const more = sending(other);
    expect(refusalOf(await more.outcome)).to.deep.equal(['UNAVAILABLE', 503, '1', true]);
    expect(await sending(other, { bytes: SMALL }).finish(), 'a small body').to.equal(undefined);
    expect(await slow.pop()!.finish()).to.equal(undefined);
    expect(await sending(other).finish(), 'there is room again').to.equal(undefined);
    await abortAll(slow);
  });

  it('N2: one anonymous network has an eighth of the memory, and all of them together a half', async () => {
    const held = sendMany(inShare(1 / 8), anonymous('192.0.2.1'));
    await arrived();
    const more = sending(anonymous('192.0.2.1'));
    expect(refusalOf(await more.outcome)).to.deep.equal(['TOO_MANY_BODIES', 429, '1', true]);
    held.push(...sendMany(inShare(1 / 2) - held.length, (index) => anonymous(`203.0.113.${index}`)));
    await arrived();
    expect(refusalOf(await sending(anonymous('192.0.2.3')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    const signIn = sending(anonymous('192.0.2.3'), { bytes: SMALL });
    expect(await signIn.finish(), 'A4: a small body, for example a sign-in').to.equal(undefined);
    const ofUser = sending(bodyClientOf(user(1, 1), '192.0.2.1'));
    expect(await ofUser.finish(), 'a user of the same network').to.equal(undefined);
    await abortAll(held);
    expect(await sending(anonymous('192.0.2.1')).finish(), 'afterwards').to.equal(undefined);
  });

  it('N2: the addresses of one IPv6 /64 share, also written differently', async () => {
    const held = sendMany(inShare(1 / 8), (index) => anonymous(`2001:db8:0:1::${index.toString(16)}`));
    await arrived();
    for (const address of ['2001:db8:0:1:ffff::1', '2001:0DB8::1:0:0:0:1'])
      expect(refusalOf(await sending(anonymous(address)).outcome)?.[0], address).to.equal('TOO_MANY_BODIES');
    expect(await sending(anonymous('2001:db8:0:2::1')).finish(), 'another /64').to.equal(undefined);
    await abortAll(held);
  });

  it('the networks of one IPv6 /48 share a quarter', async () => {
    const held = sendMany(inShare(1 / 4), (index) => anonymous(`2001:db8:0:${index.toString(16)}::1`));
    await arrived();
    expect(refusalOf(await sending(anonymous('2001:db8:0:ffff::1')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    expect(await sending(anonymous('2001:db8:1::1')).finish(), 'another /48').to.equal(undefined);
    await abortAll(held);
  });

  it('N2: the staff of one business share a quarter, and one of them has a half of it', async () => {
    const held = sendMany(inShare(1 / 8), bodyClientOf(user(1, 1), ''));
    await arrived();
    expect(refusalOf(await sending(bodyClientOf(user(1, 1), '')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    held.push(...sendMany(inShare(1 / 4) - held.length, (index) => bodyClientOf(user(100 + index, 1), '')));
    await arrived();
    expect(refusalOf(await sending(bodyClientOf(user(999, 1), '')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    expect(await sending(bodyClientOf(user(999, 2), '')).finish(), 'another business').to.equal(undefined);
    await abortAll(held);
  });

  it('drivers cannot use the share of the staff of their business', async () => {
    const held = sendMany(inShare(1 / 8), (index) => bodyClientOf(user(index, 1, 'driver'), ''));
    await arrived();
    expect(refusalOf(await sending(bodyClientOf(user(99, 1, 'driver'), '')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    const staff = sendMany(inShare(1 / 8), bodyClientOf(user(999, 1), ''));
    for (const body of staff) expect(await body.finish()).to.equal(undefined);
    await abortAll(held);
  });

  it('each body has a base cost, also one without bytes', async () => {
    const most = 1 + Math.floor(BASE!.total / 8 / BASE_BYTES);
    const held = sendMany(most, anonymous('192.0.2.1'), { bytes: Buffer.alloc(0) });
    expect(refusalOf(await sending(anonymous('192.0.2.1'), { bytes: SMALL }).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    expect(await sending(anonymous('192.0.2.2'), { bytes: SMALL }).finish(), 'another network').to.equal(undefined);
    await abortAll(held);
  });

  it('a compressed body has a limit before decompression, and costs the memory of its decoder', async () => {
    const headers = { 'content-encoding': 'gzip' };
    // The flag of a file name, which does not end.
    const name = Buffer.concat([Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(MAX_BODY_BYTES, 'x')]);
    expect(refusalOf(await sending(anonymous('192.0.2.1'), { bytes: name, headers }).outcome)?.[0]).to.equal(
      'BODY_TOO_LARGE',
    );
    const most = 1 + Math.floor(MAIN!.total / 8 / (DECODER_BYTES - BASE_BYTES));
    const begun = { bytes: name.subarray(0, 100), headers };
    const held = sendMany(most, (index) => bodyClientOf(user(1, index % 2), ''), begun);
    expect(refusalOf(await sending(bodyClientOf(user(1, 1), ''), begun).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    await abortAll(held);
  });

  describe('A1: an upload', () => {
    const PARTS = [
      { end: 10, total: 1_000 },
      { end: 1_000, total: 3_000 },
      { end: Infinity, total: 1_000 },
    ];
    const office = bodyClientOf(user(1, 1), '');
    const colleague = bodyClientOf(user(2, 1), '');

    it('larger than the share of its business neither blocks colleagues nor is blocked by them', () => {
      const shares = createBodyShares(PARTS);
      const large = shares(office);
      large.add(1_800);
      const small = shares(colleague);
      small.add(1);
      large.add(100);
      const medium = shares(colleague);
      medium.add(200);
      large.add(100);
      expect(() => shares(office).add(1_200), 'a second one').to.throw('TOO_MANY_BODIES');
      for (const body of [small, medium, large]) body.free();
    });

    it('uses no memory of other requests, also if uploads have used up theirs', () => {
      const shares = createBodyShares(PARTS);
      const uploads = [1, 2].map((business) => shares(bodyClientOf(user(business, business), '')));
      uploads[0]!.add(1_500);
      expect(() => uploads[1]!.add(1_501)).to.throw('UNAVAILABLE');
      const other = shares(bodyClientOf(user(3, 3), ''));
      other.add(10);
      const network = shares(anonymous('192.0.2.1'));
      network.add(10);
      for (const body of [...uploads, other, network]) body.free();
      const next = shares(office);
      next.add(2_000);
      next.free();
    });
  });

  it('all notations of an address belong to the same network', () => {
    for (const address of ['1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304', '::FFFF:0102:0304', '0:0:0:0:0:ffff:1.2.3.4'])
      expect([networkOf(address), siteOf(address)], address).to.deep.equal(['1.2.3.4', '1.2.3.4']);
    for (const address of [
      '2001:db8:0:1::5',
      '2001:0DB8:0000:0001:0:0:0:5',
      '2001:db8::1:a:b:c:d',
      '2001:db8:0:1::%eth0',
    ])
      expect([networkOf(address), siteOf(address)], address).to.deep.equal(['2001:db8:0:1', '2001:db8:0']);
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('user:12'), 'no address').to.equal('user:12');
  });

  describe('N2: the minimum rate', () => {
    const seconds = (rate: ArrivalRate, count: number, bytes: number): boolean[] =>
      Array.from({ length: count }, () => {
        rate.received(bytes);
        return rate.isTooSlow();
      });

    it('does not apply to the first five seconds', () => {
      expect(seconds(new ArrivalRate(), PERIOD_SECONDS, 0)).to.not.include(true);
    });
    it('applies from then on', () => {
      expect(seconds(new ArrivalRate(), PERIOD_SECONDS + 1, MIN_BYTES_PER_SECOND - 1).at(-1)).to.equal(true);
      expect(seconds(new ArrivalRate(), 300, MIN_BYTES_PER_SECOND)).to.not.include(true);
    });
    it('is not satisfied by a burst before: the attack sent all but a few bytes at once', () => {
      const rate = new ArrivalRate();
      rate.received(1_048_000);
      expect(seconds(rate, PERIOD_SECONDS + 1, 0).at(-1)).to.equal(true);
    });
    it('accepts a pause of four seconds of a faster body', () => {
      const rate = new ArrivalRate();
      seconds(rate, 10, 50_000);
      expect(seconds(rate, PERIOD_SECONDS - 1, 0)).to.not.include(true);
    });
  });

  describe('over a connection', () => {
    let server: Server;
    const outcomes: (string | number)[] = [];
    before(async () => {
      const app = express();
      app.use((request, response) => {
        response.locals['requestId'] = 'r';
        bodyOf(request, response, anonymous(String(request.headers['x-client'])), 100_000).then(
          () => {
            outcomes.push((request.body as Buffer).length);
            response.end('read');
          },
          (thrown: unknown) => {
            const error = toApiError(thrown);
            outcomes.push(error.code);
            sendProblem(error, request, response, '');
          },
        );
      });
      server = createServer(app).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    beforeEach(() => void (outcomes.length = 0));
    after(() => server.close());

    const post = (headers: string, body: Buffer | string): Socket => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
      socket.write(body);
      return socket;
    };
    const responseTo = async (socket: Socket): Promise<string> => {
      let text = '';
      socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
      await once(socket, 'close');
      return text;
    };

    it('N2: a body that stops gets 408, and the connection is closed', async () => {
      const response = await responseTo(post('Content-Length: 90000', 'x'.repeat(89_000)));
      expect(response).to.match(/^HTTP\/1\.1 408 /);
      expect(response).to.match(/connection: close/i);
      expect(response).to.include('"BODY_TOO_SLOW"');
    });

    it('N2: a compressed body that stops gets 408 as well', async () => {
      const packed = gzipSync(Buffer.alloc(50_000));
      expect(
        await responseTo(post(`Content-Encoding: gzip\r\nContent-Length: ${packed.length}`, packed.subarray(0, -9))),
      ).to.match(/^HTTP\/1\.1 408 /);
    });

    it('N2: a refused body gets its response, not 500 and not a reset connection', async () => {
      const chunk = `${(150_000).toString(16)}\r\n${'x'.repeat(150_000)}\r\n`;
      const response = await responseTo(post('Transfer-Encoding: chunked', chunk));
      expect(response).to.match(/^HTTP\/1\.1 413 /);
      expect(outcomes).to.deep.equal(['BODY_TOO_LARGE']);
    });

    it('N2: a client that sends on after a refusal reads the response, and uses its connection again', async () => {
      const socket = post('Transfer-Encoding: chunked', `${(150_000).toString(16)}\r\n${'x'.repeat(150_000)}\r\n`);
      let text = '';
      socket.on('data', (data: Buffer) => void (text += data.toString()));
      await once(socket, 'data');
      for (let count = 0; count < 40; count++) {
        const chunk = `${(250_000).toString(16)}\r\n${'x'.repeat(250_000)}\r\n`;
        await new Promise((resolve) => socket.write(chunk, resolve));
      }
      socket.write('0\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\ny');
      await once(socket, 'close');
      expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
      expect(outcomes).to.deep.equal(['BODY_TOO_LARGE', 1]);
    });

    it('reads plain and compressed bodies, and reports aborted and damaged ones', async () => {
      const send = (headers: string, body: Buffer) =>
        responseTo(post(`Connection: close\r\n${headers}Content-Length: ${body.length}`, body));
      await send('', Buffer.alloc(70_000));
      await send('Content-Encoding: gzip\r\n', gzipSync(Buffer.alloc(60_000)));
      await send('', Buffer.alloc(0));
      await send('Content-Encoding: gzip\r\n', Buffer.from('no gzip'));
      await send('Content-Encoding: gzip\r\n', gzipSync(Buffer.alloc(200_000)));
      expect(outcomes).to.deep.equal([70_000, 60_000, 0, 'INVALID_INPUT', 'BODY_TOO_LARGE']);
      const received = once(server, 'request') as Promise<[IncomingMessage]>;
      const socket = post('Content-Length: 5000', 'x');
      const [request] = await received;
      const closed = new Promise((resolve) => request.once('close', resolve));
      socket.destroy();
      await closed;
      await arrived();
      expect(outcomes.at(-1)).to.equal('REQUEST_ABORTED');
    });
  });
});
