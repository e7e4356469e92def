/** A request to a service in a separate process, which is killed when it would append a certain event. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MASTER_KEY } from '../worlds/service.js';

const SCRIPT = fileURLToPath(new URL('serve-and-hang.js', import.meta.url));

/**
 * `type`: type of the event that is never appended. `ask` gets the base address of the service; its request never gets
 * a response.
 */
export async function killedAt(
  type: string,
  { databaseUrl }: { readonly databaseUrl: string },
  ask: (url: string) => Promise<unknown>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'transport-killed-'));
  const child = spawn(process.execPath, [SCRIPT, databaseUrl, MASTER_KEY, dataDir, type], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('ready ')) void ask(line.slice('ready '.length)).catch(() => undefined);
      if (line === 'hangs') break;
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}
