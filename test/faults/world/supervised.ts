/** A process of the service that is restarted whenever it ends, as by a supervisor; always on the same port. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../../support/processes/service-process.js';

export interface Supervised {
  readonly url: string;
  /** Sends SIGKILL; the process is restarted automatically. */
  kill(): Promise<void>;
  /** The log output since its last start. */
  output(): string;
  stop(): Promise<void>;
}

export async function supervise({
  port,
  ...options
}: ServiceProcessOptions & { readonly port: number }): Promise<Supervised> {
  const start = () => startServiceProcess({ ...options, env: { ...options.env, PORT: String(port) } });
  let stopping = false;
  let running: ServiceProcess = await start();
  const watching = (async () => {
    for (;;) {
      await new Promise((resolve) =>
        (running.child.exitCode ?? running.child.signalCode) === null
          ? running.child.once('close', resolve)
          : resolve(undefined),
      );
      while (!stopping) {
        // Without a database the service does not start: the supervisor retries.
        const next = await start().catch(() => undefined);
        if (next) {
          running = next;
          break;
        }
        await sleep(200);
      }
      if (stopping) return;
    }
  })();
  return {
    url: running.url,
    output: () => running.output(),
    async kill() {
      await running.end('SIGKILL');
    },
    async stop() {
      stopping = true;
      await running.end('SIGTERM');
      await watching;
    },
  };
}
