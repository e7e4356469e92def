/** The suites of the project: their commands, at sampled depth in CI and at full depth in `npm run verify`. */
import type { Suite } from './scheduler.js';

const run = (script: string, ...args: string[]): Suite['command'] => ['npm', 'run', '-s', script, '--', ...args];
const mocha = (...args: string[]): Suite['command'] => ['npx', 'mocha', ...args];

/** These have no tests: types, the linter, the formatter. */
const CHECKS: readonly Suite[] = [
  { name: 'types', command: run('typecheck'), cores: 1, seconds: 60, isCheck: true },
  { name: 'lint', command: run('lint'), cores: 1, seconds: 90, isCheck: true },
];

/** Each attack, kill and outage once, and the shortest outage that is longer than any timeout of the service. */
const SAMPLED = { FAULT_ROUNDS: '1', FAULT_OUTAGE_SECONDS: '6', FUZZ_INPUTS: '10000' };

export const CI_SUITES: readonly Suite[] = [
  ...CHECKS,
  // The command of the README with a separate database server, as a new user runs it.
  { name: 'tests', command: ['npm', 'test'], env: { TEST_DATABASE_URL: '' }, cores: 2, seconds: 400 },
  {
    name: 'engines',
    command: mocha('--parallel', '--jobs', '2', 'dist/test/engines/**/*.test.js'),
    cores: 1,
    seconds: 150,
  },
  {
    name: 'kills',
    command: mocha('--parallel', '--jobs', '2', 'dist/test/fault/**/*.test.js'),
    cores: 1,
    seconds: 200,
  },
  { name: 'faults', command: mocha('dist/test/faults/**/*.test.js'), cores: 1, seconds: 200 },
  { name: 'pages', command: mocha('dist/test/{browser,docker}/**/*.test.js'), cores: 1, seconds: 80 },
  { name: 'eventstore', command: run('test:eventstore:log'), cores: 1, seconds: 100 },
  { name: 'mcp-conformance', command: run('test:mcp-conformance'), cores: 1, seconds: 60 },
  { name: 'guides', command: run('test:guides'), cores: 1, seconds: 60 },
  { name: 'node-versions', command: run('test:node-versions'), cores: 1, seconds: 60 },
  { name: 'clients', command: run('test:clients'), cores: 1, seconds: 60 },
  { name: 'fuzz', command: run('fuzz'), cores: 1, seconds: 60 },
].map((suite) => ({ ...suite, env: { ...SAMPLED, ...suite.env } }) as Suite);

/** Everything at full depth, one suite after the other, because faults and attacks are measured as well. */
export const VERIFY_SUITES: readonly Suite[] = [
  ...CHECKS,
  { name: 'tests', command: ['npm', 'test'], cores: 2, seconds: 1_500 },
  { name: 'engines', command: run('test:engines'), cores: 2, seconds: 900 },
  { name: 'faults', command: run('faults'), cores: 2, seconds: 3_000 },
  { name: 'eventstore', command: run('test:eventstore'), cores: 2, seconds: 900 },
  { name: 'mcp-conformance', command: run('test:mcp-conformance'), cores: 2, seconds: 90 },
  { name: 'guides', command: run('test:guides'), cores: 2, seconds: 90 },
  { name: 'node-versions', command: run('test:node-versions'), cores: 2, seconds: 90 },
  { name: 'clients', command: run('test:clients'), cores: 2, seconds: 180 },
  { name: 'fuzz', command: run('fuzz'), cores: 2, seconds: 5_000 },
].map((suite) => ({ ...suite, env: { VERIFY: '1', ...(suite as Suite).env } }) as Suite);
