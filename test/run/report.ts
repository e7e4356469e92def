/** The output of a run of suites: one line when each ends, then a table, the failures, and one line of counts. */
import { failuresOf } from './counts.js';
import type { Outcome } from './scheduler.js';

/** `ok   faults          212 s    31 passed, 0 failed, 1 skipped` */
export const lineOf = ({ suite, exitCode, seconds, passed, failed, skipped }: Outcome): string =>
  [
    isGood({ exitCode, failed }) ? 'ok    ' : 'FAILED',
    suite.name.padEnd(16),
    `${seconds} s`.padStart(6),
    '  ',
    suite.isCheck ? '' : `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join(' ');

export const isGood = ({ exitCode, failed }: Pick<Outcome, 'exitCode' | 'failed'>): boolean =>
  exitCode === 0 && failed === 0;

/** Lines that Mocha prints after its counts: engines, reasons of skipped tests, figures, slowest files. */
const notesOf = (output: string): string[] => output.match(/^ {2}(on |figure |skipped \d|[\d.]+ s[,:]).*$/gm) ?? [];

/** Number of output lines that are printed for a failed suite without a list of failures. */
const LAST_LINES = 200;

export function reportOf(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter((outcome) => !isGood(outcome));
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[count], 0);
  return [
    ...outcomes.flatMap(({ suite, output }) => notesOf(output).map((note) => `${suite.name.padEnd(16)}${note}`)),
    '',
    // Readers of long outputs often keep only the end, so failures come last.
    ...failed.map(
      ({ suite, output }) =>
        `== ${suite.name} failed: ${suite.command.join(' ')}\n${failuresOf(output) || output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')}\n`,
    ),
    ...outcomes.map(lineOf),
    `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`,
  ].join('\n');
}
