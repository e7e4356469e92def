/** (b) Timeline reads against a bare Express route and bare node:http that send the same bytes. */
import autocannon from 'autocannon';
import { startProcess, type Process } from './support.js';

const CONNECTIONS = 32;

export interface ReadFigures {
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Sends GET requests to all paths, one path after the other, for `duration` seconds. */
export async function measureReads(url: string, paths: readonly string[], duration: number): Promise<ReadFigures> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    requests: paths.map((path) => ({ method: 'GET', path })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} requests failed.`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

/**
 * Starts a process that responds to every path with the same bytes. `databaseUrl`: an empty database, in which each POST
 * inserts one row.
 */
export const startBare = (kind: 'express' | 'http', body: string, databaseUrl?: string): Promise<Process> =>
  startProcess('dist/bench/bare-server.js', {
    BARE_KIND: kind,
    BARE_BODY: body,
    ...(databaseUrl !== undefined && { BARE_DATABASE_URL: databaseUrl }),
  });
