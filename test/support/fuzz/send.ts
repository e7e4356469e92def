/** Sends a request with exactly its bytes and returns the response. A missing response is reported too. */
import { request as httpRequest, Agent } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './request.js';

/**
 * A service responds within 15 seconds even if its engines are slow; the limit is higher because the machine also runs
 * the test.
 */
const TIMEOUT_MS = 150_000;
/** Wait for a response on a bare socket. Half a request gets no response, which is not a fault of the service. */
const SILENCE_MS = 400;
/** About this many characters of a response are examined. */
const MAX_TEXT = 64_000;

export interface Reply {
  /** 0: the connection was closed without a response. */
  readonly status: number;
  readonly text: string;
  readonly requestId: string | undefined;
  readonly hung: boolean;
}

export interface Sender {
  send(fuzzRequest: FuzzRequest, key: string | undefined): Promise<Reply>;
  close(): void;
}

export function createSender(url: string, sockets: number): Sender {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });

  const overHttp = ({ method, path, headers, body }: FuzzRequest, key: string | undefined): Promise<Reply> =>
    new Promise((resolve) => {
      let text = '';
      let status = 0;
      let requestId: string | undefined;
      const done = (hung = false) => {
        clearTimeout(timer);
        resolve({ status, text, requestId, hung });
      };
      const request = httpRequest(
        {
          hostname,
          port,
          method,
          path,
          agent,
          headers: {
            ...headers,
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(body && { 'content-length': body.length }),
          },
        },
        (response) => {
          status = response.statusCode!;
          requestId = response.headers['x-request-id'] as string | undefined;
          response.setEncoding('utf8').on('data', (part: string) => {
            if (text.length < MAX_TEXT) text += part;
            // A stream continues until its reader disconnects.
            if (/event-stream/.test(response.headers['content-type'] ?? '')) request.destroy();
          });
          response.on('end', () => done()).on('close', () => done());
        },
      );
      const timer = setTimeout(() => {
        done(true);
        request.destroy();
      }, TIMEOUT_MS);
      // The server may close the connection after it has rejected a body.
      request.on('error', () => done());
      request.end(body);
    });

  const overSocket = (bytes: Buffer): Promise<Reply> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      const silence = setTimeout(() => socket.destroy(), SILENCE_MS);
      socket
        .setEncoding('latin1')
        .on('data', (part: string) => {
          if (text.length < MAX_TEXT) text += part;
        })
        .on('error', () => undefined)
        .on('close', () => {
          clearTimeout(silence);
          const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
          resolve({ status: Math.max(0, ...statuses), text, requestId: undefined, hung: false });
        });
      socket.write(bytes);
    });

  return {
    send: (fuzzRequest, key) => (fuzzRequest.raw ? overSocket(fuzzRequest.raw) : overHttp(fuzzRequest, key)),
    close: () => agent.destroy(),
  };
}
