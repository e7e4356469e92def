/**
 * How deep a run tests. CI and `npm test` draw samples; `npm run verify` sets VERIFY=1 and covers everything that a
 * test can cover. Use it where the full depth costs more than some seconds.
 */
export const isFullDepth = process.env['VERIFY'] === '1';
