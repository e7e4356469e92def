/** The connections of the HTTP server: how long they stay, and how they end. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/**
 * An idle connection stays longer than a proxy in front keeps it (nginx: 60 s). Were it ended here first, the proxy would now and then
 * send a push into a connection that is just going, and must not send it a second time.
 */
export const IDLE_SECONDS = 75;

/** Requests that take longer than this after a stop was asked for are cut off. */
const DRAIN_MS = 5_000;
const IDLE_POLL_MS = 50;

export const createHttpServer = (): Server => createServer({ keepAliveTimeout: IDLE_SECONDS * 1_000 });

/** Takes no more connections, lets the requests under way be answered, and ends each connection behind its answer. */
export async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection whose request is answered is an idle one, and would stay.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS);
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
