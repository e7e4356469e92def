/** The state of an item at a desk, derived from the events of the day. Deciders and readers share it. */
import { DispatchDecisionRecorded, DispatchItemReopened, DispatchItemReturned, DispatchItemTaken } from './events.js';

/** A taken item becomes free after this time without a decision. */
export const TAKEN_MS = 20 * 60_000;

export interface ItemHistory {
  readonly taken?: { readonly by: number; readonly at: string };
  /** The latest decision that was not reopened. */
  readonly decided?: {
    readonly decision_id: string;
    readonly decision: string;
    readonly by: number;
    readonly at: string;
    readonly seen: string;
    readonly until?: string | undefined;
    readonly outcome?: { readonly status: 'done' | 'refused'; readonly code?: string | undefined } | undefined;
  };
}

export const STATES = ['open', 'taken', 'decided'] as const;
export type ItemState = (typeof STATES)[number];

/** Key of the desk and item of an event. */
export const historyKey = ({ desk, item }: { readonly desk?: unknown; readonly item?: unknown }): string =>
  `${typeof desk === 'number' ? desk : 0} ${String(item)}`;

/** The state after an event. Unknown event types are ignored. */
export function historyAfter(
  before: ItemHistory | undefined,
  { type, data }: { readonly type: string; readonly data: object },
): ItemHistory {
  const { by, at } = data as { readonly by: number; readonly at: string };
  switch (type) {
    case DispatchItemTaken.type:
      return { ...before, taken: { by, at } };
    case DispatchItemReturned.type:
      return before?.decided ? { decided: before.decided } : {};
    case DispatchDecisionRecorded.type: {
      const { decision_id, decision, seen, until, outcome } = data as NonNullable<ItemHistory['decided']>;
      return { decided: { decision_id, decision, by, at, seen, until, outcome } };
    }
    case DispatchItemReopened.type:
      return before?.taken ? { taken: before.taken } : {};
    default:
      return before ?? {};
  }
}

/** The dispatcher who currently has the item; undefined: none. `now`: milliseconds since 1970. */
export const currentHolder = ({ taken }: ItemHistory, now: number): ItemHistory['taken'] =>
  taken && Date.parse(taken.at) + TAKEN_MS > now ? taken : undefined;

/** A decision counts while the facts are unchanged, its time has not passed, and its operation was not refused. */
export function stateOf(history: ItemHistory, seen: string, now: number): ItemState {
  const { decided } = history;
  if (currentHolder(history, now)) return 'taken';
  const counts =
    decided?.seen === seen &&
    decided.outcome?.status !== 'refused' &&
    (decided.until === undefined || Date.parse(decided.until) > now);
  return counts ? 'decided' : 'open';
}
