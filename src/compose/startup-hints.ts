/** Startup hints: one sentence with the cause and the solution, for startup errors that the operator can fix. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.js';
import { ACCESS_NEEDED, isAccessDenied } from '../engines/eventstore/access-denied.js';
import { StartupError } from '../engines/startup-error.js';

type ListenAddress = Pick<Config, 'host' | 'port'>;

/** Throws the error that listening on the port would throw, before the engines are started. */
export async function expectFreePort({ host, port }: ListenAddress): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Returns the hint; undefined for errors that only the stack trace explains. */
export function startupHintOf(error: unknown, { host, port }: ListenAddress): string | undefined {
  if (error instanceof StartupError) return error.message;
  if (isAccessDenied(error)) return ACCESS_NEEDED;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen')
    switch (code) {
      case 'EADDRINUSE':
        return `Port ${port} on ${host} is in use by another process. Start with another port: PORT=${port + 1} npm start`;
      case 'EACCES':
        return `This user is not permitted to listen on port ${port}. Use a port above 1023: PORT=8080 npm start`;
      case 'EADDRNOTAVAIL':
        return `${host} is not an address of this machine. HOST=127.0.0.1 accepts local connections, HOST=0.0.0.0 connections from everywhere.`;
    }
  if (syscall === 'getaddrinfo')
    return `The name ${(error as { hostname?: string }).hostname ?? host} cannot be resolved. Check HOST, DATABASE_URL and EVENTSTORE_URL.`;
  if (code === 'ECONNREFUSED')
    return `The database does not respond. Check DATABASE_URL, and whether PostgreSQL is running there.`;
  if (code === '28P01' || code === '28000') return 'The database rejects the user or password. Check DATABASE_URL.';
  if (code === '3D000') return 'The database of DATABASE_URL does not exist. Create it first: createdb <name>';
  return undefined;
}
