/** The state of the double: in memory, and in a file to which each change is appended. Durable when `put` returns. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** An object of the protocol. Members of the double itself begin with an underscore. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string };

export type Kind = 'shipment' | 'tracker' | 'scan_form' | 'webhook' | 'event' | 'once' | 'purchase' | 'refund';

interface Line {
  readonly kind: Kind;
  /** The API key: items of different keys never meet. */
  readonly account: string;
  readonly item: Item;
}

export type Store = ReturnType<typeof openStore>;

export function openStore(file: string) {
  const items = new Map<string, Line>();
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    // A process that was killed may have left a part of a line.
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) truncateSync(file, end);
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean))
      for (const one of JSON.parse(line) as readonly Line[]) apply(one);
  }
  const descriptor = openSync(file, 'a', 0o600);

  function apply(line: Line): void {
    items.set(keyOf(line.kind, line.account, line.item.id), line);
  }

  return {
    /** Stores several items together. */
    put(account: string, ...changes: readonly (readonly [Kind, Item])[]): void {
      const lines = changes.map(([kind, item]): Line => ({ kind, account, item }));
      lines.forEach(apply);
      writeSync(descriptor, `${JSON.stringify(lines)}\n`);
      fsyncSync(descriptor);
    },
    get: <T extends Item>(kind: Kind, account: string, id: string): T | undefined =>
      items.get(keyOf(kind, account, id))?.item as T | undefined,
    /** Oldest first. */
    list: <T extends Item>(kind: Kind, account: string): readonly T[] =>
      [...items.values()].filter((one) => one.kind === kind && one.account === account).map(({ item }) => item as T),
    /** The items of all accounts. */
    all: <T extends Item>(kind: Kind): readonly { readonly account: string; readonly item: T }[] =>
      [...items.values()].filter((one) => one.kind === kind).map(({ account, item }) => ({ account, item: item as T })),
    close: (): void => closeSync(descriptor),
  };
}

const keyOf = (kind: Kind, account: string, id: string): string => JSON.stringify([kind, account, id]);
