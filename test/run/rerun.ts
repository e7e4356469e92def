/**
 * Runs failed files again when nothing else runs. Files that pass then are unstable: they are printed, and do not fail
 * the run. This step will be removed after three green runs in a row without it (docs/testing.md).
 */
import { readFile } from 'node:fs/promises';
import { isGood } from './report.js';
import { failedList, runSuite, type Outcome, type Suite } from './scheduler.js';

/** More failed files than this are no coincidence, and are not run again. */
const MAX_FILES = 12;

/** The suite with only its failed files; undefined if they are unknown or too many. */
async function failedPart(suite: Suite, folder: string): Promise<Suite | undefined> {
  const list = await readFile(failedList(folder, suite), 'utf8').catch(() => '');
  const files = [...new Set(list.split('\n').filter((file) => file !== ''))];
  if (suite.isCheck || files.length === 0 || files.length > MAX_FILES) return undefined;
  return { ...suite, name: `${suite.name}-again`, command: ['npx', 'mocha', ...files] };
}

/** The outcomes; those of the second run replace failures that it did not confirm. */
export async function rerunFailed(
  outcomes: readonly Outcome[],
  folder: string,
  onUnstable: (files: readonly string[]) => void,
): Promise<Outcome[]> {
  const judged: Outcome[] = [];
  for (const outcome of outcomes) {
    const part = isGood(outcome) ? undefined : await failedPart(outcome.suite, folder);
    const again = part && (await runSuite(part, folder));
    if (again && isGood(again)) onUnstable(part.command.slice(2));
    judged.push(
      again && isGood(again)
        ? { ...outcome, exitCode: 0, passed: outcome.passed + outcome.failed, failed: 0 }
        : outcome,
    );
  }
  return judged;
}
