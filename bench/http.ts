/** A lightweight HTTP client, so that the limit is the measured process and not the measuring one. */
import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

export interface Client {
  send(method: string, path: string, options?: { body?: Buffer; headers?: Record<string, string> }): Promise<Answer>;
  close(): void;
}

export function createClient(url: string, connections: number, key?: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const common = { ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  return {
    send: (method, path, { body, headers = {} } = {}) =>
      new Promise((resolve, reject) => {
        const sent = request(
          {
            agent,
            hostname,
            port,
            method,
            path,
            headers: {
              ...common,
              ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
              ...headers,
            },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () =>
              resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
            );
            response.on('error', reject);
          },
        );
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Returns the JSON of the response. `body`: JSON, or the bytes of a file. Throws if the request is rejected. */
export async function ask(client: Client, method: string, path: string, body?: object): Promise<Record<string, never>> {
  const isFile = Buffer.isBuffer(body);
  const answer = await client.send(method, `/api/v1${path}`, {
    ...(body && { body: isFile ? body : Buffer.from(JSON.stringify(body)) }),
    ...(isFile && { headers: { 'content-type': 'application/octet-stream' } }),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  return JSON.parse(answer.body.toString()) as Record<string, never>;
}

/** Runs `work` for every item, `width` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < items.length) await work(items[next++]!);
    }),
  );
}
