/** A load balancer without sessions: each request is sent to the next process. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** Addresses that receive requests in alternation. */
  readonly behind: string[];
  /** Number of requests per address. */
  readonly given: readonly number[];
  close(): void;
}

export async function startBalancer(): Promise<Balancer> {
  const behind: string[] = [];
  const given: number[] = [];
  let turn = 0;
  const server: Server = createServer((incoming, outgoing) => {
    const at = turn++ % behind.length;
    given[at] = (given[at] ?? 0) + 1;
    const onward = request(behind[at]! + incoming.url, { method: incoming.method!, headers: incoming.headers });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behind,
    given,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
