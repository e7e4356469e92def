/**
 * A folder for generated clients, with the generators. They are large (210 MB) and only this suite uses them. So they
 * have a separate lock file, and are cached in node_modules until that file changes.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const SOURCES = 'test/clients';
const CACHE = 'node_modules/.cache/test-clients';
/** Maximum output of a program, in bytes. */
const MAX_BYTES = 64 * 1_024 * 1_024;

export interface Workshop {
  readonly folder: string;
  /** Runs a program in the folder and returns its output. On failure it throws an error with all of the output. */
  readonly run: (program: string, ...args: string[]) => Promise<string>;
}

/** Runs a program in a folder; `PATH` has the programs of its packages first. */
export const runIn =
  (folder: string): Workshop['run'] =>
  async (program, ...args) => {
    const env = {
      ...process.env,
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`,
      NODE_OPTIONS: '',
    };
    try {
      return (await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: MAX_BYTES })).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${[program, ...args].join(' ')} failed\n${stdout}\n${stderr}`, { cause: error });
    }
  };

/** The generators, and fresh copies of stories and configurations. */
export async function openWorkshop(): Promise<Workshop> {
  const lock = await readFile(join(SOURCES, 'package-lock.json'));
  const folder = resolve(CACHE, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (!existsSync(folder)) await install(folder);
  for (const name of ['stories', 'codegen.yaml', 'redocly.yaml', 'spectral.yaml']) {
    await rm(join(folder, name), { recursive: true, force: true });
    await cp(join(SOURCES, name), join(folder, name), { recursive: true });
  }
  return { folder, run: runIn(folder) };
}

/** Installs under another name until the folder is complete. Removes folders of earlier lock files. */
async function install(folder: string): Promise<void> {
  await rm(resolve(CACHE), { recursive: true, force: true });
  const incomplete = `${folder}.incomplete`;
  await mkdir(incomplete, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) await cp(join(SOURCES, name), join(incomplete, name));
  await runIn(incomplete)('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  await rename(incomplete, folder);
}
