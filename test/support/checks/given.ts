/** given / when / then for deciders: what happened before, a command, and what follows from it. */
import { AssertionError } from 'chai';
import type { Decider } from '../../../src/commands/core/decider.js';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import type { EntityCommand } from '../../../src/commands/core/entity.js';
import type { Fact } from '../../../src/events/core/codec.js';
import type { JsonObject } from '../../../src/events/core/log.js';

type Wish<C> = C extends unknown ? Omit<C, keyof CommandBase> : never;
type CommandBase = Omit<EntityCommand, 'do'>;
let commands = 0;

/**
 * Commands to the thing with this id, each with a new command id: `as(2, wish)` is a command of business 2, and
 * `of(wish)` one of business 1.
 */
export function commandsTo<C extends EntityCommand>(id: C['id']) {
  const as = (business: number, wish: Wish<C>): C =>
    ({ ...wish, id, business, commandId: `command ${(commands += 1)}` }) as unknown as C;
  return { as, of: (wish: Wish<C>): C => as(1, wish) };
}

/** The past is what earlier commands decided: no test invents an event that could not have come to be. */
export function given<S, C, R>(decider: Decider<S, C, R>, ...commands: readonly C[]) {
  return after(
    decider,
    commands.reduce<readonly Fact[]>(
      (past, command) => [...past, ...decider.decide(stateOf(decider, past), command).facts],
      [],
    ),
  );
}

function after<S, C, R>(decider: Decider<S, C, R>, past: readonly Fact[]) {
  return {
    past,
    /** Decides; the state is folded anew, as from the log. */
    when(command: C) {
      const { facts, reply } = decider.decide(stateOf(decider, past), command);
      return {
        facts: facts.map(({ type, data }) => ({ type: type.type, data })),
        types: facts.map(({ type }) => type.type),
        ids: facts.map(({ id }) => id),
        reply,
        then: after(decider, [...past, ...facts]),
      };
    },
    /** The code that the command is refused with. */
    refusal(command: C): string {
      try {
        decider.decide(stateOf(decider, past), command);
      } catch (error) {
        if (error instanceof DomainError) return error.code;
        throw error;
      }
      throw new AssertionError(`The command is accepted: ${JSON.stringify(command)}`);
    },
  };
}

function stateOf<S, C, R>(decider: Decider<S, C, R>, past: readonly Fact[]): S {
  return past.reduce<S>(
    (state, { type, id, data }) =>
      decider.evolve(state, { type: type.type, id, data: JSON.parse(JSON.stringify(data)) as JsonObject }),
    decider.initial(),
  );
}
