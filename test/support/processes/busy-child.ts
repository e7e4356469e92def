/**
 * `busy-child.js`: starts a child that computes without an end, and prints the id of its process. `busy-child.js child`
 * is that child.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../../../src/engines/file-reader/parent-guard.js';

if (process.argv[2] === 'child') {
  endWithParent();
  // The thread starts before the main thread is busy.
  setTimeout(() => {
    process.send!('busy');
    setTimeout(() => {
      for (;;);
    });
  }, 500);
} else {
  const child = fork(fileURLToPath(import.meta.url), ['child']);
  await once(child, 'message');
  console.log(child.pid);
}
