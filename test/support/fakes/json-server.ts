/** A JSON server on a free port that can fail on demand. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `hang`: never responds. A number: responds with that status and an unusable body. */
export type Fault = 'hang' | number;

export interface JsonServer {
  readonly url: string;
  /** Paths or bodies of the requests. */
  readonly requestBodies: string[];
  readonly requests: { readonly userAgent: string }[];
  /** Makes the next `times` requests fail with this fault. */
  fail(fault: Fault, times?: number): void;
  close(): Promise<void>;
}

export async function startJsonServer(
  answer: (path: string, body: string) => { readonly status: number; readonly json: unknown },
): Promise<JsonServer> {
  const requestBodies: string[] = [];
  const requests: { userAgent: string }[] = [];
  let failing: { fault: Fault; left: number } = { fault: 500, left: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString();
        requestBodies.push(body || request.url!);
        requests.push({ userAgent: request.headers['user-agent'] ?? '' });
        if (failing.left > 0) {
          failing.left -= 1;
          if (failing.fault === 'hang') return;
          return response.writeHead(failing.fault, { 'retry-after': '0' }).end('Too busy');
        }
        const { status, json } = answer(decodeURI(request.url!), body);
        return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestBodies,
    requests,
    fail: (fault, times = Infinity) => void (failing = { fault, left: times }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
