/**
 * A decider for an entity of a business that has its own stream. It provides two things that all entities need. Event
 * ids are derived from the command, so a retry produces the same ids. Missing entities and entities of other businesses
 * lead to the same error.
 */
import type { Fact } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import type { Expire } from '../../events/core/timers.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider, PastEvent } from './decider.js';
import { DomainError, type CodeWithRowInMessages } from './domain-error.js';

export interface EntityCommand {
  /** UUID of the request; a retry sends the same UUID. */
  readonly commandId: string;
  readonly id: number | string;
  readonly business: number;
  readonly do: string;
}

/** An event to record. */
export interface NewEvent {
  readonly type: EventType;
  readonly data: object;
}

export const newEvent = <T extends object>(type: EventType<T>, data: T): NewEvent => ({
  type: type as unknown as EventType,
  data,
});

export interface EntityDefinition<State, Command extends EntityCommand> {
  /** The prefix of its streams. Event ids are derived from it. */
  readonly name: string;
  /** The command that creates the entity. Its event names the business in the member `business`. */
  readonly makes: Command['do'];
  /** False: the creating command may be repeated when the entity exists. */
  readonly madeOnce?: boolean;
  readonly notFound: CodeWithRowInMessages;
  /** The entity no longer exists after an event of one of these types. */
  readonly ends?: readonly Pick<EventType, 'type'>[];
  /** The data subject of the personal data in its events. Absent: the events contain none. */
  readonly subject?: (id: Command['id']) => string;
  readonly initial: () => State;
  /** Throws a domain error if the command is not allowed. Returns undefined if it changes nothing. */
  readonly decide: (state: State, command: Command) => NewEvent | readonly NewEvent[] | undefined;
  /**
   * The events that a due timer leads to while the entity exists. Returns undefined if the timer has become obsolete.
   */
  readonly expire?: (state: State, timer: Expire) => NewEvent | readonly NewEvent[] | undefined;
  /** The state may be changed and returned. */
  readonly evolve: (state: State, event: PastEvent) => State;
  /** As `Decider.partOf`. */
  readonly partOf?: Decider<State, Command, undefined>['partOf'];
}

export interface EntityState<State> {
  /** Undefined: the entity was never created. */
  business: number | undefined;
  ended: boolean;
  own: State;
  readonly done: Set<string>;
}

export function entity<State, Command extends EntityCommand>(
  definition: EntityDefinition<State, Command>,
): Decider<EntityState<State>, Command | Expire, undefined> {
  const { name, makes, madeOnce = true, notFound, subject, decide, evolve, partOf } = definition;
  const ends = new Set((definition.ends ?? []).map(({ type }) => type));
  return {
    initial: () => ({ business: undefined, ended: false, own: definition.initial(), done: new Set() }),

    decide(state, command) {
      if (isExpire(command)) return expired(state, command);
      const { id, business, commandId } = command;
      if (state.done.has(derivedId(name, id, commandId, 0))) return { facts: [], reply: undefined };
      if (command.do === makes && (madeOnce || state.business === undefined)) {
        if (state.business !== undefined) throw new DomainError('CONFLICT');
      } else if (state.business !== business || state.ended) throw new DomainError(notFound);
      return decided(decide(state.own, command), id, commandId);
    },

    evolve(state, event) {
      state.business ??= event.data['business'] as number;
      state.ended ||= ends.has(event.type);
      state.done.add(event.id);
      state.own = evolve(state.own, event);
      return state;
    },
    ...(partOf && { partOf }),
  };

  function expired({ business, ended, own }: EntityState<State>, timer: Expire) {
    const id = timer.stream.slice(timer.stream.indexOf('-') + 1) as Command['id'];
    return decided(business === undefined || ended ? undefined : definition.expire?.(own, timer), id, timer.commandId);
  }

  function decided(newEvents: NewEvent | readonly NewEvent[] | undefined, id: Command['id'], commandId: string) {
    const facts = [newEvents ?? []]
      .flat()
      .map((event, index): Fact => ({
        id: derivedId(name, id, commandId, index),
        ...event,
        ...(subject && { subject: subject(id) }),
      }));
    return { facts, reply: undefined };
  }
}

const isExpire = (command: EntityCommand | Expire): command is Expire => command.do === 'expire';
