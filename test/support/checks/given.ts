/** given / when / then for deciders: what happened before, a command, and what follows from it. */
import type { Decider } from '../../../src/commands/core/decider.js';
import type { Fact } from '../../../src/events/core/codec.js';
import type { JsonObject } from '../../../src/events/core/log.js';

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
  };
}

function stateOf<S, C, R>(decider: Decider<S, C, R>, past: readonly Fact[]): S {
  return past.reduce<S>(
    (state, { type, id, data }) =>
      decider.evolve(state, { type: type.type, id, data: JSON.parse(JSON.stringify(data)) as JsonObject }),
    decider.initial(),
  );
}
