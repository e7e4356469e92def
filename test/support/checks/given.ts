/** given / when / then for deciders: earlier events, a command, and the resulting events. */
import { AssertionError } from 'chai';
import type { Decider } from '../../../src/commands/core/decider.js';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import type { EntityCommand } from '../../../src/commands/core/entity.js';
import type { Fact } from '../../../src/events/core/codec.js';
import type { JsonObject } from '../../../src/events/core/log.js';

type CommandBody<C> = C extends unknown ? Omit<C, keyof CommandBase> : never;
type CommandBase = Omit<EntityCommand, 'do'>;
let commands = 0;

/**
 * Returns functions that create commands to the object with this id, each with a new command id. `as(2, wish)` is a
 * command of business 2, and `of(wish)` one of business 1.
 */
export function commandsTo<C extends EntityCommand>(id: C['id']) {
  const as = (business: number, body: CommandBody<C>): C =>
    ({ ...body, id, business, commandId: `command ${(commands += 1)}` }) as unknown as C;
  return { as, of: (body: CommandBody<C>): C => as(1, body) };
}

/** The past consists of the results of earlier commands, so a test cannot use events that could not occur. */
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
    /** Decides the command. The state is folded again, as from the log. */
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
    /** Returns the code of the error with which the command is rejected. */
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
