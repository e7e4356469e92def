/**
 * The README and the guides show the real behaviour. The test starts a fresh copy of the tree like a new user, on
 * another port, and pastes each block of commands in order. If a block of output follows, the output must be equal,
 * except for times, ids and keys.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePorts } from '../support/processes/ports.js';

const GUIDES = ['carrier', 'shop', 'paid-delivery', 'operator', 'day', 'auditor', 'developer'].map(
  (name) => `docs/guides/${name}.md`,
);
/** Pages that continue the guide for operators. */
const GOING_ON = ['docs/places.md'];
const OPERATOR = 'docs/guides/operator.md';
/** Commands that prepare or serve the copy itself are not pasted into it. */
const NOT_PASTED = /^(([A-Z_]+=\w+ )?npm (ci|start|test)|npm run admin|npx )/m;
const COMMANDS = /^(curl|BASE=|login\(|for |npm run|node -e|printf|get |post |ask |show |[A-Z]+=)/m;

interface Block {
  readonly commands: string;
  /** Absent if the text shows no output. */
  readonly output?: string;
}

/** The fenced blocks without a language, each with the block of output after it. */
function blocksOf(text: string): Block[] {
  const fenced = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, inside]) =>
    language === '' ? [inside!] : [],
  );
  return fenced.flatMap((commands, index) => {
    if (!COMMANDS.test(commands) || NOT_PASTED.test(commands)) return [];
    const next = fenced[index + 1];
    return [{ commands, ...(next !== undefined && !COMMANDS.test(next) && { output: next }) }];
  });
}

/** Replaces times, ids, keys and numbers, so that the texts of two runs are equal. */
const leveled = (text: string): string =>
  text
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\bOT[0-9A-Z]{12}\b/g, 'NUMBER')
    .replace(/open-transport\/[0-9a-f]+/g, 'LOG')
    .replace(/https?:\/\/[\w.]+:\d+/g, 'BASE')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, '');

/** The pieces of the shown output between `...` occur in the real output, in order. */
function expectShown(shown: string, actual: string, where: string): void {
  let rest = leveled(actual);
  for (const piece of leveled(shown).split('...')) {
    const at = rest.indexOf(piece);
    expect(at, `${where} shows\n${piece}\nbut the answer goes on with\n${rest.slice(0, 1_500)}`).to.be.at.least(0);
    rest = rest.slice(at + piece.length);
  }
}

/** One shell that blocks are pasted into, as into a terminal. */
function openShell(cwd: string) {
  // The start of the service has compiled the project, so its commands need not check that again.
  const env = { ...process.env, npm_config_ignore_scripts: 'true' };
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let buffered = '';
  let waiting: (() => void) | undefined;
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => {
      buffered += chunk.toString();
      waiting?.();
    });
  return {
    async paste(commands: string): Promise<string> {
      buffered = '';
      const end = `end-of-block-${Math.random()}`;
      shell.stdin.write(`${commands}\necho\necho ${end}\n`);
      while (!buffered.includes(end)) await new Promise<void>((resolve) => (waiting = resolve));
      return buffered.slice(0, buffered.indexOf(end));
    },
    close: () => shell.kill(),
  };
}

describe('README and guides', () => {
  let copy: string;
  let service: ChildProcess;

  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'transport-guides-'));
    await promisify(execFile)('git', ['clone', '--quiet', '--depth', '1', `file://${process.cwd()}`, copy]);
    await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    await cp('dist', join(copy, 'dist'), { recursive: true, preserveTimestamps: true });
    const { PATH, HOME } = process.env;
    service = spawn('npm', ['start'], {
      cwd: copy,
      detached: true,
      env: { PATH, HOME, PORT: String((await freePorts(1))[0]), ACCESS_LOG: 'false', PAYMENTS_PROVIDER: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(service.stdout!);
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => line.startsWith('ready ') && resolve());
      service.once('exit', () => reject(new Error('The service ended before it was ready.')));
    });
  });
  after(async () => {
    if (service?.pid !== undefined && service.exitCode === null) {
      process.kill(-service.pid, 'SIGTERM');
      await once(service, 'exit');
    }
    await rm(copy, { recursive: true, force: true });
  });

  for (const file of ['README.md', ...GUIDES, ...GOING_ON])
    it(`${file}, pasted block by block`, async () => {
      const shell = openShell(copy);
      if (GOING_ON.includes(file)) await shell.paste(blocksOf(await readFile(OPERATOR, 'utf8'))[0]!.commands);
      const blocks = blocksOf(await readFile(file, 'utf8'));
      expect(blocks).to.not.be.empty;
      for (const { commands, output } of blocks) {
        const shellOutput = await shell.paste(commands);
        const where = `${file}, "${commands.slice(0, 80)}"`;
        if (output !== undefined) expectShown(output, shellOutput, where);
        else expect(shellOutput, where).to.not.match(/"result":false|command not found|Error:|SyntaxError/);
      }
      shell.close();
    });
});
