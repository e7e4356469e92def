/** Feeds over server-sent events: the cost of a slow reader, and the number of permission checks. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import express from 'express';
import { z } from 'zod';
import type { UserCaller } from '../../../src/api/core/callers.js';
import { ApiError } from '../../../src/api/core/errors.js';
import { feed, type FeedEvent } from '../../../src/api/core/feed.js';
import { createSubscriptions, type Subscriptions } from '../../../src/api/core/subscriptions.js';
import { feedHandler } from '../../../src/api/rest/feeds.js';
import { openStream, type Stream } from '../../support/clients/sse.js';

const STREAMS = 10;

describe('feeds', () => {
  let server: Server;
  let following: Subscriptions;
  let url: string;
  let requestCount: number;
  let revoked: boolean;
  let publish: (moment: readonly FeedEvent[]) => void;
  let ended: number;

  beforeEach(async () => {
    [requestCount, revoked, ended] = [0, false, 0];
    const listeners = new Set<(moment: readonly FeedEvent[]) => void>();
    publish = (moment) => listeners.forEach((listener) => listener(moment));
    const authenticate = async (): Promise<UserCaller> => {
      requestCount += 1;
      if (revoked) throw new ApiError('UNAUTHENTICATED');
      return { role: 'employee', userId: 1, scopes: new Set(), modules: new Set() } as unknown as UserCaller;
    };
    following = createSubscriptions(authenticate);
    const follow = async (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
      const waiting: (readonly FeedEvent[])[] = [];
      let wake = (): void => undefined;
      const listener = (moment: readonly FeedEvent[]) => (waiting.push(moment), wake());
      listeners.add(listener);
      signal.addEventListener('abort', () => (listeners.delete(listener), wake()));
      return {
        cursor: '0',
        events: (async function* () {
          try {
            while (!signal.aborted) {
              const moment = waiting.shift();
              if (moment) yield moment;
              else await new Promise<void>((resolve) => (wake = resolve));
            }
          } finally {
            ended += 1;
          }
        })(),
      };
    };
    const router = express();
    const feedOptions = feed({
      name: 'told',
      area: 'T',
      summary: '',
      description: '',
      path: '/told',
      callers: ['employee'],
      input: z.object({}),
      output: z.unknown(),
      subscribe: follow,
    });
    router.get(
      feedOptions.path,
      feedHandler({
        feed: feedOptions,
        isStreamOnly: true,
        subscriptions: following,
        authenticate,
        limit: async () => ({}),
      }),
    );
    server = createServer(router).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
  });
  afterEach(() => {
    following.stop();
    server.closeAllConnections();
    server.close();
  });

  const moment = (cursor: number, bytes = 10): FeedEvent[] => [
    { cursor: String(cursor), event: 'change', data: { text: 'x'.repeat(bytes) } },
  ];

  it('live 3: check the permission once for all streams of a token before each batch, and end them all on revocation', async () => {
    const streams: Stream[] = [];
    for (let n = 0; n < STREAMS; n += 1) streams.push(await openStream(url, { authorization: 'Bearer t' }));
    for (const stream of streams) await stream.next();
    requestCount = 0;
    publish([...moment(1), ...moment(2)]);
    for (const stream of streams)
      for (const id of ['1', '2']) expect(await stream.next()).to.include({ event: 'change', id });
    expect(requestCount).to.equal(1);
    revoked = true;
    publish(moment(3));
    for (const stream of streams)
      expect(await stream.next()).to.deep.equal({ event: 'end', data: { reason: 'forbidden' } });
    expect(ended).to.equal(STREAMS);
  });

  it('R3: disconnect slow readers with the last cursor, and no other reader', async () => {
    const reading = await openStream(url, { authorization: 'Bearer t' });
    await reading.next();
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    slow.write(`GET /told HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer t\r\n\r\n`);
    await once(slow, 'readable');
    let last = 0;
    for (; ended === 0 && last < 500;) {
      publish(moment((last += 1), 200_000));
      expect(await reading.next()).to.include({ event: 'change', id: String(last) });
      await sleep(1);
    }
    expect(ended).to.equal(1);
    let text = '';
    slow.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    await once(slow, 'end');
    const cursors = [...text.matchAll(/\nid: (\d+)/g)].map(([, id]) => id!);
    expect(text).to.include(`event: reset\ndata: {"cursor":"${cursors.at(-1)}"}`);
    expect(cursors).to.deep.equal(cursors.map((_, index) => String(index)));
    reading.close();
  });
});
