/**
 * The depth of a test run. CI and `npm test` test samples; `npm run verify` sets VERIFY=1 and runs all cases. Use it if
 * the full depth takes more than some seconds.
 */
export const isFullDepth = process.env['VERIFY'] === '1';

/**
 * Returns the size of a test: at full depth the size of the acceptance criterion, otherwise a smaller size with the
 * same result.
 */
export const atDepth = (full: number, sampled: number): number => (isFullDepth ? full : sampled);

/**
 * Returns the number of runs of a property test: a fifth in CI, where every run of the project tests thousands of cases
 * anyway.
 */
export const runs = (full: number): number => (isFullDepth ? full : Math.max(20, Math.ceil(full / 5)));
