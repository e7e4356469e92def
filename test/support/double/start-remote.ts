/** Starts the double of an external system as a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Action } from './remote.js';

const SCRIPT = fileURLToPath(new URL('remote.js', import.meta.url));

export interface Remote {
  readonly url: string;
  /** All actions that took effect. */
  readonly actions: () => Promise<readonly Action[]>;
  readonly stop: () => Promise<void>;
}

/** `file`: its state, which a restart continues with. `lateMs`: delay of late responses. */
export async function startRemote(file: string, lateMs = 0): Promise<Remote> {
  const child = spawn(process.execPath, [SCRIPT, file, String(lateMs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on(
      'line',
      (line) => line.startsWith('ready ') && resolve(line.slice('ready '.length)),
    );
    void exited.then(() => reject(new Error('The double ended before it was ready.')));
  });
  return {
    url,
    actions: async () =>
      ((await (await fetch(`${url}/state`)).json()) as { readonly actions: readonly Action[] }).actions,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
