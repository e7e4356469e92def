/**
 * Runs work of one business after the other in this process, so that simultaneous ends of day do not divide the labels
 * between them. The streams of the labels decide, so nothing depends on it.
 */
export function createInTurn(): <Result>(business: number, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<number, Promise<unknown>>();
  return (business, work) => {
    const before = last.get(business) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    last.set(business, settled);
    void settled.then(() => {
      if (last.get(business) === settled) last.delete(business);
    });
    return mine;
  };
}
