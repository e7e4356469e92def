/** The runner of suites: which suites run concurrently, and which results count as failures. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { countsOf, failuresOf } from '../../run/counts.js';
import { isGood, reportOf } from '../../run/report.js';
import { rerunFailed } from '../../run/rerun.js';
import { nextOf, runSuites, type Outcome, type Suite } from '../../run/scheduler.js';
import { CI_SUITES, VERIFY_SUITES } from '../../run/suites.js';

const suite = (name: string, cores: number, seconds: number, script = ''): Suite => ({
  name,
  cores,
  seconds,
  command: [process.execPath, '-e', script],
});
const names = (suites: readonly Suite[]) => suites.map(({ name }) => name);

describe('runner of suites', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'transport-runner-'))));
  after(() => rm(folder, { recursive: true }));

  it('starts the longest suite that fits next to the running ones', () => {
    const [long, wide, idle] = [suite('long', 1, 90), suite('wide', 1.5, 60), suite('idle', 0.3, 30)];
    expect(nextOf([long!, wide!, idle!], new Map(), 2)).to.equal(long);
    expect(nextOf([wide!, idle!], new Map([[long, true]]), 2)).to.equal(idle);
    expect(nextOf([wide!], new Map([[long, true]]), 2)).to.equal(undefined);
    // The suite needs more cores than there are, so it runs only when no other suite does.
    expect(nextOf([wide!], new Map(), 1)).to.equal(wide);
    expect(
      nextOf(
        [suite('c', 0.7, 1)],
        new Map([
          [suite('a', 0.1, 1), true],
          [suite('b', 0.2, 1), true],
        ]),
        1,
      ),
    ).to.exist;
  });

  it('runs every suite once, and never more than fit', async () => {
    const marks = join(folder, 'marks');
    // The first two suites wait for each other, so the test does not depend on the speed of the machine.
    const script = `const fs = require('fs');
      const marks = ${JSON.stringify(marks)};
      fs.appendFileSync(marks, '+');
      (function wait() {
        if (fs.readFileSync(marks, 'utf8').split('+').length < 3) return setTimeout(wait, 10);
        setTimeout(() => { fs.appendFileSync(marks, '-'); console.log('1 passed, 0 failed, 0 skipped'); }, 50);
      })();`;
    const suites = Array.from({ length: 6 }, (_, index) => suite(`s${index}`, 1, index, script));
    const ended: string[] = [];
    const outcomes = await runSuites(suites, { cores: 2, folder, onEnd: (outcome) => ended.push(outcome.suite.name) });
    expect(ended).to.have.members(names(suites));
    expect(outcomes.every(isGood)).to.equal(true);
    let running = 0;
    const levels = [...(await readFile(marks, 'utf8'))].map((mark) => (running += mark === '+' ? 1 : -1));
    expect(levels).to.have.length(12);
    expect(Math.max(...levels)).to.equal(2);
  });

  it('counts a suite that ends early, tests nothing or cannot start as a failure', async () => {
    const outcomes = new Map<string, Outcome>();
    await runSuites(
      [
        suite('broken', 1, 4, "console.log('  12 passing (1s)'); process.exit(3)"),
        suite('empty', 1, 3),
        { ...suite('missing', 1, 2), command: [join(folder, 'no-such-program')] },
        { ...suite('check', 1, 1), isCheck: true },
        { ...suite('bad-check', 1, 1, 'process.exit(1)'), isCheck: true },
      ],
      { cores: 2, folder, onEnd: (outcome) => outcomes.set(outcome.suite.name, outcome) },
    );
    const failed = [...outcomes.values()].filter((outcome) => !isGood(outcome));
    expect(names(failed.map((outcome) => outcome.suite))).to.have.members(['broken', 'empty', 'missing', 'bad-check']);
    expect(outcomes.get('broken')).to.include({ passed: 12, failed: 1 });
    expect(
      reportOf([...outcomes.values()])
        .split('\n')
        .at(-1),
    ).to.equal('12 passed, 4 failed, 0 skipped');
  });

  it('lists the figures of a suite in the table', () => {
    const [outcome] = [{ suite: suite('faults', 1, 1), exitCode: 0, seconds: 9, passed: 1, failed: 0, skipped: 0 }];
    const output = '      first start: 3 s\n  1 passing\n  figure first start: 3 s\n';
    expect(reportOf([{ ...outcome!, output }])).to.match(/^faults +figure first start: 3 s$/m);
  });

  it('reads the counts of Mocha and of other suites', () => {
    const output =
      '  ✔ a test with 3 passing trains\n\n  7 passing (2s)\n  2 pending\n  1 failing\n\n  1) it fails\n     why\n';
    expect(countsOf(output)).to.deep.equal({ passed: 7, failed: 1, skipped: 2 });
    expect(failuresOf(output)).to.contain('why');
    expect(countsOf(`${output}5 passed, 1 failed, 106 skipped\n`)).to.deep.equal({
      passed: 12,
      failed: 2,
      skipped: 108,
    });
  });

  it('runs failed files again, and keeps confirmed failures', async () => {
    const note = (file: string, then: string) =>
      `require('fs').appendFileSync(process.env.TEST_FAILED_FILES, ${JSON.stringify(file)} + '\\n'); ${then}`;
    const broken = "console.log('  2 passing\\n  1 failing'); process.exit(1)";
    const outcomes = await runSuites(
      [
        suite('steady', 1, 2, "console.log('  2 passing')"),
        // Mocha finds no tests in this file, so the second run fails, too.
        suite('confirmed', 1, 1, note('dist/test/support/depth.js', broken)),
      ],
      { cores: 2, folder, onEnd: () => undefined },
    );
    const judged = await rerunFailed(outcomes, folder, () => undefined);
    expect(names(judged.filter((outcome) => !isGood(outcome)).map((outcome) => outcome.suite))).to.deep.equal([
      'confirmed',
    ]);
  });

  it('runs every suite that CI samples at full depth', () => {
    const full = new Set(names(VERIFY_SUITES));
    // Suites that run the files of `npm run test:engines` in parts.
    const parts = ['kills', 'pages'];
    expect(names(CI_SUITES).filter((name) => !full.has(name))).to.have.members(parts);
    expect(VERIFY_SUITES.every(({ env }) => env?.['VERIFY'] === '1')).to.equal(true);
  });
});
