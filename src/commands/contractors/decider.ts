/**
 * Decides commands on the rules of a contractor. The caller checks before that the contractor belongs to the business.
 */
import { isDeepStrictEqual } from 'node:util';
import { ContractorRulesSet, type ContractorRule } from '../../events/contractors/events.js';
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';

/** `commandId`: UUID of the request; a retry sends the same UUID. */
export interface ContractorCommand {
  readonly commandId: string;
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
  readonly rules: readonly ContractorRule[];
}

interface ContractorState {
  /** Undefined: never set. */
  rules: unknown;
  readonly done: Set<string>;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Setting the same rules again changes nothing. */
export const contractors: Decider<ContractorState, ContractorCommand, undefined> = {
  initial: () => ({ rules: undefined, done: new Set() }),
  decide(state, { commandId, userId, business, by, rules }) {
    const id = derivedId(ContractorRulesSet.type, userId, commandId);
    const same = state.done.has(id) || isDeepStrictEqual(state.rules, plain(rules));
    const data = { broker_id: userId, business, rules: [...rules], set_by: by };
    const fact = { id, type: ContractorRulesSet as unknown as Fact['type'], data };
    return { facts: same ? [] : [fact], reply: undefined };
  },
  evolve(state, event) {
    state.done.add(event.id);
    if (event.type === ContractorRulesSet.type) state.rules = plain(event.data['rules']);
    return state;
  },
};
