/**
 * One question for all who ask at the same time. Whoever comes while it is under way waits for the next one, so that
 * every answer was asked for behind its caller.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const asked = ask().finally(() => {
      if (running === asked) running = undefined;
    });
    return (running = asked);
  };
  return () => {
    if (!running) return start();
    return (next ??= running
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        next = undefined;
        return start();
      }));
  };
}
