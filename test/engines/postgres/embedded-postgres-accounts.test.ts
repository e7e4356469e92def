import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../../../src/engines/embedded-postgres/start.js';
import { packagedBinaries } from '../../../src/engines/embedded-postgres/binaries.js';
import { walk } from '../../../src/engines/embedded-postgres/walk.js';
import { end, query, spawnPostgres } from '../../support/processes/postgres-process.js';
import { skip } from '../../support/run-summary.js';

const NOBODY_UID = 65534;
const isRoot = process.getuid?.() === 0;
const asUser = (uid: number): string[] => ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];
const works = (...[command = '', ...args]: readonly string[]): boolean => spawnSync(command, args).status === 0;

describe('Embedded PostgreSQL: programs and accounts', () => {
  const folders: string[] = [];
  let folder: string;

  beforeEach(async () => {
    folder = await newFolder();
  });

  after(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

  async function newFolder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'open transport '));
    folders.push(path);
    return path;
  }

  /** Starts a service for one statement, and returns the rows and the output of the starter. */
  async function once(statement: string, options: EmbeddedPostgresOptions, wrapper: readonly string[] = []) {
    const service = spawnPostgres(options, wrapper);
    try {
      return { rows: await query(await service.url, statement), said: service.output() };
    } finally {
      await end(service, 'SIGTERM');
    }
  }

  /** Starts twice, checks that the data of the first start is there, and returns the output of the starter. */
  async function startsTwice(options: EmbeddedPostgresOptions, wrapper: readonly string[] = []): Promise<string> {
    await once('CREATE TABLE kept AS SELECT 7 AS n', options, wrapper);
    const { rows, said } = await once('SELECT n FROM kept', options, wrapper);
    expect(rows).to.deep.equal([{ n: 7 }]);
    return said;
  }

  /** A folder around the programs as npm unpacks them without running install scripts. */
  async function unlinkedPackage(): Promise<string> {
    const native = join(await newFolder(), 'native');
    await cp(packagedBinaries(), native, { recursive: true, verbatimSymlinks: true });
    for await (const { path, entry } of walk(native)) if (entry.isSymbolicLink()) await rm(path);
    return native;
  }

  const links = async (native: string): Promise<number> => {
    let count = 0;
    for await (const { entry } of walk(native)) if (entry.isSymbolicLink()) count += 1;
    return count;
  };

  it('creates the library links that a skipped install script left out, in two processes at once', async () => {
    const binaries = await unlinkedPackage();
    await chmod(dirname(binaries), 0o755);
    const both = ['one', 'two'].map((name) => startsTwice({ dataDir: join(folder, name), binaries }));
    await Promise.all(both);
    expect(await links(binaries)).to.be.above(0);
  });

  it('prints a message with the solution if the programs cannot run', async () => {
    const message = await startEmbeddedPostgres({ dataDir: folder, binaries: join(folder, 'nowhere') }).catch(
      (error: Error) => error.message,
    );
    expect(message).to.contain('DATABASE_URL').and.to.contain('nowhere');
    expect(await readdir(folder)).to.deep.equal([]);
  });

  describe('as root', () => {
    let programs: string;

    before(async function () {
      if (!isRoot || !works(...asUser(NOBODY_UID), 'test', '-r', process.cwd())) {
        skip(this, 'needs root, setpriv, and a checkout that other users can read');
      }
      programs = await unlinkedPackage();
    });

    it('runs as a user without a password entry, if user namespaces are allowed', async function () {
      const uid = 43210;
      if (!works(...asUser(uid), 'unshare', '--user', `--map-user=${NOBODY_UID}`, 'true'))
        return skip(this, 'needs user namespaces');
      await chown(folder, uid, uid);
      expect(await startsTwice({ dataDir: folder }, asUser(uid))).to.contain('a user namespace');
    });

    it('runs as an ordinary user, also from a package folder that is neither linked nor writable', async () => {
      const binaries = await unlinkedPackage();
      await chmod(dirname(binaries), 0o755);
      await chown(folder, NOBODY_UID, NOBODY_UID);
      expect(await startsTwice({ dataDir: folder, binaries }, asUser(NOBODY_UID))).to.contain(`as uid ${NOBODY_UID}`);
      expect(await links(binaries)).to.equal(0);
      expect(await readdir(folder)).not.to.contain('postgres.programs');
    });

    it('runs in folders that only root can read', async () => {
      await chmod(dirname(programs), 0o700);
      await startsTwice({ dataDir: folder, binaries: programs });
    });

    it('runs PostgreSQL under another account, not root, if that account can read the programs', async () => {
      expect(await startsTwice({ dataDir: folder })).to.match(/as uid [1-9]/);
      expect((await stat(join(folder, 'postgres'))).uid).not.to.equal(0);
      expect((await stat(folder)).uid).to.equal(0);
    });

    it('runs as the owner of the folder, and the owner finds the data later', async () => {
      await chown(folder, NOBODY_UID, NOBODY_UID);
      expect(await startsTwice({ dataDir: folder })).to.contain(`as uid ${NOBODY_UID}`);
      expect((await once('SELECT n FROM kept', { dataDir: folder }, asUser(NOBODY_UID))).rows).to.deep.equal([
        { n: 7 },
      ]);
    });

    it('finds the data after a start in any of its modes', async function () {
      if (!works('unshare', '--user', `--map-user=${NOBODY_UID}`, 'true')) return skip(this, 'needs user namespaces');
      for (const mode of [0o755, 0o700, 0o755]) {
        await chmod(dirname(programs), mode);
        const { said } = await once('CREATE TABLE IF NOT EXISTS kept (n int)', { dataDir: folder, binaries: programs });
        expect(said).to.contain(mode === 0o700 ? 'as a user namespace' : 'as uid');
      }
    });

    it('copies the programs to a folder that another account can read, without user namespaces', async function () {
      const hide = [
        'unshare',
        '--mount',
        'sh',
        '-c',
        'mount --bind /dev/null "$(command -v unshare)" && exec "$@"',
        'sh',
      ];
      if (!works(...hide, 'true')) return skip(this, 'needs leave to mount');
      await chmod(dirname(programs), 0o700);
      expect(await startsTwice({ dataDir: folder, binaries: programs }, hide)).to.match(/as uid [1-9]/);
      expect((await readdir('/var/lib')).filter((name) => name.startsWith('open-transport-postgres-'))).to.deep.equal(
        [],
      );
    });
  });
});
