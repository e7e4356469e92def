/** Concurrent work with order per lane: items of one lane are processed one after the other. */

/** Groups items by key in their order; an item without a key is a separate lane. */
export function intoLanes<T>(items: readonly T[], keyOf: (item: T) => string | undefined): T[][] {
  const keyed = new Map<string, T[]>();
  const lanes: T[][] = [];
  for (const item of items) {
    const key = keyOf(item);
    const known = key === undefined ? undefined : keyed.get(key);
    if (known) {
      known.push(item);
      continue;
    }
    const lane = [item];
    lanes.push(lane);
    if (key !== undefined) keyed.set(key, lane);
  }
  return lanes;
}

/** Processes at most `width` lanes at a time. The first error stops it once the running work has ended. */
export async function runLanes<T>(
  lanes: readonly (readonly T[])[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = lanes.values();
  let failed = false;
  async function worker(): Promise<void> {
    for (const lane of waiting) {
      for (const item of lane) {
        if (failed) return;
        await work(item).catch((error: unknown) => {
          failed = true;
          throw error;
        });
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(width, lanes.length) }, worker));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}
