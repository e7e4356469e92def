/** Startup hints: one sentence with the cause and the solution, for startup errors that the operator can fix. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.js';
import { StartRefused } from '../engines/start-refused.js';

type Place = Pick<Config, 'host' | 'port'>;

/** Throws the error that listening on the port would throw, before the engines are started. */
export async function expectFreePort({ host, port }: Place): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Returns the hint; undefined for errors that only the stack trace explains. */
export function startupHintOf(error: unknown, { host, port }: Place): string | undefined {
  if (error instanceof StartRefused) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen')
    switch (code) {
      case 'EADDRINUSE':
        return `Port ${port} on ${host} is taken by another process. Start with another one: PORT=${port + 1} npm start`;
      case 'EACCES':
        return `This user may not listen on port ${port}. Take one above 1023: PORT=8080 npm start`;
      case 'EADDRNOTAVAIL':
        return `${host} is no address of this machine. HOST=127.0.0.1 is reached from here, HOST=0.0.0.0 from everywhere.`;
    }
  if (syscall === 'getaddrinfo')
    return `The name ${(error as { hostname?: string }).hostname ?? host} is not known here. Check HOST, DATABASE_URL and EVENTSTORE_URL.`;
  if (code === 'ECONNREFUSED')
    return `The database does not answer. Check DATABASE_URL, and whether PostgreSQL runs there.`;
  if (code === '28P01' || code === '28000') return 'The database refuses user or password. Check DATABASE_URL.';
  if (code === '3D000') return 'The database of DATABASE_URL does not exist. Make it first: createdb <name>';
  return undefined;
}
