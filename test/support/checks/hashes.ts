/** Counts hashed passwords. Each hash is one job of a native library, for which Node has no name. */
import { createHook } from 'node:async_hooks';

export async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_id, type: string | undefined) {
      if (type === undefined || type === 'undefined') count += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}
