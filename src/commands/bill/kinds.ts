/**
 * The kinds of orders that have a bill. Each registers its streams, so that no other code of the bill names a kind. The
 * ids of all kinds are of one sequence.
 */
import type { Bill } from '../../events/bill/state.js';
import type { Family } from '../../events/pricing/families.js';
import type { Handle } from '../core/handle.js';
import type { BillChange } from './command.js';

/** A command to the bill of an order. `by`: user id; absent if the service acts. */
export type BillCommand = BillChange & {
  readonly commandId: string;
  readonly orderId: number;
  readonly business: number;
  readonly by?: number | undefined;
};

export interface BillReply {
  readonly bill: Bill;
}

export interface BillKind {
  /** Prefix of its streams. The id of the order follows it. */
  readonly prefix: string;
  readonly family: Family;
  readonly handle: Handle<BillCommand, BillReply>;
}

export type BillKinds = ReturnType<typeof billKindsOf>;

export function billKindsOf(kinds: readonly BillKind[]) {
  const byFamily = new Map(kinds.map((kind) => [kind.family, kind]));

  function ofFamily(family: Family): BillKind {
    const kind = byFamily.get(family);
    if (!kind)
      throw new Error(`No kind of order has bills of the family ${family}: add it in src/commands/commands.ts.`);
    return kind;
  }

  return {
    all: kinds,
    streamOf: (family: Family, orderId: number): string => `${ofFamily(family).prefix}${orderId}`,
    /** The family of the order of a stream; undefined: the stream contains no order. */
    familyOf: (stream: string): Family | undefined => kinds.find(({ prefix }) => stream.startsWith(prefix))?.family,
    /** Sends a command to the order of this family. */
    send: (family: Family, command: BillCommand, cause: Parameters<BillKind['handle']>[2]) => {
      const { prefix, handle } = ofFamily(family);
      return handle(`${prefix}${command.orderId}`, command, cause);
    },
  };
}
