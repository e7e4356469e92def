/**
 * A summary that is printed at the end of a test run: the engines, the number of skipped tests per reason, the
 * figures at full depth, and the slowest files. All processes that run test files write to one shared file.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Mocha from 'mocha';

type SummaryEntry =
  | { readonly engine: string; readonly is: string }
  | { readonly reason: string; readonly tests: number }
  | { readonly figure: string }
  | { readonly file: string; readonly seconds: number };

/** Number of files that are printed. */
const MAX_FILES = 10;
/** A file that takes longer should be divided, because it delays the end of a parallel run. */
const SLOW_FILE_SECONDS = 20;

/** Starts a run; processes that are started later write to the same file. */
export function startSummary(): void {
  process.env['TEST_REMARKS'] = join(tmpdir(), `transport-remarks-${process.pid}`);
}

/** Records an engine that a test uses, and its implementation here. */
export function recordEngine(engine: string, is: string): void {
  addEntry({ engine, is });
}

/** Records the duration of a file's tests. */
export function recordDuration(file: string, seconds: number): void {
  addEntry({ file, seconds });
}

/** Records a line with a figure, for the table at the end of `npm run verify`. */
export function recordFigure(figure: string): void {
  addEntry({ figure });
}

/** Skips the test of a context, or the whole suite of a hook, and records the reason. */
export function skip(context: Mocha.Context, reason: string): never {
  addEntry({ reason, tests: testsOf(context) });
  return context.skip();
}

function addEntry(entry: SummaryEntry): void {
  const file = process.env['TEST_REMARKS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Returns the number of tests that a hook skips; 1 for a test. */
function testsOf({ test }: Mocha.Context): number {
  return (test as unknown) instanceof Mocha.Hook ? test!.parent!.total() : 1;
}

/** Returns the lines to print and ends the run. */
export function finishSummary(): string[] {
  const file = process.env['TEST_REMARKS'];
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  rmSync(file);
  const engines = new Set<string>();
  const reasons = new Map<string, number>();
  const figures: string[] = [];
  const files: { readonly file: string; readonly seconds: number }[] = [];
  for (const one of lines.map((line) => JSON.parse(line) as SummaryEntry)) {
    if ('engine' in one) engines.add(`${one.engine}: ${one.is}`);
    else if ('figure' in one) figures.push(one.figure);
    else if ('file' in one) files.push(one);
    else reasons.set(one.reason, (reasons.get(one.reason) ?? 0) + one.tests);
  }
  return [
    ...[...engines].sort().map((line) => `  on ${line}`),
    ...[...reasons].sort().map(([reason, tests]) => `  skipped ${tests}: ${reason}`),
    ...figures.map((line) => `  figure ${line}`),
    ...files
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, MAX_FILES)
      .map(({ file, seconds }) => `  ${seconds} s${seconds > SLOW_FILE_SECONDS ? ', divide it' : ''}: ${file}`),
  ];
}
