/** The numbers of a device tell what is still on its way: that comes first, if it comes soon (warehouse R2). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device, WmsOpStore } from '../../../engines/postgres/wms-ops.js';

/** How long a gap in a device's numbers is waited for; what comes later is judged then. */
const GAP_MS = 2_000;
const LOOK_MS = 100;

/**
 * Until everything before the highest of these numbers has come and ended, or two seconds have gone. A gap that was
 * waited for once is passed over, and so is what comes before the first scan of a device.
 */
export async function waitForGaps(
  store: Pick<WmsOpStore<never, never>, 'lastSeq' | 'isAwaited'>,
  device: Device,
  own: readonly number[],
): Promise<void> {
  const after = (await store.lastSeq(device)) ?? Math.min(...own) - 1;
  const range = { after, before: Math.max(...own), own };
  for (let waited = 0; waited < GAP_MS; waited += LOOK_MS) {
    if (!(await store.isAwaited(device, range))) return;
    await sleep(LOOK_MS);
  }
}
