/**
 * The generators of areas: random commands to the deciders of an area, whose read models are judged by a replay of the
 * log. To cover a read model, an area has a file in `areas/` that exports `MIX`:
 *
 *     export const MIX = generator({
 *       define: ({ send, business }, pick) => send(skills, skillsStream(business), { do: 'define', ... }),
 *     });
 *
 * A command may be refused. Each act must change something at least once in a mix.
 */
import type { Expire } from '../../../../src/events/core/timers.js';
import { EVENT_TYPES } from '../../../../src/areas/index.js';
import type { Decider } from '../../../../src/commands/core/decider.js';
import type { Handle, Handled } from '../../../../src/commands/core/handle.js';
import { createHandler } from '../../../../src/commands/core/handler.js';
import { DomainError } from '../../../../src/commands/core/domain-error.js';
import { derivedId } from '../../../../src/events/otep/identity.js';
import { CAUSE, type EngineRoom } from '../../worlds/engine-room.js';
import { createPick, type Pick } from './pick.js';
import type { Clock } from './world.js';

/** A command without the id that the generator gives to each. */
type Asked<Command> = Command extends Expire ? never : Command extends unknown ? Omit<Command, 'commandId'> : never;

/** A command without what names its thing and its author. */
export type Wish<Command, Names extends string = never> = Command extends unknown
  ? Omit<Command, 'commandId' | 'id' | 'business' | Names>
  : never;

/** What an act has at hand. */
export interface Tools {
  readonly room: EngineRoom;
  /** A business of which the plain models know nothing. */
  readonly business: number;
  /** The id of the nth thing of the area, from 1: an order, a route, a user or any other stream. */
  readonly id: (n: number) => number;
  /** The id of another thing of the area, which nothing had yet. */
  readonly fresh: () => number;
  /** One of the last ids that were fresh. */
  readonly made: (pick: Pick) => number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** RFC 3339, so many hours from now. */
  readonly at: (hours: number) => string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly send: <State, Command, Reply>(
    decider: Decider<State, Command, Reply>,
    stream: string,
    command: NoInfer<Asked<Command>>,
  ) => Promise<Handled<Reply>>;
  /** The same through a handler of the service. */
  readonly through: <Command, Reply>(
    handle: Handle<Command, Reply>,
    stream: string,
    command: NoInfer<Asked<Command>>,
  ) => Promise<Handled<Reply>>;
  /** A timer of a stream has come, whether or not it was set: deciders must pass over a timer that was settled. */
  readonly expire: <State, Command, Reply>(
    decider: Decider<State, Command | Expire, Reply>,
    stream: string,
    name: string,
    /** Hours from now at which it comes; absent: now. */
    later?: number,
  ) => Promise<Handled<Reply>>;
}

export type Act = (tools: Tools, pick: Pick) => Promise<Handled<unknown> | undefined> | undefined;
export type Generator = Readonly<Record<string, Act>>;

/** Types the acts of an area. */
export const generator = (acts: Generator): Generator => acts;

/** Once in so many times: an act after which little can follow, as the end of what the other acts need. */
export const rarely = <T>(pick: Pick, times: number, act: () => Promise<T>): Promise<T> | undefined =>
  pick.of(times) === 1 ? act() : undefined;

/** Ids of generators are above all that the plain models count; each area has so many. */
const FIRST = 100_000;
const OF_AN_AREA = 10_000;
/** Of how many things that were made last the acts choose: few, so that commands meet. */
const RECENT = 2;

export interface PlayerOptions {
  readonly room: EngineRoom;
  readonly clock: Clock;
}

/** Plays acts of areas, all of one mix. Returns whether an act changed something. */
export function createPlayer({ room, clock }: PlayerOptions) {
  const { log, keyRing } = room.engines;
  const handlers = new Map<unknown, Handle<never, unknown>>();
  /** By area: how many ids were fresh. */
  const made = new Map<string, number>();
  let commands = 0;

  const handlerOf = <State, Command, Reply>(decider: Decider<State, Command, Reply>): Handle<Command, Reply> => {
    const known = handlers.get(decider);
    const handle = known ?? createHandler({ decider, log, types: EVENT_TYPES, keyRing, now: () => clock.now });
    handlers.set(decider, handle as Handle<never, unknown>);
    return handle as Handle<Command, Reply>;
  };
  const nextId = (): string => derivedId('generated command', ++commands);
  const through: Tools['through'] = (handle, stream, command) =>
    handle(stream, { ...command, commandId: nextId() } as never, CAUSE);

  function toolsOf(area: string, index: number): Tools {
    const { now } = clock;
    const id = (n: number): number => FIRST + index * OF_AN_AREA + n;
    return {
      room,
      business: FIRST,
      id,
      fresh: () => id(made.set(area, (made.get(area) ?? 0) + 1).get(area)!),
      made: (pick) => id(Math.max(1, (made.get(area) ?? 0) + 1 - pick.of(RECENT))),
      now,
      at: (hours) => new Date(now + hours * 3_600_000).toISOString(),
      date: new Date(now).toISOString().slice(0, 10),
      through,
      send: (decider, stream, command) => through(handlerOf(decider), stream, command as never),
      expire: (decider, stream, name, later = 0) => {
        const at = now + later * 3_600_000;
        const timer: Expire = { do: 'expire', commandId: nextId(), stream, name, at, now: at };
        return handlerOf(decider)(stream, timer, CAUSE);
      },
    };
  }

  /** `index`: of the area among all. */
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
