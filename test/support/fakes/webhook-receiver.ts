/** A webhook endpoint that records requests and sends configured responses. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { WAIT_LIMIT_MS } from '../eventually.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/** `hang`: never responds; a number: responds with that status. */
export type Reply = number | 'hang' | ((response: ServerResponse) => void);

/** `index`: number of the request, from 0. */
export interface Choose {
  readonly choose: (index: number, received: Received) => Reply;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the response to all later requests. */
  answer(reply: Reply | Choose): void;
  /** Waits until `count` requests have arrived in total. */
  waitFor(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let reply: (index: number, received: Received) => Reply = () => 204;
  const changed = new EventTarget();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const one = { path: request.url!, headers: request.headers, text, json: JSON.parse(text) as unknown };
        received.push(one);
        const answered = reply(received.length - 1, one);
        if (typeof answered === 'number')
          response.writeHead(answered, { 'content-type': 'text/plain' }).end(`answer ${answered}`);
        else if (answered !== 'hang') answered(response);
        changed.dispatchEvent(new Event('received'));
      });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next) {
      reply = typeof next === 'object' ? next.choose : () => next;
    },
    async waitFor(count) {
      const late = AbortSignal.timeout(WAIT_LIMIT_MS);
      while (received.length < count) {
        if (late.aborted) throw new Error(`Only ${received.length} of ${count} webhooks came.`);
        await once(changed, 'received', { signal: late }).catch(() => undefined);
      }
      return received;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Verifies the signature with the reference library, with the secret used as text; throws if it is invalid. */
export function verify({ text, headers }: Received, secret: string): void {
  expect(new Webhook(secret, { format: 'raw' }).verify(text, headers as Record<string, string>)).to.deep.equal(
    JSON.parse(text),
  );
}
