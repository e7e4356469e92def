/** A process of the service that is started again whenever it ends, as a supervisor does; always on the same port. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../../support/processes/service-process.js';

export interface Supervised {
  readonly url: string;
  /** SIGKILL; it comes again by itself. */
  kill(): Promise<void>;
  /** What it logged in its present life. */
  said(): string;
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
        // A database that is away keeps it from starting: the supervisor tries on.
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
    said: () => running.said(),
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
