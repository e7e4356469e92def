/** A log in EventStoreDB is bound to its keys, whichever database is used with it (adversary H5). */
import { expect } from 'chai';
import { openEngines } from '../../../src/engines/open.js';
import { rotateMasterKey } from '../../../src/engines/postgres/known-keys.js';
import { KEY_STREAMS } from '../../../src/events/keys/events.js';
import { listed } from '../../contract/log/contract/opened.js';
import { startEventStoreServer, type EventStoreServer } from '../../support/fakes/eventstore-server.js';
import { runCli } from '../../support/processes/cli.js';
import { freshDatabase, type FreshDatabase } from '../../support/worlds/database.js';
import { startTestService } from '../../support/worlds/service.js';

const key = (digit: number): string => String(digit).repeat(64);
const SIGNING = key(2);

describe('keys of a log in EventStoreDB', () => {
  let server: EventStoreServer;
  const databases: FreshDatabase[] = [];
  beforeEach(async () => void (server = await startEventStoreServer()));
  afterEach(async () => {
    await server.stop();
    await Promise.all(databases.splice(0).map((one) => one.drop()));
  });

  const database = async (): Promise<string> => {
    const made = await freshDatabase();
    databases.push(made);
    return made.url;
  };
  const env = (masterKey: string, signingKey = SIGNING) => ({
    EVENTSTORE_URL: server.url,
    MASTER_KEY: masterKey,
    SIGNING_KEY: signingKey,
  });
  /** Why the service did not start; undefined if it started, and was then stopped. */
  const refusal = (databaseUrl: string, masterKey: string, signingKey?: string): Promise<string | undefined> =>
    startTestService({ databaseUrl, seed: false, env: env(masterKey, signingKey) }).then(
      (started) => started.stop().then(() => undefined),
      (error: Error) => error.message,
    );
  const readEvents = async (databaseUrl: string, masterKey: string): Promise<unknown[]> => {
    const engines = await openEngines({
      dataDir: '/nowhere',
      databaseUrl,
      eventStoreUrl: server.url,
      masterKey: Buffer.from(masterKey, 'hex'),
    });
    const events = await listed(engines.log.read(KEY_STREAMS.MASTER_KEY));
    await engines.close();
    return events.map(({ data }) => data['fingerprint']);
  };

  it('are recorded once, however often the service starts', async () => {
    const url = await database();
    for (let turn = 0; turn < 2; turn++) expect(await refusal(url, key(1))).to.equal(undefined);
    expect(await readEvents(url, key(1))).to.have.length(1);
  });

  it('reject another key for an empty database, and leave the database unchanged', async () => {
    await refusal(await database(), key(1));
    const empty = await database();
    for (let turn = 0; turn < 2; turn++)
      expect(await refusal(empty, key(3))).to.match(/^MASTER_KEY is not the key of this log/);
    expect(await refusal(empty, key(1), key(3))).to.match(/^SIGNING_KEY is not the key of this log/);
    expect(await refusal(empty, key(1))).to.equal(undefined);
  });

  it('reject the database of another installation', async () => {
    await refusal(await database(), key(1));
    const own = server;
    server = await startEventStoreServer();
    const other = await database();
    expect(await refusal(other, key(3))).to.equal(undefined);
    await server.stop();
    server = own;
    expect(await refusal(other, key(3))).to.match(/^MASTER_KEY is not the key of this log/);
  });

  it('are recorded by a rotation, and by the next start if the rotation was interrupted', async () => {
    const url = await database();
    await refusal(url, key(1));
    const { code, stderr } = await runCli('admin', ['keys', 'rotate', 'master'], {
      DATABASE_URL: url,
      ...env(key(1)),
      NEW_MASTER_KEY: key(4),
    });
    expect(code, stderr).to.equal(0);
    expect(await readEvents(url, key(4))).to.have.length(2);
    const { pool, close } = await openEngines({
      dataDir: '/nowhere',
      databaseUrl: url,
      eventStoreUrl: server.url,
      masterKey: Buffer.from(key(4), 'hex'),
    });
    await rotateMasterKey(pool, Buffer.from(key(4), 'hex'), Buffer.from(key(1), 'hex'));
    await close();
    expect(await refusal(url, key(4))).to.match(/^MASTER_KEY is not the key/);
    expect(await refusal(url, key(1))).to.equal(undefined);
    const [first, second, third] = await readEvents(url, key(1));
    expect(third).to.equal(first).and.not.to.equal(second);
  });
});
