/**
 * Decides commands on the dispatch board of a day. The caller must check first that the item exists and has the
 * expected content.
 */
import type { z } from 'zod';
import type { Fact } from '../../events/core/codec.js';
import { accountSubject } from '../../events/accounts/events.js';
import type { EventType } from '../../events/core/event-types.js';
import {
  DispatchDecisionRecorded,
  DispatchItemReopened,
  DispatchItemReturned,
  DispatchItemTaken,
} from '../../events/dispatch/events.js';
import { historyAfter, historyKey, currentHolder, type ItemHistory } from '../../events/dispatch/item-state.js';
import { ORDER_PREFIX } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

type Recorded = z.infer<typeof DispatchDecisionRecorded.schema>;

/** `commandId`: UUID of the request; a retry sends the same UUID. `now`: milliseconds since 1970. */
export type DispatchCommand = {
  readonly commandId: string;
  readonly item: string;
  readonly by: number;
  readonly desk?: number | undefined;
  readonly now: number;
} & (
  | { readonly do: 'take' | 'return' }
  /** Changes nothing. Throws if `by` may not decide on the item. */
  | { readonly do: 'expect'; readonly takeOver: boolean }
  | {
      readonly do: 'decide';
      readonly takeOver: boolean;
      readonly decision: Omit<Recorded, 'item' | 'by' | 'desk' | 'at' | 'took_over_from'>;
    }
  | { readonly do: 'reopen'; readonly note?: string | undefined; readonly subject: string }
);

interface DayState {
  /** Keyed by desk and item. */
  readonly histories: Map<string, ItemHistory>;
  readonly done: Set<string>;
}

export const dispatch: Decider<DayState, DispatchCommand, ItemHistory> = {
  initial: () => ({ histories: new Map(), done: new Set() }),

  decide(state, command) {
    const id = derivedId('dispatch', command.commandId);
    const history = state.histories.get(historyKey(command)) ?? {};
    const fact = state.done.has(id) ? undefined : decideFact(history, command);
    return {
      facts: fact ? [{ id, ...fact }] : [],
      reply: fact ? historyAfter(history, { type: fact.type.type, data: fact.data as object }) : history,
    };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    const key = historyKey(data);
    state.histories.set(key, historyAfter(state.histories.get(key), { type, data }));
    return state;
  },
};

const fact = <T>(type: EventType<T>, data: T, subject?: string): Omit<Fact, 'id'> => ({
  type: type as unknown as Fact['type'],
  data,
  ...(subject !== undefined && { subject }),
});

function decideFact(history: ItemHistory, command: DispatchCommand): Omit<Fact, 'id'> | undefined {
  const { item, by, desk, now } = command;
  const common = { item, by, ...(desk !== undefined && { desk }), at: new Date(now).toISOString() };
  const taken = currentHolder(history, now);
  const others = taken && taken.by !== by ? taken : undefined;
  switch (command.do) {
    // If the same user takes the item again, its time limit restarts.
    case 'take':
      expectFree(others);
      return fact(DispatchItemTaken, common);
    case 'return':
      expectFree(others);
      return taken && fact(DispatchItemReturned, common);
    case 'expect':
      if (!command.takeOver) expectFree(others);
      return undefined;
    case 'decide': {
      if (!command.takeOver) expectFree(others);
      const { decision } = command;
      return fact(
        DispatchDecisionRecorded,
        { ...decision, ...common, ...(others && { took_over_from: others.by }) },
        subjectOf(decision.subject, by),
      );
    }
    case 'reopen':
      return (
        history.decided &&
        fact(
          DispatchItemReopened,
          { ...common, ...(command.note !== undefined && { note: command.note }) },
          subjectOf(command.subject, by),
        )
      );
  }
}

/** The data subject of a note: the order, or else the author of the note. */
const subjectOf = (stream: string, by: number): string =>
  stream.startsWith(ORDER_PREFIX) ? stream : accountSubject(by);

function expectFree(others: ItemHistory['taken']): void {
  if (others) throw new DomainError('ITEM_TAKEN', { by: others.by, since: others.at });
}
