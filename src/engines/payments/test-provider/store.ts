/**
 * The objects of the test provider: in memory, and in a file to which each change is appended. A change is durable when
 * `put` returns, so a provider that is killed continues where it was.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** An object of the protocol, or a record of the provider itself. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string };

export const KINDS = [
  'payment_intent',
  'checkout.session',
  'refund',
  'dispute',
  'event',
  'webhook_endpoint',
  'response',
  'later',
] as const;
export type Kind = (typeof KINDS)[number];

interface Stored<T extends Item = Item> {
  readonly account: string;
  readonly item: T;
}

type Line = { readonly kind: Kind; readonly account: string } & (
  { readonly item: Item } | { readonly removed: string }
);

export type Store = ReturnType<typeof openStore>;

/** `file`: created if it does not exist. Items of different accounts never meet. */
export function openStore(file: string) {
  const items = new Map<Kind, Map<string, Stored>>(KINDS.map((kind) => [kind, new Map()]));
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    // A process that was killed may have left a part of a line.
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) truncateSync(file, end);
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean))
      for (const change of JSON.parse(line) as readonly Line[]) apply(change);
  }
  const descriptor = openSync(file, 'a', 0o600);

  function apply(line: Line): void {
    const known = items.get(line.kind)!;
    if ('removed' in line) known.delete(keyOf(line.account, line.removed));
    else known.set(keyOf(line.account, line.item.id), line);
  }

  /** The changes that `atomically` has made so far. */
  let together: Line[] | undefined;

  function store(line: Line): void {
    apply(line);
    if (together) together.push(line);
    else write([line]);
  }

  function write(lines: readonly Line[]): void {
    if (lines.length === 0) return;
    writeSync(descriptor, `${JSON.stringify(lines)}\n`);
    fsyncSync(descriptor);
  }

  return {
    put: (kind: Kind, account: string, item: Item): void => store({ kind, account, item }),
    remove: (kind: Kind, account: string, id: string): void => store({ kind, account, removed: id }),
    get: <T extends Item>(kind: Kind, account: string, id: string): T | undefined =>
      items.get(kind)!.get(keyOf(account, id))?.item as T | undefined,
    /** Oldest first. */
    list: <T extends Item>(kind: Kind, account: string): T[] =>
      [...items.get(kind)!.values()].filter((one) => one.account === account).map(({ item }) => item as T),
    /** Lists the items of all accounts. */
    all: <T extends Item>(kind: Kind): readonly Stored<T>[] => [...items.get(kind)!.values()] as Stored<T>[],
    /** All changes of `work` become durable together. */
    atomically<T>(work: () => T): T {
      together = [];
      try {
        return work();
      } finally {
        const lines = together;
        together = undefined;
        write(lines);
      }
    },
    close: (): void => closeSync(descriptor),
  };
}

const keyOf = (account: string, id: string): string => `${account} ${id}`;
