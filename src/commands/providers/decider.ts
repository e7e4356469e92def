/**
 * Decides commands on a provider: registration (also repeated, with other permissions), its mapping of raw
 * statuses, its choice of a carrier's table, and its membership of a network.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../events/core/codec.js';
import type { CarrierName } from '../../events/otep/carriers/carriers.js';
import { derivedId } from '../../events/otep/identity.js';
import type { SourceType } from '../../events/otep/model.js';
import type { Network } from '../../events/otep/networks.js';
import {
  CarrierCodesSet,
  ProviderNetworkSet,
  ProviderRegistered,
  StatusMappingSet,
  type StatusMapping,
} from '../../events/providers/events.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

interface Registration {
  readonly name: string;
  readonly kind: SourceType;
  readonly may_open: boolean;
}

/** `commandId`: UUID of the request; a retry sends the same UUID. */
export type ProviderCommand =
  | ({ readonly do: 'register'; readonly commandId: string } & Registration)
  | { readonly do: 'map'; readonly commandId: string; readonly mapping: StatusMapping }
  /** `carrier_codes`: name of a carrier's table; null: none. */
  | { readonly do: 'chooseCodes'; readonly commandId: string; readonly carrier_codes: CarrierName | null }
  /** `network`: the network of which the provider is a member; null: none. */
  | { readonly do: 'setNetwork'; readonly commandId: string; readonly network: Network | null };

interface ProviderState {
  registered: Registration | undefined;
  mapping: StatusMapping;
  carrierCodes: string | null;
  network: Network | null;
  readonly done: Set<string>;
}

export const providers: Decider<ProviderState, ProviderCommand, undefined> = {
  initial: () => ({ registered: undefined, mapping: [], carrierCodes: null, network: null, done: new Set() }),

  decide(state, command) {
    const id = derivedId('provider', command.commandId);
    if (state.done.has(id)) return { facts: [], reply: undefined };
    if (command.do === 'register') {
      const { name, kind, may_open } = command;
      const data = { name, kind, may_open };
      return {
        facts: isDeepStrictEqual(data, state.registered)
          ? []
          : [{ id, type: ProviderRegistered as Fact['type'], data }],
        reply: undefined,
      };
    }
    if (!state.registered) throw new DomainError('NOT_FOUND');
    if (command.do === 'chooseCodes') {
      const { carrier_codes } = command;
      return {
        facts:
          carrier_codes === state.carrierCodes
            ? []
            : [{ id, type: CarrierCodesSet as Fact['type'], data: { carrier_codes } }],
        reply: undefined,
      };
    }
    if (command.do === 'setNetwork') {
      const { network } = command;
      return {
        facts: network === state.network ? [] : [{ id, type: ProviderNetworkSet as Fact['type'], data: { network } }],
        reply: undefined,
      };
    }
    const same = isDeepStrictEqual(command.mapping, state.mapping);
    return {
      facts: same ? [] : [{ id, type: StatusMappingSet as Fact['type'], data: { mapping: command.mapping } }],
      reply: undefined,
    };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    if (type === ProviderRegistered.type) state.registered = data as unknown as Registration;
    if (type === StatusMappingSet.type) state.mapping = data['mapping'] as unknown as StatusMapping;
    if (type === CarrierCodesSet.type) state.carrierCodes = data['carrier_codes'] as string | null;
    if (type === ProviderNetworkSet.type) state.network = data['network'] as Network | null;
    return state;
  },
};
