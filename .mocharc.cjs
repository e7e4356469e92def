const { availableParallelism } = require('node:os');

/** Files of `--parallel` runs that run at a time. Each has a database server busy beside it, and waits now and then. */
const jobs = Number(process.env.TEST_JOBS ?? Math.min(availableParallelism() + 1, 6));

module.exports = {
  require: ['./dist/test/support/run.js'],
  // Young objects are what a test creates: collecting them rarely is most of what V8 can save.
  'node-option': ['enable-source-maps', 'max-semi-space-size=64'],
  // At full depth, a test takes as long as it needs.
  timeout: process.env.VERIFY === '1' ? 0 : 600_000,
  exit: true,
  jobs,
};
