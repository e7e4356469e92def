/** Decides commands on the account of a business at a carrier. */
import { isDeepStrictEqual } from 'node:util';
import {
  CARRIER_ACCOUNT_PREFIX,
  CarrierAccountAdded,
  CarrierAccountChanged,
  CarrierAccountDisabled,
  CarrierAccountEnabled,
  CarrierMethodsSet,
  carrierAccountStream,
  CredentialReplaced,
  type AccountMethod,
  type CarrierTerms,
} from '../../events/carrier-accounts/events.js';
import { compact } from '../../events/core/compact.js';
import { entity, newEvent, type EntityCommand, type NewEvent } from '../core/entity.js';
import { chosenMethods, offeredMethods, type MethodChoice, type OfferedMethod } from './methods.js';

/** Members that change together. Absent members are unchanged. */
export interface CarrierAccountUpdate {
  readonly terms?: Partial<CarrierTerms> | undefined;
  readonly credentialId?: string | undefined;
  /** The methods that the carrier offers now. */
  readonly offered?: readonly OfferedMethod[] | undefined;
  readonly choices?: readonly MethodChoice[] | undefined;
}

export type CarrierAccountChange =
  | {
      readonly do: 'add';
      readonly adapter: string;
      readonly accountToken: string;
      readonly credentialId: string | undefined;
      readonly terms: CarrierTerms;
      readonly offered: readonly OfferedMethod[];
    }
  | ({ readonly do: 'change' } & CarrierAccountUpdate)
  | { readonly do: 'disable' }
  | { readonly do: 'enable' };
export type CarrierAccountCommand = EntityCommand & CarrierAccountChange & { readonly id: number };

interface State {
  terms: Partial<CarrierTerms>;
  credentialId: string | undefined;
  methods: readonly AccountMethod[];
  disabled: boolean;
}

export const carrierAccounts = entity<State, CarrierAccountCommand>({
  name: CARRIER_ACCOUNT_PREFIX,
  makes: 'add',
  notFound: 'CARRIER_ACCOUNT_NOT_FOUND',
  subject: (id) => carrierAccountStream(id as number),
  initial: () => ({ terms: {}, credentialId: undefined, methods: [], disabled: false }),
  decide(state, command) {
    switch (command.do) {
      case 'add': {
        const { id, business, adapter, accountToken, credentialId, terms, offered } = command;
        const added = compact({ account_token: accountToken, credential_id: credentialId, ...terms });
        return [
          newEvent(CarrierAccountAdded, { carrier_account_id: id, business, adapter, ...added }),
          newEvent(CarrierMethodsSet, { methods: [...offeredMethods(id, [], offered)] }),
        ];
      }
      case 'change':
        return changes(state, command);
      case 'disable':
        return state.disabled ? undefined : newEvent(CarrierAccountDisabled, {});
      case 'enable':
        return state.disabled ? newEvent(CarrierAccountEnabled, {}) : undefined;
    }
  },
  evolve(state, { type, data }) {
    if (type === CarrierAccountAdded.type) state.credentialId = data['credential_id'] as string | undefined;
    if (type === CarrierAccountAdded.type || type === CarrierAccountChanged.type)
      state.terms = { ...state.terms, ...(data as Partial<CarrierTerms>) };
    if (type === CarrierMethodsSet.type) state.methods = data['methods'] as unknown as readonly AccountMethod[];
    if (type === CredentialReplaced.type) state.credentialId = data['credential_id'] as string;
    if (type === CarrierAccountDisabled.type) state.disabled = true;
    if (type === CarrierAccountEnabled.type) state.disabled = false;
    return state;
  },
});

function changes(state: State, command: { readonly id: number } & CarrierAccountUpdate): readonly NewEvent[] {
  const { id, terms = {}, credentialId, offered, choices = [] } = command;
  const events: NewEvent[] = [];
  // The return address is encrypted in the state, so it is always recorded.
  const changed = Object.entries(terms).filter(
    ([name, value]) => name === 'return_address' || !isDeepStrictEqual(value, state.terms[name as keyof CarrierTerms]),
  );
  if (changed.length > 0) events.push(newEvent(CarrierAccountChanged, Object.fromEntries(changed)));
  if (credentialId !== undefined && credentialId !== state.credentialId)
    events.push(newEvent(CredentialReplaced, { credential_id: credentialId }));
  const methods = chosenMethods(offered ? offeredMethods(id, state.methods, offered) : state.methods, choices);
  if (!isDeepStrictEqual(methods, state.methods)) events.push(newEvent(CarrierMethodsSet, { methods: [...methods] }));
  return events;
}
