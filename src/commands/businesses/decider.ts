/** Decides commands on a business: registration, modules and settings. */
import type { Fact } from '../../events/core/codec.js';
import {
  BusinessBillingSet,
  BusinessRegistered,
  ModuleSwitched,
  OrderRefRuleSet,
  PaymentSettingsSet,
  ReviewRuleSet,
  SenderSet,
  type Billing,
  type Module,
  type PaymentSettings,
  type Review,
  type SenderAddress,
} from '../../events/businesses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

/** `commandId`: UUID of the request; a retry sends the same UUID. */
export type BusinessCommand =
  | {
      readonly do: 'register';
      readonly commandId: string;
      readonly id: number;
      readonly code: string;
      readonly name: string;
      readonly timezone: string;
    }
  | { readonly do: 'switch'; readonly commandId: string; readonly module: Module; readonly on: boolean }
  | { readonly do: 'review'; readonly commandId: string; readonly review: Review }
  | { readonly do: 'order_refs'; readonly commandId: string; readonly unique: boolean }
  | { readonly do: 'sender'; readonly commandId: string; readonly sender: SenderAddress | null }
  | { readonly do: 'billing'; readonly commandId: string; readonly billing: Billing; readonly by: number }
  | {
      readonly do: 'payments';
      readonly commandId: string;
      readonly settings: PaymentSettings | null;
      readonly by: number;
    };

interface BusinessState {
  registered: boolean;
  review: Review;
  uniqueOrderRefs: boolean;
  readonly modules: Set<string>;
  readonly done: Set<string>;
}

export const businesses: Decider<BusinessState, BusinessCommand, undefined> = {
  initial: () => ({
    registered: false,
    review: 'anybody',
    uniqueOrderRefs: false,
    modules: new Set(),
    done: new Set(),
  }),

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
    if (command.do === 'review')
      return {
        facts:
          state.review === command.review
            ? []
            : [{ id, type: ReviewRuleSet as Fact['type'], data: { review: command.review } }],
        reply: undefined,
      };
    if (command.do === 'order_refs')
      return {
        facts:
          state.uniqueOrderRefs === command.unique
            ? []
            : [{ id, type: OrderRefRuleSet as Fact['type'], data: { unique: command.unique } }],
        reply: undefined,
      };
    if (command.do === 'sender')
      return { facts: [{ id, type: SenderSet as Fact['type'], data: { sender: command.sender } }], reply: undefined };
    if (command.do === 'billing')
      return {
        facts: [{ id, type: BusinessBillingSet as Fact['type'], data: { ...command.billing, set_by: command.by } }],
        reply: undefined,
      };
    if (command.do === 'payments')
      return {
        facts: [
          { id, type: PaymentSettingsSet as Fact['type'], data: { settings: command.settings, set_by: command.by } },
        ],
        reply: undefined,
      };
    if (state.modules.has(command.module) === command.on) return { facts: [], reply: undefined };
    return {
      facts: [{ id, type: ModuleSwitched as Fact['type'], data: { module: command.module, on: command.on } }],
      reply: undefined,
    };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    if (type === BusinessRegistered.type) state.registered = true;
    if (type === ReviewRuleSet.type) state.review = data['review'] as Review;
    if (type === OrderRefRuleSet.type) state.uniqueOrderRefs = data['unique'] as boolean;
    if (type === ModuleSwitched.type) state.modules[data['on'] ? 'add' : 'delete'](data['module'] as string);
    return state;
  },
};
