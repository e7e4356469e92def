/** A signal stops a service that waits for an engine during its start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freshDatabase } from '../support/worlds/database.js';
import { MASTER_KEY } from '../support/worlds/service.js';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

describe('start', () => {
  it('adversary L5: a start that waits for the log ends on SIGTERM', async () => {
    const database = await freshDatabase();
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: tmpdir(),
        DATABASE_URL: database.url,
        MASTER_KEY,
        // No server listens on this port.
        EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      while (!output.includes('EventStoreDB does not respond')) await once(child.stderr, 'data');
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
      expect(output).to.include('stopped before it was ready');
    } finally {
      child.kill('SIGKILL');
      await database.drop();
    }
  });
});
