/** Waits briefly for missing sequence numbers of a device before processing later ones (warehouse R2). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device, WmsOpStore } from '../../../engines/postgres/wms-ops.js';

/** Maximum wait for missing sequence numbers. Scans that arrive later are processed when they arrive. */
const MAX_WAIT_MS = 2_000;
const POLL_MS = 100;

/**
 * Waits until all scans before the highest of these numbers have arrived and ended, at most two seconds. Does not wait
 * again for the same gap, nor for numbers before the first scan of a device.
 */
export async function waitForGaps(
  store: Pick<WmsOpStore<never, never>, 'lastSeq' | 'isAwaited'>,
  device: Device,
  requestSeqs: readonly number[],
): Promise<void> {
  const after = (await store.lastSeq(device)) ?? Math.min(...requestSeqs) - 1;
  const range = { after, before: Math.max(...requestSeqs), own: requestSeqs };
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    if (!(await store.isAwaited(device, range))) return;
    await sleep(POLL_MS);
  }
}
