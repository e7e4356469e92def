/** What may happen to a driver. That it is one of the business is checked before. */
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import { DriverCapacitySet, DriverSkillsSet, type Capacity, type DriverSkill } from '../../events/drivers/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { happened, type Happening } from '../core/entity.js';
import { decideRiding, evolveRiding, noRiding, type Riding, type RidingWish } from './riding.js';
import { decideTime, evolveTime, type Reserved, type TimeWish } from './time.js';

/** `commandId`: UUID of the request; a retry has the same. */
export type DriverCommand = {
  readonly commandId: string;
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
} & (
  | { readonly do: 'setCapacity'; readonly capacity: Capacity }
  | { readonly do: 'setSkills'; readonly skills: readonly DriverSkill[] }
  | TimeWish
  | RidingWish
);

interface DriverState {
  /** Undefined: never set. */
  capacity: unknown;
  skills: unknown;
  readonly reserved: Reserved;
  readonly riding: Riding;
  readonly done: Set<string>;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const drivers: Decider<DriverState, DriverCommand, undefined> = {
  initial: () => ({ capacity: undefined, skills: [], reserved: new Map(), riding: noRiding(), done: new Set() }),

  decide(state, command) {
    const id = derivedId('driver', command.userId, command.commandId);
    const found = state.done.has(id) ? [] : [decide(state, command) ?? []].flat();
    const idOf = (n: number): string => (n === 0 ? id : derivedId('driver', command.userId, command.commandId, n));
    return { facts: found.map((happening, n): Fact => ({ id: idOf(n), ...happening })), reply: undefined };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    evolveTime(state.reserved, { id, type, data });
    evolveRiding(state.riding, { id, type, data });
    if (type === DriverCapacitySet.type) state.capacity = plain(data['capacity']);
    if (type === DriverSkillsSet.type) state.skills = plain(data['skills']);
    return state;
  },
};

/** The same value again changes nothing. */
function decide(state: DriverState, command: DriverCommand): Happening | readonly Happening[] | undefined {
  const { userId: driver_id, business, by: set_by } = command;
  const whose = { driver_id, business, set_by };
  switch (command.do) {
    case 'setCapacity':
      return isDeepStrictEqual(state.capacity, plain(command.capacity))
        ? undefined
        : happened(DriverCapacitySet, { ...whose, capacity: command.capacity });
    case 'setSkills':
      return isDeepStrictEqual(state.skills, plain(command.skills))
        ? undefined
        : happened(DriverSkillsSet, { ...whose, skills: [...command.skills] });
    case 'reserve':
    case 'release':
      return decideTime(state.reserved, state.riding, command);
    default:
      return decideRiding(state.riding, command);
  }
}
