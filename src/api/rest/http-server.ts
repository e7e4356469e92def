/** The connections of the HTTP server: keep-alive and shutdown. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An idle connection must live longer than a proxy in front keeps it (nginx: 60 s). Otherwise the proxy would sometimes
 * send a push into a connection that the server is closing, and it must not repeat that push.
 */
export const IDLE_SECONDS = 75;

/** Time at shutdown during which later requests on open connections are answered, with `Connection: close`. */
const CLOSE_NOTICE_MS = 100;
/** Requests that take longer than this afterwards are aborted. */
const DRAIN_MS = 5_000;
const IDLE_POLL_MS = 50;
/**
 * Maximum number of unanswered requests per connection. A client that sends more without reading the responses is
 * disconnected, because responses would accumulate in memory.
 */
const MAX_UNANSWERED = 32;

export type HttpServer = ReturnType<typeof createHttpServer>;

export function createHttpServer() {
  const server = createServer({ keepAliveTimeout: IDLE_SECONDS * 1_000 });
  const answering = new Set<ServerResponse>();
  /** Number of unanswered requests per connection. */
  const waiting = new WeakMap<object, number>();
  let isStopping = false;
  server.on('request', (_request, response: ServerResponse) => {
    if (isStopping) return closeAfterResponse(response);
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
   * Completes the requests in progress and closes each connection after its response. The header `Connection: close`
   * keeps clients from sending a request into a closing connection.
   */
  async function drain(): Promise<void> {
    isStopping = true;
    answering.forEach(closeAfterResponse);
    await sleep(CLOSE_NOTICE_MS);
    const closed = once(server, 'close');
    server.close();
    // A connection becomes idle after its response and would otherwise stay open.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
    const forceClose = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearInterval(idle);
    clearTimeout(forceClose);
  }

  return { server, drain };
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
