/**
 * Circuit breakers of this process, one per adapter and account: after five failures in a row, no call is made for a
 * while. Then the next failure opens the circuit again.
 */
const FAILURES = 5;

interface Circuit {
  failures: number;
  /** Milliseconds since 1970. */
  openUntil: number;
}

export interface Account {
  readonly adapter: string;
  readonly account: string;
}

export type Circuits = ReturnType<typeof createCircuits>;

/** `openMs`: how long a circuit stays open, in milliseconds. */
export function createCircuits({ openMs, now }: { readonly openMs: number; readonly now: () => number }) {
  const circuits = new Map<string, Circuit>();
  const keyOf = ({ adapter, account }: Account): string => JSON.stringify([adapter, account]);

  return {
    /** Milliseconds until the next call is allowed; 0: now. */
    waitOf: (account: Account): number => Math.max(0, (circuits.get(keyOf(account))?.openUntil ?? 0) - now()),
    /** Counts a call. `isKnown`: the external system gave a result. */
    note(account: Account, isKnown: boolean): void {
      const key = keyOf(account);
      if (isKnown) return void circuits.delete(key);
      const failures = (circuits.get(key)?.failures ?? 0) + 1;
      circuits.set(key, { failures, openUntil: failures >= FAILURES ? now() + openMs : 0 });
    },
  };
}
