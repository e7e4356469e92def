/** What may happen to a business: register it, switch its modules. */
import type { Fact } from '../../events/core/codec.js';
import { BusinessRegistered, ModuleSwitched, type Module } from '../../events/businesses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

/** `commandId`: UUID of the request; a retry has the same. */
export type BusinessCommand =
  | {
      readonly do: 'register';
      readonly commandId: string;
      readonly id: number;
      readonly code: string;
      readonly name: string;
      readonly timezone: string;
    }
  | { readonly do: 'switch'; readonly commandId: string; readonly module: Module; readonly on: boolean };

interface BusinessState {
  registered: boolean;
  readonly modules: Set<string>;
  readonly done: Set<string>;
}

export const businesses: Decider<BusinessState, BusinessCommand, undefined> = {
  initial: () => ({ registered: false, modules: new Set(), done: new Set() }),

  decide(state, command) {
    const id = derivedId('business', command.commandId, command.do === 'switch' ? command.module : '');
    if (state.done.has(id)) return { facts: [], reply: undefined };
    if (command.do === 'register') {
      if (state.registered) throw new DomainError('CONFLICT');
      const { code, name, timezone } = command;
      return {
        facts: [
          { id, type: BusinessRegistered as Fact['type'], data: { business_id: command.id, code, name, timezone } },
        ],
        reply: undefined,
      };
    }
    if (!state.registered) throw new DomainError('NOT_FOUND');
    if (state.modules.has(command.module) === command.on) return { facts: [], reply: undefined };
    return {
      facts: [{ id, type: ModuleSwitched as Fact['type'], data: { module: command.module, on: command.on } }],
      reply: undefined,
    };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    if (type === BusinessRegistered.type) state.registered = true;
    if (type === ModuleSwitched.type) state.modules[data['on'] ? 'add' : 'delete'](data['module'] as string);
    return state;
  },
};
