/**
 * A second instance of the service on the same database, in a worker thread. It receives as many requests as the first
 * service.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WORLD_ENV } from '../access/world.js';
import { MASTER_KEY } from '../worlds/service.js';

export interface ServiceState {
  /** Megabytes in use after a full collection. */
  readonly usedMegabytes: number;
  /** Whether requests have added a member to every object (prototype pollution). */
  readonly polluted: boolean;
}

/** Messages of the thread. */
export type ThreadMessage = { readonly error: string } | { readonly url: string } | { readonly state: ServiceState };

export interface SecondService {
  readonly url: string;
  /** Errors that it logged. */
  readonly errors: readonly string[];
  state(): Promise<ServiceState>;
  stop(): Promise<void>;
}

/** Rejects if it does not start; a later failure is reported in `errors`. */
export async function startSecondService(databaseUrl: string): Promise<SecondService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-twin-'));
  const env = { ...WORLD_ENV, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MASTER_KEY, ROLES: 'api' };
  const thread = new Worker(new URL('./second-service-thread.js', import.meta.url), { workerData: env });
  const errors: string[] = [];
  thread.on('error', (error) => errors.push(String(error.stack)));
  let waiting: { resolve: (message: ThreadMessage) => void; reject: (error: Error) => void } | undefined;
  thread.on('message', (message: ThreadMessage) =>
    'error' in message ? void errors.push(message.error) : waiting?.resolve(message),
  );
  thread.on('exit', () => waiting?.reject(new Error(`The twin ended: ${errors.join()}`)));
  const next = (): Promise<ThreadMessage> => new Promise((resolve, reject) => (waiting = { resolve, reject }));

  const { url } = (await next()) as { readonly url: string };
  return {
    url,
    errors,
    async state() {
      const answer = next();
      thread.postMessage('state');
      return ((await answer) as { readonly state: ServiceState }).state;
    },
    async stop() {
      const ended = once(thread, 'exit');
      thread.postMessage('stop');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
