/** Decides commands on a driver. The caller checks before that the driver belongs to the business. */
import { isDeepStrictEqual } from 'node:util';
import { accountSubject } from '../../events/accounts/events.js';
import type { Fact } from '../../events/core/codec.js';
import type { Expire } from '../../events/core/timers.js';
import {
  DRIVER_PREFIX,
  DriverCapacitySet,
  DriverSkillsSet,
  DriverTimeReleased,
  type Capacity,
  type DriverSkill,
} from '../../events/drivers/events.js';
import { DriverProfileSet } from '../../events/drivers/profile-and-documents.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import {
  decideDocuments,
  evolveDocuments,
  expireDocuments,
  type DocumentStates,
  type DocumentChange,
} from './documents.js';
import { decideDuty, evolveDuty, noDuty, type RiderDuty, type DutyChange } from './duty.js';
import { decideTime, evolveTime, reservationOf, type Reserved, type TimeChange } from './time.js';

/** `commandId`: UUID of the request; a retry sends the same UUID. */
export type DriverCommand = {
  readonly commandId: string;
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
} & (
  | { readonly do: 'setCapacity'; readonly capacity: Capacity }
  | { readonly do: 'setSkills'; readonly skills: readonly DriverSkill[] }
  | TimeChange
  | DutyChange
  | DocumentChange
);

interface DriverState {
  /** Undefined: never set. */
  capacity: unknown;
  skills: unknown;
  readonly reserved: Reserved;
  /** Number of releases by reservation id. */
  readonly released: Map<string, number>;
  readonly duty: RiderDuty;
  readonly documents: DocumentStates;
  /** The business that the first event of the stream names. */
  business: number | undefined;
  readonly done: Set<string>;
}

/** What users edit. The rest of the stream is written by their work: reserved time, offers, documents. */
const PARTS: Readonly<Record<string, DriverPart>> = {
  [DriverCapacitySet.type]: 'work',
  [DriverSkillsSet.type]: 'work',
  [DriverProfileSet.type]: 'profile',
};
export type DriverPart = 'work' | 'profile';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const drivers: Decider<DriverState, DriverCommand | Expire, undefined> = {
  initial: () => ({
    capacity: undefined,
    skills: [],
    reserved: new Map(),
    released: new Map(),
    duty: noDuty(),
    documents: new Map(),
    business: undefined,
    done: new Set(),
  }),

  decide(state, command) {
    const isTimer = command.do === 'expire';
    const userId = isTimer ? Number(command.stream.slice(DRIVER_PREFIX.length)) : command.userId;
    const id = derivedId('driver', userId, command.commandId, ...tryOf(state, command));
    const idOf = (n: number): string => (n === 0 ? id : derivedId('driver', userId, command.commandId, n));
    const next = () =>
      isTimer ? expireDocuments(state.documents, userId, state.business!, command) : (decide(state, command) ?? []);
    const found = state.done.has(id) ? [] : [next()].flat();
    const subject = accountSubject(userId);
    return { facts: found.map((event, n): Fact => ({ id: idOf(n), ...event, subject })), reply: undefined };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    evolveTime(state.reserved, { id, type, data });
    if (type === DriverTimeReleased.type) count(state.released, data['reservation_id'] as string);
    evolveDuty(state.duty, { id, type, data });
    evolveDocuments(state.documents, { id, type, data });
    state.business ??= data['business'] as number;
    if (type === DriverCapacitySet.type) state.capacity = plain(data['capacity']);
    if (type === DriverSkillsSet.type) state.skills = plain(data['skills']);
    return state;
  },

  partOf: ({ type }) => PARTS[type],
};

/** If a reservation was released in the meantime, a retry reserves again under a new event id. */
function tryOf({ released }: DriverState, command: DriverCommand | Expire): string[] {
  const times = command.do === 'reserve' ? released.get(reservationOf(command.reservation.what, command.userId)) : 0;
  return times ? ['again', String(times)] : [];
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Setting the same value again changes nothing. */
function decide(state: DriverState, command: DriverCommand): NewEvent | readonly NewEvent[] | undefined {
  const { userId: driver_id, business, by: set_by } = command;
  const driver = { driver_id, business, set_by };
  switch (command.do) {
    case 'setCapacity':
      return isDeepStrictEqual(state.capacity, plain(command.capacity))
        ? undefined
        : newEvent(DriverCapacitySet, { ...driver, capacity: command.capacity });
    case 'setSkills':
      return isDeepStrictEqual(state.skills, plain(command.skills))
        ? undefined
        : newEvent(DriverSkillsSet, { ...driver, skills: [...command.skills] });
    case 'reserve':
    case 'release':
      return decideTime(state.reserved, state.duty, command);
    case 'setProfile':
    case 'submitDocument':
    case 'verifyDocument':
    case 'rejectDocument':
      return decideDocuments(state.documents, command);
    default:
      return decideDuty(state.duty, command);
  }
}
