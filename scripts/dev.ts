/**
 * `npm run dev`: compiles a changed file immediately, without a type check, and restarts the service. The editor and
 * `npm run check` report type errors. Arguments go to Node: `npm run dev -- --inspect` opens a debugger port.
 */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { compileFile } from './dev/compile-file.js';

const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', '--enable-source-maps', ...process.argv.slice(2), 'dist/src/main.js'],
  { stdio: 'inherit' },
);

const watcher = watch('src', { recursive: true }, (_event, name) => {
  const file = name === null ? '' : join('src', name);
  if (/\.(ts|json)$/.test(file) && !file.endsWith('tsconfig.json') && compileFile(file))
    console.log(`compiled ${file}`);
});

service.once('exit', (code) => {
  watcher.close();
  process.exitCode = code ?? 0;
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill('SIGTERM'));
