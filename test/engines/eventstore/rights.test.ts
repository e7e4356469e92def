/** An account that lacks a right is refused at start, with a sentence that names the right. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startupHintOf } from '../../../src/compose/startup-hints.js';
import { connectLog } from '../../../src/engines/connect-log.js';
import { CHECKED_STREAM } from '../../../src/engines/eventstore/access-denied.js';
import { StartupError } from '../../../src/engines/startup-error.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { freshDatabase } from '../../support/worlds/database.js';
import { MASTER_KEY } from '../../support/worlds/service.js';

const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));
const NAMED = ['$all', '"$r"', '$systemStreamAcl', '$settings', '["$admins", "app"]', '$userStreamAcl'];
const PLACE = { host: '127.0.0.1', port: 8080 };

describe('eventstoredb TLS: an account without the rights that the service needs', () => {
  let server: EventStoreServer;
  beforeEach(async () => void (server = await startEventStoreServer()));
  afterEach(() => server.stop());

  const refused: [string, () => void][] = [
    ['may not read $all', () => (server.cluster.calls = 'denied')],
    ['may read, but not append', () => (server.faults.denied = true)],
  ];
  for (const [what, deny] of refused)
    it(`${what}: refused at once, also while the service would wait for the server`, async () => {
      deny();
      const waits: unknown[] = [];
      const error = await connectLog(server.url, (reason) => waits.push(reason)).then(
        (log) => log.close(),
        (refusal: unknown) => refusal,
      );
      expect(error).to.be.instanceOf(StartupError);
      for (const name of NAMED) expect((error as Error).message).to.include(name);
      expect(waits).to.deep.equal([]);
    });

  it('that loses a right during the start gets the same sentence', () => {
    for (const error of [{ type: 'access-denied' }, { code: 7, message: '7 PERMISSION_DENIED: Access Denied' }])
      for (const name of NAMED) expect(startupHintOf(error, PLACE), name).to.include(name);
    expect(startupHintOf({ code: 14 }, PLACE)).to.equal(undefined);
  });

  it('the process ends with the sentence and without a stack', async () => {
    server.cluster.calls = 'denied';
    const database = await freshDatabase();
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: tmpdir(),
        DATABASE_URL: database.url,
        MASTER_KEY,
        EVENTSTORE_URL: server.url,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      expect(await once(child, 'close')).to.deep.equal([1, null]);
      for (const name of NAMED) expect(output).to.include(name);
      expect(output).to.not.match(/^\s+at /m);
      expect(output.trim().split('\n')).to.have.length(1);
    } finally {
      child.kill('SIGKILL');
      await database.drop();
    }
  });

  it('the check of the rights writes nothing', async () => {
    const before = server.log.end;
    const log = await connectLog(server.url);
    expect(server.log.end).to.equal(before);
    expect(server.log.stream(CHECKED_STREAM) ?? []).to.deep.equal([]);
    await log.close();
  });
});
