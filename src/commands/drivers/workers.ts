/**
 * What may be set of the people who do a business's work: a contractor's rules, a driver's capacity. That they are such
 * people is checked before.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import { ContractorRulesSet, type ContractorRule } from '../../events/contractors/events.js';
import { DriverCapacitySet, type Capacity } from '../../events/drivers/events.js';
import type { EventType } from '../../events/core/event-types.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';

/** `commandId`: UUID of the request; a retry has the same. */
interface Setting {
  readonly commandId: string;
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
}
export type ContractorCommand = Setting & { readonly rules: readonly ContractorRule[] };
export type DriverCommand = Setting & { readonly capacity: Capacity };

interface SettingState {
  /** Undefined: never set. */
  value: unknown;
  readonly done: Set<string>;
}

/** A stream of one setting; the same value again changes nothing. */
function setting<C extends Setting, T>(
  type: EventType<T>,
  member: keyof T & string,
  valueOf: (command: C) => unknown,
  dataOf: (command: C) => T,
): Decider<SettingState, C, undefined> {
  return {
    initial: () => ({ value: undefined, done: new Set() }),
    decide(state, command) {
      const id = derivedId(type.type, command.userId, command.commandId);
      const same = state.done.has(id) || isDeepStrictEqual(state.value, JSON.parse(JSON.stringify(valueOf(command))));
      return {
        facts: same ? [] : [{ id, type: type as unknown as Fact['type'], data: dataOf(command) }],
        reply: undefined,
      };
    },
    evolve(state, event) {
      state.done.add(event.id);
      if (event.type === type.type) state.value = JSON.parse(JSON.stringify(event.data[member]));
      return state;
    },
  };
}

export const contractors = setting(
  ContractorRulesSet,
  'rules',
  ({ rules }: ContractorCommand) => rules,
  ({ userId, business, rules, by }) => ({ broker_id: userId, business, rules: [...rules], set_by: by }),
);

export const drivers = setting(
  DriverCapacitySet,
  'capacity',
  ({ capacity }: DriverCommand) => capacity,
  ({ userId, business, capacity, by }) => ({ driver_id: userId, business, capacity, set_by: by }),
);
