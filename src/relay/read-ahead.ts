/** Asks for the next item while the caller works on this one. An error comes when it is its item's turn. */
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
    // The item asked for ahead may never come: the source is told to give up waiting for it.
    over.abort();
    await items.return?.();
  }
}
