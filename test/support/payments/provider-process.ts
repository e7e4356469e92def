/** Starts the test provider as a separate process, again after it was killed, with the same state and address. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('run-provider.js', import.meta.url));

/** What goes wrong in one request, before or after the provider acts. */
export const FAULTS = [
  'killed_before',
  'killed_after',
  'slow',
  'error_before',
  'error_after',
  'unavailable',
  'reset',
  'twice',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface PlannedFault {
  readonly fault: Fault;
  readonly method: string;
  /** Beginning of the path. */
  readonly path: string;
}

export interface ProviderProcessOptions {
  readonly file: string;
  readonly port: number;
  /** Address for messages. */
  readonly target: string;
  readonly secret: string;
  readonly account: string;
}

export type ProviderProcess = ReturnType<typeof createProviderProcess>;

export function createProviderProcess({ file, port, target, secret, account }: ProviderProcessOptions) {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let happened: string[] = [];

  /** Resolves when it accepts requests. A process that is killed is started again. */
  async function start(): Promise<void> {
    const started = fork(SCRIPT, [file, String(port), target, secret, account]);
    child = started;
    started.on('message', (message: { readonly happened?: string }) => {
      if (message.happened !== undefined) happened.push(message.happened);
    });
    started.once('exit', () => {
      if (!isStopping) void start();
    });
    await once(started, 'message');
  }

  return {
    start,
    /** Plans a fault for the next request of this kind. */
    async plan(fault: PlannedFault): Promise<void> {
      happened = [];
      const known = new Promise<void>((resolve) => {
        const listen = (message: { readonly planned?: string }) => {
          if (message.planned === undefined) return;
          child!.off('message', listen);
          resolve();
        };
        child!.on('message', listen);
      });
      child!.send(fault);
      await known;
    },
    /** Whether the planned fault has happened. */
    hasHappened: (): boolean => happened.length > 0,
    async stop(): Promise<void> {
      isStopping = true;
      const ended = once(child!, 'exit');
      child!.kill('SIGTERM');
      await ended;
    },
  };
}
