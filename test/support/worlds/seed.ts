/**
 * Where generated tests begin. On a developer's machine each run tries something new; a check before landing (CI is
 * set) tries the same as the one before, so that it tells of the change and not of the dice. `SEED` repeats a run: what
 * fails names it.
 */
import fc from 'fast-check';

const IN_CI = 20_261;

export const SEED = Number(process.env['SEED'] ?? (process.env['CI'] ? IN_CI : Date.now() % 1_000_000));

fc.configureGlobal({ seed: SEED });
