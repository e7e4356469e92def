/**
 * Runs many suites concurrently on few cores. Each suite says how many cores it keeps busy on average; suites that
 * mostly wait (for an outage, a lease, a killed process) fill the time that others leave idle.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countsOf, type Counts } from './counts.js';

export interface Suite {
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]];
  /** In addition to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Cores that it keeps busy on average: 0.3 for one that mostly waits. */
  readonly cores: number;
  /** Expected duration on two idle cores. It only decides the order: suites that take longer start first. */
  readonly seconds: number;
  /** It has no tests and is judged by its exit code: the linter, the compiler. */
  readonly isCheck?: boolean;
}

export interface Outcome extends Counts {
  readonly suite: Suite;
  readonly exitCode: number;
  /** Measured. */
  readonly seconds: number;
  readonly output: string;
}

/**
 * Runs every suite and returns their outcomes in the order in which they ended. A suite starts when the running ones
 * leave enough cores for it. A suite that needs more than `cores` starts when it is alone.
 * @param folder existing; receives the output of each suite as `<name>.txt`
 */
export async function runSuites(
  suites: readonly Suite[],
  { cores, folder, onEnd }: { cores: number; folder: string; onEnd: (outcome: Outcome) => void },
): Promise<Outcome[]> {
  const waiting = [...suites].sort((a, b) => b.seconds - a.seconds);
  const running = new Map<Suite, Promise<void>>();
  const outcomes: Outcome[] = [];
  while (waiting.length + running.size > 0) {
    for (let next = nextOf(waiting, running, cores); next; next = nextOf(waiting, running, cores)) {
      const suite = next;
      waiting.splice(waiting.indexOf(suite), 1);
      running.set(
        suite,
        runSuite(suite, folder).then((outcome) => {
          running.delete(suite);
          outcomes.push(outcome);
          onEnd(outcome);
        }),
      );
    }
    await Promise.race(running.values());
  }
  return outcomes;
}

/** The longest waiting suite that fits next to the running ones. */
export function nextOf(
  waiting: readonly Suite[],
  running: { readonly size: number; keys(): Iterable<Suite> },
  cores: number,
): Suite | undefined {
  if (running.size === 0) return waiting[0];
  const taken = [...running.keys()].reduce((sum, suite) => sum + suite.cores, 0);
  // Sums of decimals: 0.7 + 0.3 + 1 is not exactly 2.
  return waiting.find((suite) => taken + suite.cores <= cores + 1e-9);
}

/** The file in which a suite lists its files with a failed test or hook, one path per line. */
export const failedList = (folder: string, { name }: Suite): string => join(folder, `${name}.failed`);

export async function runSuite(suite: Suite, folder: string): Promise<Outcome> {
  const [program, ...args] = suite.command;
  const path = join(folder, `${suite.name}.txt`);
  const file = createWriteStream(path);
  const began = performance.now();
  const exitCode = await new Promise<number>((resolve) => {
    const env = { ...process.env, ...suite.env, TEST_FAILED_FILES: failedList(folder, suite) };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
    child.once('error', (error) => {
      file.write(`${String(error)}\n`);
      resolve(127);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
  await new Promise((resolve) => file.end(resolve));
  const output = await readFile(path, 'utf8');
  const seconds = Math.round((performance.now() - began) / 1_000);
  return { suite, exitCode, seconds, output, ...judge(countsOf(output), suite, exitCode) };
}

/** A suite that ends early counts as one failure, and so does one without tests. */
function judge(counts: Counts, { isCheck = false }: Suite, exitCode: number): Counts {
  const isBroken = exitCode !== 0 || (!isCheck && counts.passed === 0);
  return isBroken && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
