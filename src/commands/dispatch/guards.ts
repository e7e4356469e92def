/** Whether an order or a route would take a command now, by the very deciders that will judge it. */
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { EventLog } from '../../events/core/log.js';
import { orderStream } from '../../events/orders/events.js';
import { routeStream } from '../../events/routes/events.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { orders, type OrderCommand } from '../orders/decider.js';
import { routes, type RouteCommand } from '../routes/decider.js';

/** The code that the command would be refused with; undefined: it would not be. */
export type Guard<Command> = (command: Command) => string | undefined;

export interface Guards {
  orders(ids: readonly number[]): Promise<ReadonlyMap<number, Guard<OrderCommand>>>;
  routes(ids: readonly number[]): Promise<ReadonlyMap<number, Guard<RouteCommand>>>;
}

/** The streams as they are, read at once. */
export function createGuards({ log, types }: { readonly log: EventLog; readonly types: EventTypes }): Guards {
  async function guardsOf<State, Command>(
    decider: Decider<State, Command, unknown>,
    ids: readonly number[],
    streamOf: (id: number) => string,
  ): Promise<ReadonlyMap<number, Guard<Command>>> {
    if (ids.length === 0) return new Map();
    const streams = await log.readMany([...new Set(ids)].map(streamOf));
    return new Map(
      ids.map((id) => {
        const state = (streams.get(streamOf(id)) ?? []).reduce(
          (before, event) => decider.evolve(before, { type: event.type, id: event.id, data: decode(event, types) }),
          decider.initial(),
        );
        return [id, (command) => refusalOf(() => decider.decide(state, command))];
      }),
    );
  }
  return { orders: (ids) => guardsOf(orders, ids, orderStream), routes: (ids) => guardsOf(routes, ids, routeStream) };
}

function refusalOf(decide: () => unknown): string | undefined {
  try {
    decide();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
