/**
 * The generators of areas: random commands to the deciders of an area, whose read models are checked by a replay of the
 * log. To cover a read model, an area has a file in `areas/` that exports `MIX`:
 *
 *     export const MIX = generator({
 *       define: ({ send, business }, pick) => send(skills, skillsStream(business), { do: 'define', ... }),
 *     });
 *
 * A command may be rejected. Each act must change something at least once in a mix.
 */
import type { Expire } from '../../../../src/events/core/timers.js';
import { EVENT_TYPES } from '../../../../src/areas/index.js';
import type { Decider } from '../../../../src/commands/core/decider.js';
import type { Handle, Handled } from '../../../../src/commands/core/handle.js';
import { createHandler } from '../../../../src/commands/core/handler.js';
import { DomainError } from '../../../../src/commands/core/domain-error.js';
import { derivedId } from '../../../../src/events/otep/identity.js';
import { CAUSE, type TestCore } from '../../worlds/test-core.js';
import { createPick, type Pick } from './pick.js';
import type { Clock } from './world.js';

/** A command without the id that the generator adds. */
type CommandWithoutId<Command> = Command extends Expire
  ? never
  : Command extends unknown
    ? Omit<Command, 'commandId'>
    : never;

/** A command without the members that identify its object and its author. */
export type CommandBody<Command, Names extends string = never> = Command extends unknown
  ? Omit<Command, 'commandId' | 'id' | 'business' | Names>
  : never;

/** Tools that an act can use. */
export interface Tools {
  readonly core: TestCore;
  /** A business that the simple models do not use. */
  readonly business: number;
  /** Returns the id of the nth object of the area, from 1: an order, a route, a user or any other stream. */
  readonly id: (n: number) => number;
  /** Returns the id of a new, unused object of the area. */
  readonly fresh: () => number;
  /** Returns one of the most recent ids that `fresh` returned. */
  readonly existing: (pick: Pick) => number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns the time `hours` from now, RFC 3339. */
  readonly at: (hours: number) => string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly send: <State, Command, Reply>(
    decider: Decider<State, Command, Reply>,
    stream: string,
    command: NoInfer<CommandWithoutId<Command>>,
  ) => Promise<Handled<Reply>>;
  /** Sends a command through a handler of the service. */
  readonly sendThrough: <Command, Reply>(
    handle: Handle<Command, Reply>,
    stream: string,
    command: NoInfer<CommandWithoutId<Command>>,
  ) => Promise<Handled<Reply>>;
  /**
   * Simulates that a timer of a stream has expired, even if it was not set. Deciders must ignore a timer that is no
   * longer pending.
   */
  readonly expire: <State, Command, Reply>(
    decider: Decider<State, Command | Expire, Reply>,
    stream: string,
    name: string,
    /** Hours from now at which the timer expires; absent: now. */
    later?: number,
  ) => Promise<Handled<Reply>>;
}

export type Act = (tools: Tools, pick: Pick) => Promise<Handled<unknown> | undefined> | undefined;
export type Generator = Readonly<Record<string, Act>>;

/** Checks the types of an area's acts. */
export const generator = (acts: Generator): Generator => acts;

/**
 * Runs an act with probability 1 in `times`. For acts that leave little to do, for example because they end an object
 * that other acts need.
 */
export const rarely = <T>(pick: Pick, times: number, act: () => Promise<T>): Promise<T> | undefined =>
  pick.of(times) === 1 ? act() : undefined;

/** Ids of generators are above all ids of the simple models. Each area has a range of this size. */
const FIRST = 100_000;
const OF_AN_AREA = 10_000;
/** Acts choose among this many of the most recent objects; few, so that commands affect the same objects. */
const RECENT = 2;

export interface PlayerOptions {
  readonly core: TestCore;
  readonly clock: Clock;
}

/** Runs acts of areas in one mix. Returns whether an act changed something. */
export function createPlayer({ core, clock }: PlayerOptions) {
  const { log, keyRing } = core.engines;
  const handlers = new Map<unknown, Handle<never, unknown>>();
  /** By area: number of ids that `fresh` returned. */
  const createdCounts = new Map<string, number>();
  let commands = 0;

  const handlerOf = <State, Command, Reply>(decider: Decider<State, Command, Reply>): Handle<Command, Reply> => {
    const known = handlers.get(decider);
    const handle = known ?? createHandler({ decider, log, types: EVENT_TYPES, keyRing, now: () => clock.now });
    handlers.set(decider, handle as Handle<never, unknown>);
    return handle as Handle<Command, Reply>;
  };
  const nextId = (): string => derivedId('generated command', ++commands);
  const sendThrough: Tools['sendThrough'] = (handle, stream, command) =>
    handle(stream, { ...command, commandId: nextId() } as never, CAUSE);

  function toolsOf(area: string, index: number): Tools {
    const { now } = clock;
    const id = (n: number): number => FIRST + index * OF_AN_AREA + n;
    return {
      core,
      business: FIRST,
      id,
      fresh: () => id(createdCounts.set(area, (createdCounts.get(area) ?? 0) + 1).get(area)!),
      existing: (pick) => id(Math.max(1, (createdCounts.get(area) ?? 0) + 1 - pick.of(RECENT))),
      now,
      at: (hours) => new Date(now + hours * 3_600_000).toISOString(),
      date: new Date(now).toISOString().slice(0, 10),
      sendThrough,
      send: (decider, stream, command) => sendThrough(handlerOf(decider), stream, command as never),
      expire: (decider, stream, name, later = 0) => {
        const at = now + later * 3_600_000;
        const timer: Expire = { do: 'expire', commandId: nextId(), stream, name, at, now: at };
        return handlerOf(decider)(stream, timer, CAUSE);
      },
    };
  }

  /** `index`: index of the area among all areas. */
  return async ({ area, index, act, seed }: Played): Promise<boolean> => {
    try {
      return (await act(toolsOf(area, index), createPick(seed)))?.changed ?? false;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return false;
    }
  };
}

interface Played {
  readonly area: string;
  readonly index: number;
  readonly act: Act;
  readonly seed: number;
}
