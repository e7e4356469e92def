/** Checks whether an order or a route would accept a command now. It runs the same deciders that handle the command. */
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { EventLog } from '../../events/core/log.js';
import { orderStream } from '../../events/orders/events.js';
import { routeStream } from '../../events/routes/events.js';
import { pastOf, type Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { orders, type OrderCommand } from '../orders/decider.js';
import { routes, type RouteCommand } from '../routes/decider.js';

/** Returns the error code that the command would be rejected with; undefined if it would be accepted. */
export type Guard<Command> = (command: Command) => string | undefined;

export interface Guards {
  orders(ids: readonly number[]): Promise<ReadonlyMap<number, Guard<OrderCommand>>>;
  routes(ids: readonly number[]): Promise<ReadonlyMap<number, Guard<RouteCommand>>>;
}

/** Reads the current streams, all in one call. */
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
          (before, event) => decider.evolve(before, pastOf(event, decode(event, types))),
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
