/** The first accounts of an installation at the command line, as in the README under Production. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { runCli, type CommandResult } from '../../support/processes/cli.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';

const EMAIL = 'ada@beta.example';

describe('accounts of an installation, at the command line', () => {
  let t: TestService;
  let folder: string;
  before(async () => {
    t = await startTestService();
    folder = await mkdtemp(join(tmpdir(), 'transport-operators-'));
  });
  after(async () => {
    await t?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const admin = (...args: string[]): Promise<CommandResult> =>
    runCli('admin', args, { DATABASE_URL: t.databaseUrl, MASTER_KEY, DATA_DIR: folder });
  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await admin(...args);
    expect(code, stderr).to.equal(0);
    return stdout.trimEnd();
  }
  const signIn = async (password: string) => t.api('/user/login', { body: { email: EMAIL, password } });
  const me = async (key: string) => t.api('/me', { key });

  it('creates a business and its first admin, who signs in with the printed password', async () => {
    expect(await succeed('business', 'add', 'beta', '--name', 'Beta', '--timezone', 'Europe/Paris')).to.match(/^\d+$/);
    const password = await succeed(
      ...['user', 'add', EMAIL, '--name', 'Ada', '--role', 'client_admin', '--business', 'beta'],
    );
    const { status, json } = await signIn(password);
    expect(status).to.equal(200);
    expect((await me(json.access_token as string)).json.user).to.include({ role: 'client_admin', email: EMAIL });
    await succeed('user', 'add', 'root@example.com', '--name', 'Root', '--role', 'platform_admin');
  });

  it('lists all accounts, or those of a business', async () => {
    const line = ['client_admin', 'beta', 'active', EMAIL, 'Ada'].join('\t');
    const beta = await succeed('user', 'list', '--business', 'beta');
    expect(beta).to.match(new RegExp(`^\\d+\t${line}$`));
    const all = (await succeed('user', 'list')).split('\n');
    expect(all).to.include(beta).and.have.length.above(Object.keys(t.demo.users).length);
    expect(all.find((one) => one.includes('root@example.com'))).to.include('platform_admin\t-\tactive');
    expect((await admin('user', 'list', '--business', 'gamma')).stderr).to.equal(
      'The business gamma does not exist.\n',
    );
  });

  it('a new password ends the sessions of an account, and so does disabling it', async () => {
    const first = await succeed('user', 'rotate', EMAIL);
    const session = (await signIn(first)).json.access_token as string;
    const rotated = await admin('user', 'rotate', EMAIL);
    const second = rotated.stdout.trim();
    expect(rotated.stderr.match(/revoked/g), rotated.stderr).to.have.length(1);
    expect((await me(session)).status).to.equal(401);
    expect((await signIn(first)).status).to.equal(401);
    const again = (await signIn(second)).json.access_token as string;
    await succeed('user', 'revoke', EMAIL);
    expect((await me(again)).status).to.equal(401);
    expect((await signIn(second)).status).to.equal(401);
    expect(await succeed('user', 'list', '--business', 'beta')).to.include('\tdisabled\t');
  });

  it('rejects invalid input, and changes nothing', async () => {
    const before = await succeed('user', 'list');
    for (const [args, code, output] of [
      [['business', 'add', 'beta', '--name', 'Again'], 1, 'The business beta already exists.'],
      [['business', 'add', 'Beta!', '--name', 'B'], 2, '<code> must consist of lower-case letters'],
      [['business', 'add', 'delta', '--name', 'D', '--timezone', 'Mars/Base'], 2, 'Unknown timezone Mars/Base.'],
      [
        ['user', 'add', 'nobody', '--name', 'N', '--role', 'driver', '--business', 'beta'],
        2,
        'Invalid e-mail address nobody.',
      ],
      [
        ['user', 'add', 'n@x.example', '--name', 'N', '--role', 'king', '--business', 'beta'],
        2,
        '--role requires one of',
      ],
      [['user', 'add', 'n@x.example', '--name', 'N', '--role', 'driver'], 2, '--business is missing.'],
      [
        ['user', 'add', 'n@x.example', '--name', 'N', '--role', 'driver', '--business', 'gamma'],
        1,
        'The business gamma does not exist',
      ],
      [['user', 'add', EMAIL, '--name', 'N', '--role', 'driver', '--business', 'beta'], 1, 'has this address'],
      [['user', 'rotate', 'nobody@x.example'], 1, 'No account has this address.'],
    ] as const) {
      const ran = await admin(...args);
      expect([ran.code, ran.stdout], args.join(' ')).to.deep.equal([code, '']);
      expect(ran.stderr, args.join(' ')).to.include(output);
    }
    expect(await succeed('user', 'list')).to.equal(before);
  });
});
