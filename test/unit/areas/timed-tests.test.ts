/**
 * No test depends on the speed of the machine: the lint rules of eslint/no-timed-tests, and flags that repeat tests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Linter, type ESLint } from 'eslint';

const RULES = ['elapsed', 'retries', 'timeouts'] as const;

/** Returns the rules that a piece of test code violates. */
type Broken = (code: string) => readonly string[];

async function openRules(): Promise<Broken> {
  const path = pathToFileURL(resolve('eslint/no-timed-tests/index.js')).href;
  const { default: timed } = (await import(path)) as { default: ESLint.Plugin };
  const linter = new Linter();
  const rules = Object.fromEntries(RULES.map((rule) => [`timed/${rule}`, 'error'] as const));
  return (code) => linter.verify(code, [{ plugins: { timed }, rules }]).map(({ ruleId, message }) => ruleId ?? message);
}

/** Each of these examples depends on elapsed time. */
const ELAPSED: Readonly<Record<string, string>> = {
  'a difference': `const began = performance.now(); await work(); expect(performance.now() - began).to.be.below(5_000);`,
  'a variable': `const began = Date.now(); await work(); const took = Date.now() - began; expect(took).to.be.above(600);`,
  'seconds, rounded': `const t = Date.now(); const s = Math.round((Date.now() - t) / 1_000); expect(s).to.equal(2);`,
  'processor time': `const before = process.cpuUsage(); work(); expect(process.cpuUsage(before).user).to.be.below(2);`,
  'destructured processor time': `const { user, system } = process.cpuUsage(before); expect((user + system) / 5).to.be.below(30);`,
  'a high resolution time': `const t = process.hrtime(); work(); expect(process.hrtime(t)[0]).to.be.below(1);`,
  'the delay of the event loop': `const delay = monitorEventLoopDelay(); expect(delay.max / 1e6).to.be.below(500);`,
  'a list of durations': `const took = []; const t = Date.now(); took.push(Date.now() - t); expect(Math.max(...took)).to.be.below(9);`,
  'gaps between readings': `const at = []; at.push(Date.now()); const gaps = at.slice(1).map((t, n) => t - at[n]); expect(gaps[0]).to.be.above(5);`,
  'a function of the file': `const time = async () => { const t = Date.now(); await work(); return Date.now() - t; }; expect(await time()).to.be.below(9);`,
  'the clock itself': `const latest = Date.now() + 5_000; while (!done()) expect(Date.now(), 'in time').to.be.below(latest);`,
  'a comparison with the clock': `const end = Date.now() + 5_000; await work(); expect(Date.now() < end).to.equal(true);`,
  'a limit that depends on it': `const t = Date.now(); expect(count).to.be.at.least(9 * (Date.now() - t));`,
  'a rate': `const t = Date.now(); const rate = count / (Date.now() - t); expect(rate).to.be.above(100);`,
  'a time near the present': `expect(Date.parse(row.at)).to.be.closeTo(Date.now(), 60_000);`,
  'a time in the future': `expect(Date.parse(row.until) - Date.now()).to.be.closeTo(86_400_000, 60_000);`,
  assert: `const t = Date.now(); assert(Date.now() - t < 5);`,
  'assert.ok': `const t = Date.now(); assert.ok(Date.now() - t < 5);`,
};

/** None of these examples depends on elapsed time. */
const FREE: Readonly<Record<string, string>> = {
  'a time between two readings': `const before = Date.now(); await work(); expect(Date.parse(row.at)).to.be.within(before, Date.now());`,
  'a time in a request': `const from = new Date(Date.now() - 60_000).toISOString(); expect(await count(\`?from=\${from}\`)).to.equal(0);`,
  'a clock of the test': `let time = 0; const now = () => time; time += 5; expect(now() - 5).to.equal(0);`,
  'a time that is printed': `const t = Date.now(); console.log(Date.now() - t); expect(count).to.equal(3);`,
  'a time in the message': `const t = Date.now(); expect(count, \`after \${Date.now() - t} ms\`).to.equal(3);`,
  'times of the data': `expect(Date.parse(route.end) - Date.parse(route.start)).to.equal(3_600_000);`,
};

describe('tests and the speed of the machine', () => {
  let broken: Broken;
  before(async () => void (broken = await openRules()));

  for (const [what, code] of Object.entries(ELAPSED))
    it(`finds an assertion on elapsed time: ${what}`, () =>
      expect(broken(code), code).to.deep.equal(['timed/elapsed']));
  for (const [what, code] of Object.entries(FREE))
    it(`accepts a test without elapsed time: ${what}`, () => expect(broken(code), code).to.deep.equal([]));

  it('finds tests that are repeated until they pass, and tests with a separate timeout', () => {
    for (const code of [`it('x', function () { this.retries(2); });`, `it('x', work).retries(1);`])
      expect(broken(code), code).to.deep.equal(['timed/retries']);
    for (const code of [`it('x', function () { this.timeout(5_000); });`, `it('x', work).timeout(5_000);`])
      expect(broken(code), code).to.deep.equal(['timed/timeouts']);
    expect(
      broken(`const signal = AbortSignal.timeout(9); describe('x', function () { this.timeout(0); });`),
    ).to.deep.equal([]);
  });

  it('every test follows the rules', () => {
    const config = readFileSync('eslint.config.js', 'utf8');
    for (const rule of RULES) expect(config).to.contain(`'timed/${rule}': 'error'`);
    const off = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== 'unit/areas/timed-tests.test.ts')
      .filter((name) => /eslint-disable.*timed\//.test(readFileSync(`test/${name}`, 'utf8')));
    expect(off, 'files that switch them off').to.deep.equal([]);
  });

  /** The scripts and files that start tests, with their commands. */
  const started = (): readonly (readonly [string, string])[] => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, object>;
    const files = ['.ci/run', ...readdirSync('.').filter((name) => name.startsWith('.mocharc'))];
    return [
      ...Object.entries(scripts!).map(
        ([name, command]) => [`script ${name} of package.json`, String(command)] as const,
      ),
      ...files.filter((file) => existsSync(file)).map((file) => [file, readFileSync(file, 'utf8')] as const),
    ];
  };
  const RETRIES = /--retries\b|["']?retries["']?\s*:/;

  it('no command repeats a failed test', () => {
    for (const planted of ['mocha --retries 1 x', '{"timeout":1,"retries":2}', 'retries: 2'])
      expect(RETRIES.test(planted), planted).to.equal(true);
    for (const [where, text] of started())
      expect(
        RETRIES.test(text),
        `${where} has a retry flag: a test that passes the second time hides a fault`,
      ).to.equal(false);
  });
});
