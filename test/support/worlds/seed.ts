/**
 * Start value of generated tests. On a developer's machine each run tries new values. In CI (CI is set) all runs try
 * the same values, so that a failure is caused by the change and not by chance. `SEED` repeats a run; a failing test
 * prints its seed.
 */
import fc from 'fast-check';

const IN_CI = 20_261;

export const SEED = Number(process.env['SEED'] ?? (process.env['CI'] ? IN_CI : Date.now() % 1_000_000));

fc.configureGlobal({ seed: SEED });
