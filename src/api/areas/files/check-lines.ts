/** Validates the lines of an imported table before anything is written. */
import { ApiError } from '../../core/errors.js';
import type { Language } from '../../core/messages/index.js';
import { toLineError, type LineError } from '../orders/line-errors.js';
import { outcomeOf } from '../orders/results.js';

/** Maximum number of errors in the response and in the result. */
export const MAX_REPORTED_ERRORS = 200;
/** Number of lines that are validated before other requests may run. */
const CHUNK_SIZE = 100;

export interface CheckedLines<L> {
  readonly validLines: readonly L[];
  readonly lineErrors: readonly LineError[];
}

/** `check` throws the errors of one line. */
export async function checkLines<L extends { readonly line: number }>(
  lines: readonly L[],
  check: (line: L) => void,
): Promise<CheckedLines<L>> {
  const lineErrors: LineError[] = [];
  const validLines: L[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await new Promise(setImmediate);
    const outcome = await outcomeOf(index, async () => {
      check(line);
      return undefined as never;
    });
    if ('failed' in outcome) lineErrors.push({ line: line.line, failed: outcome.failed });
    else validLines.push(line);
  }
  return { validLines, lineErrors };
}

/** The first errors of a table, in a response. */
export const reportedErrors = (lineErrors: readonly LineError[], language: Language) =>
  lineErrors.slice(0, MAX_REPORTED_ERRORS).map((error) => toLineError(error, language));

/** IMPORT_REJECTED: nothing was written. `lines`: the reported errors. */
export const importRejected = (count: number, lines: ReturnType<typeof reportedErrors>): ApiError =>
  new ApiError('IMPORT_REJECTED', { params: { count }, members: { lines } });
