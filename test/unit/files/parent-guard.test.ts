/** A reader process that never waits for messages ends with the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';

const BUSY_CHILD = fileURLToPath(new URL('../../support/processes/busy-child.js', import.meta.url));

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a busy child process', () => {
  it('ends when its parent is killed', async () => {
    const parent = spawn(process.execPath, [BUSY_CHILD], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const pid = Number(line);
    expect(exists(pid)).to.equal(true);
    parent.kill('SIGKILL');
    await eventually(
      () => Promise.resolve(!exists(pid)),
      () => `the end of process ${pid}`,
    );
  });
});
