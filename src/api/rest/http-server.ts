/** The connections of the HTTP server: how long they stay, and how they end. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An idle connection stays longer than a proxy in front keeps it (nginx: 60 s). Were it ended here first, the proxy
 * would now and then send a push into a connection that is just going, and must not send it a second time.
 */
export const IDLE_SECONDS = 75;

/**
 * So long clients that ask again and again are still answered, and told that it is the last answer on their connection.
 */
const FAREWELL_MS = 100;
/** Requests that take longer than this after that are cut off. */
const DRAIN_MS = 5_000;
const IDLE_POLL_MS = 50;
/**
 * Requests of one connection that are not answered to the end. Who sends further ones without reading the answers is
 * cut off: answers would pile up.
 */
const MAX_UNANSWERED = 32;

export type HttpServer = ReturnType<typeof createHttpServer>;

export function createHttpServer() {
  const server = createServer({ keepAliveTimeout: IDLE_SECONDS * 1_000 });
  const answering = new Set<ServerResponse>();
  /** How many requests of a connection wait for their answers. */
  const waiting = new WeakMap<object, number>();
  let isStopping = false;
  server.on('request', (_request, response: ServerResponse) => {
    if (isStopping) return sayFarewell(response);
    const { socket } = response.req;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count <= MAX_UNANSWERED) answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      waiting.set(socket, waiting.get(socket)! - 1);
    });
    if (count > MAX_UNANSWERED) socket.destroy();
  });

  /**
   * Lets the requests under way be answered, and closes each connection after its answer: a client told so sends
   * nothing into a closing connection.
   */
  async function drain(): Promise<void> {
    isStopping = true;
    answering.forEach(sayFarewell);
    await sleep(FAREWELL_MS);
    const closed = once(server, 'close');
    server.close();
    // A connection whose request is answered is an idle one, and would stay.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
  }

  return { server, drain };
}

function sayFarewell(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
