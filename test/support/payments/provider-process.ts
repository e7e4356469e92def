/**
 * Starts the test provider as a separate process, again after it was killed, with the same state. Its address also
 * stays unchanged: this process listens there all the time, because another process could take a free port.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
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

/** Messages of the process. */
export type ProviderMessage = { readonly ready: number } | { readonly planned: Fault } | { readonly happened: Fault };

export interface ProviderProcessOptions {
  /** File of its state. */
  readonly file: string;
  readonly secret: string;
  readonly account: string;
}

export type ProviderProcess = Awaited<ReturnType<typeof openProviderProcess>>;

export async function openProviderProcess({ file, secret, account }: ProviderProcessOptions) {
  let child: ChildProcess | undefined;
  /** The port of the process; undefined: it is not ready. */
  let current: number | undefined;
  let target = '';
  let isStopping = false;
  let happened = 0;
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    if (current === undefined) return void client.destroy();
    const upstream = connect(current, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** Resolves when the process accepts requests. */
  async function run(): Promise<void> {
    const started = fork(SCRIPT, [file, target, secret, account]);
    child = started;
    started.once('exit', () => {
      current = undefined;
      if (!isStopping) void run();
    });
    await new Promise<void>((resolve) => {
      started.on('message', (message: ProviderMessage) => {
        if ('happened' in message) happened += 1;
        if (!('ready' in message)) return;
        current = message.ready;
        resolve();
      });
    });
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** `messagesTo`: address for the messages of the provider. */
    async start(messagesTo: string): Promise<void> {
      target = messagesTo;
      await run();
    },
    /** Plans a fault for the next request of this kind. */
    async plan(fault: PlannedFault): Promise<void> {
      happened = 0;
      const planned = new Promise<void>((resolve) => {
        const listen = (message: ProviderMessage) => {
          if (!('planned' in message)) return;
          child!.off('message', listen);
          resolve();
        };
        child!.on('message', listen);
      });
      child!.send(fault);
      await planned;
    },
    /** Whether the planned fault has happened. */
    hasHappened: (): boolean => happened > 0,
    async stop(): Promise<void> {
      isStopping = true;
      const ended = child && once(child, 'exit');
      child?.kill('SIGTERM');
      await ended;
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
