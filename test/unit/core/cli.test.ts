/** The command line programs, up to the point where they open a database. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { progressNotes } from '../../../src/cli/progress-notes.js';
import { runCli, type Program } from '../../support/processes/cli.js';

describe('the command line', () => {
  const run = (program: Program, ...args: string[]) => runCli(program, args, {});

  it('lists its commands, and the usage of each', async () => {
    const all = await run('admin', '--help');
    expect([all.code, all.stderr]).to.deep.equal([0, '']);
    expect(all.stdout)
      .to.include('Usage: npm run admin --')
      .and.match(/provider +add, /);
    const one = await run('admin', 'user', 'add', '--help');
    expect(one.stdout).to.include('user add [options] <e-mail>').and.include('--role <role>');
  });

  it('only shows the help if it is requested', async () => {
    const { code, stdout, stderr } = await run('schema', '--help');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('Usage: npm run schema --').and.include('docs/schema.graphql');
  });

  it('suggests the intended command, and shows its usage', async () => {
    for (const [args, message] of [
      [['provider', 'ad'], 'Did you mean add?'],
      [['provider', 'add', 'x', '--nam', 'y'], 'Did you mean --name?'],
      [['provider', 'add'], "missing required argument 'id'"],
      [['user', 'rotate', 'a', 'b'], 'too many arguments'],
      [['provider'], 'Usage: npm run admin -- provider'],
      [['provider', 'add', 'x', '--kind', 'carrier'], '--name is missing.'],
    ] as const) {
      const { code, stdout, stderr } = await run('admin', ...args);
      expect([code, stdout], args.join(' ')).to.deep.equal([2, '']);
      expect(stderr, args.join(' ')).to.include(message).and.include('Usage:');
    }
  });

  it('names a missing file', async () => {
    const key = 'name+00000000+AQ';
    const { code, stderr } = await run('audit', 'verify-proof', '/nowhere.json');
    expect([code, stderr.includes('--key is missing.')], key).to.deep.equal([2, true]);
    const gone = await run('backup', 'verify', '/nowhere');
    expect([gone.code, gone.stderr]).to.deep.equal([1, '/nowhere/keys.ndjson.gz does not exist.\n']);
  });

  it('completes commands and options in a shell', async () => {
    const main = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));
    const printed = (shell: string) => spawnSync(process.execPath, [main, 'completion', shell], { encoding: 'utf8' });
    expect(printed('fish').status).to.equal(2);
    expect(printed('zsh').stdout).to.match(/^autoload/);
    const { stdout: script } = printed('bash');
    const complete = (...words: string[]) =>
      spawnSync('bash', [
        '-c',
        `${script}\nCOMP_WORDS=(open-transport ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _open_transport; echo "\${COMPREPLY[@]}"`,
      ]).stdout.toString();
    expect(complete('ad')).to.equal('admin\n');
    expect(complete('admin', 'provider', 'g')).to.equal('grant\n');
    expect(complete('admin', 'user', 'add', '--')).to.equal('--name --role --business --help\n');
    expect(complete('admin', 'erase', 'order-1', '--y')).to.equal('--yes\n');
  });

  it('shows the progress of a long run, with the remaining time if the total is known', () => {
    const notes: string[] = [];
    let at = 0;
    const progress = progressNotes(
      'verify',
      (line) => notes.push(line),
      10_000,
      () => at,
    );
    at = 1_000;
    progress(100);
    at = 2_000;
    progress(2_000);
    at = 5_000;
    progress(10_500);
    expect(notes).to.deep.equal([
      'verify: 2000 of 10000 events, 20 %, 1000/s, about 8 s left',
      'verify: 10500 events, 2100/s',
    ]);
  });
});
