/**
 * The log of a test's service: in its database or, with TEST_LOG=eventstore, in an EventStoreDB server in this process.
 * All services and commands that use the same database use the same log.
 */
import { startEventStoreServer, type EventStoreServer } from '../fakes/eventstore-server.js';

/** By address of the database. */
const servers = new Map<string, Promise<EventStoreServer>>();

/** Starts the server when the database is used first. Returns undefined if the log is in the database. */
export function logServerOf(databaseUrl: string): Promise<EventStoreServer> | undefined {
  if (process.env['TEST_LOG'] !== 'eventstore') return undefined;
  const server = servers.get(databaseUrl) ?? startEventStoreServer();
  servers.set(databaseUrl, server);
  return server;
}

/** `environment` with the address of the log, for a process that uses the database of `environment`. */
export async function withLogUrl<E extends Readonly<Record<string, string | undefined>>>(
  environment: E,
): Promise<E & { readonly EVENTSTORE_URL?: string }> {
  const { DATABASE_URL: databaseUrl, EVENTSTORE_URL: given } = environment;
  const server = databaseUrl && given === undefined ? await logServerOf(databaseUrl) : undefined;
  return server ? { ...environment, EVENTSTORE_URL: server.url } : environment;
}
