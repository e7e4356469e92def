/**
 * Requests the next item while the caller processes the current one. An error is thrown when the caller reaches its
 * item.
 */
export async function* readAhead<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncIterable<T> {
  const over = new AbortController();
  const items = open(AbortSignal.any([signal, over.signal]))[Symbol.asyncIterator]();
  try {
    let next = items.next();
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = items.next();
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    // The requested item may never arrive, so the source is aborted.
    over.abort();
    await items.return?.();
  }
}
