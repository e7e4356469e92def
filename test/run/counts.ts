/** How many tests passed, failed and were skipped, read from the output of a suite. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Mocha prints each count on a separate line; other suites print `N passed, N failed, N skipped`. */
const MOCHA = /^ +(\d+) (passing|failing|pending)\b.*$/gm;
const LINE = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

/** The sums over all runs in the output: one suite may run Mocha twice. */
export function countsOf(output: string): Counts {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [, count, kind] of output.matchAll(MOCHA))
    sum[kind === 'passing' ? 'passed' : kind === 'failing' ? 'failed' : 'skipped'] += Number(count);
  for (const [, passed, failed, skipped] of output.matchAll(LINE)) {
    sum.passed += Number(passed);
    sum.failed += Number(failed);
    sum.skipped += Number(skipped);
  }
  return sum;
}

/** The failures in the output of Mocha, from their count to the end. */
export const failuresOf = (output: string): string => /^ +\d+ failing[\s\S]*/m.exec(output)?.[0].trimEnd() ?? '';
