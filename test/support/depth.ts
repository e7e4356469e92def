/**
 * How deep a run tests. CI and `npm test` draw samples; `npm run verify` sets VERIFY=1 and covers everything that a
 * test can cover. Use it where the full depth costs more than some seconds.
 */
export const isFullDepth = process.env['VERIFY'] === '1';

/** A size of a test: the one of its acceptance at full depth, else one that costs less and shows the same. */
export const atDepth = (full: number, sampled: number): number => (isFullDepth ? full : sampled);

/** Runs of a property: a fifth of them in CI, where thousands of cases are drawn in every run of the project anyway. */
export const runs = (full: number): number => (isFullDepth ? full : Math.max(20, Math.ceil(full / 5)));
