/** Browser files from packages. They are read at the first request for a page that needs them. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type BundleName = 'scalar' | 'graphiql';

/** The files of a bundle by name. */
export async function readBundle(name: BundleName): Promise<Readonly<Record<string, Uint8Array>>> {
  const thread = new Worker(new URL('./bundle-thread.js', import.meta.url), { workerData: name });
  const [files] = (await once(thread, 'message')) as [Record<string, Uint8Array>];
  return files;
}
