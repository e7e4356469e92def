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
  bodyClientOf,
  createBodyShares,
  MAX_BYTES_IN_PROGRESS,
  type BodyClient,
} from '../../../src/api/core/body-shares.js';
import { ANONYMOUS, type Caller } from '../../../src/api/core/callers.js';
import { bodyOf, MAX_BODY_BYTES } from '../../../src/api/core/collect-body.js';
import type { ApiError } from '../../../src/api/core/errors.js';
import { sendProblem, toApiError } from '../../../src/api/core/problem.js';

/** One buffer that all bodies share; the shares count the memory that separate bodies would use. */
const CHUNK = Buffer.alloc(MAX_BODY_BYTES);
const QUARTER = MAX_BYTES_IN_PROGRESS / 4 / MAX_BODY_BYTES;

const user = (userId: number, businessId: number): Caller => ({ role: 'employee', userId, businessId }) as Caller;
const anonymous = (address: string): BodyClient => bodyClientOf(ANONYMOUS, address);

function sending(client: BodyClient) {
  const stream = new PassThrough({ highWaterMark: 2 * MAX_BODY_BYTES });
  const request = Object.assign(stream, { headers: {}, complete: false }) as unknown as Request;
  const headers: Record<string, string> = {};
  const response = {
    headersSent: false,
    setHeader: (name: string, value: string) => void (headers[name] = value),
  } as unknown as Response;
  const outcome = bodyOf(request, response, client).then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );
  stream.write(CHUNK);
  return {
    headers,
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
const sendMany = (count: number, client: BodyClient): Sending[] => Array.from({ length: count }, () => sending(client));
const arrived = () => new Promise((resolve) => setTimeout(resolve, 50));
const refusalOf = (error: ApiError | undefined) =>
  error && [error.code, error.status, error.headers['Retry-After'], error.isByDesign];

describe('request bodies', () => {
  it('adversary H2: share a memory budget: one more body gets 503 with Retry-After, until another has ended', async () => {
    const slow = [1, 2, 3, 4].flatMap((business) => sendMany(QUARTER, bodyClientOf(user(business, business), '')));
    await arrived();
    const other = bodyClientOf(user(9, 9), '');
    const more = sending(other);
    expect(refusalOf(await more.outcome)).to.deep.equal(['UNAVAILABLE', 503, '1', true]);
    expect(more.headers['Connection']).to.equal('close');
    expect(await slow.pop()!.finish()).to.equal(undefined);
    expect(await sending(other).finish(), 'there is room again').to.equal(undefined);
    await Promise.all(slow.map(({ abort }) => abort()));
  });

  it('N2: one anonymous network has a quarter of the memory, and all of them together a half', async () => {
    const held = sendMany(QUARTER, anonymous('192.0.2.1'));
    await arrived();
    const more = sending(anonymous('192.0.2.1'));
    expect(refusalOf(await more.outcome)).to.deep.equal(['TOO_MANY_BODIES', 429, '1', true]);
    expect(more.headers['Connection']).to.equal('close');
    held.push(...sendMany(QUARTER, anonymous('192.0.2.2')));
    await arrived();
    expect(refusalOf(await sending(anonymous('192.0.2.3')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    expect(await sending(bodyClientOf(user(1, 1), '192.0.2.1')).finish(), 'a user of the same network').to.equal(
      undefined,
    );
    await Promise.all(held.map(({ abort }) => abort()));
    expect(await sending(anonymous('192.0.2.1')).finish(), 'afterwards').to.equal(undefined);
  });

  it('N2: the addresses of one IPv6 /64 share, also written differently', async () => {
    const held = Array.from({ length: QUARTER }, (_, index) =>
      sending(anonymous(`2001:db8:0:1::${index.toString(16)}`)),
    );
    await arrived();
    expect(refusalOf(await sending(anonymous('2001:db8:0:1:ffff::1')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    expect(await sending(anonymous('2001:db8:0:2::1')).finish(), 'another /64').to.equal(undefined);
    await Promise.all(held.map(({ abort }) => abort()));
  });

  it('N2: the users of one business share a quarter', async () => {
    const held = Array.from({ length: QUARTER }, (_, index) => sending(bodyClientOf(user(index, 1), '')));
    await arrived();
    expect(refusalOf(await sending(bodyClientOf(user(999, 1), '')).outcome)?.[0]).to.equal('TOO_MANY_BODIES');
    expect(await sending(bodyClientOf(user(999, 2), '')).finish(), 'another business').to.equal(undefined);
    await Promise.all(held.map(({ abort }) => abort()));
  });

  it('N2: a client receives at least one whole request, even one that is larger than its share', () => {
    const open = createBodyShares(100);
    const client = bodyClientOf(user(1, 1), '');
    const large = open(client);
    large.add(60);
    const second = open(client);
    expect(() => second.add(1)).to.throw('TOO_MANY_BODIES');
    second.free();
    large.add(40);
    const other = open(anonymous('192.0.2.1'));
    expect(() => other.add(1)).to.throw('UNAVAILABLE');
    other.free();
    large.free();
    const next = open(client);
    next.add(100);
    next.free();
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
