/**
 * Decides commands on a user's account and its API keys. The caller's permission is checked before the command is
 * decided. The role of an account never changes.
 */
import type { Fact } from '../../events/core/codec.js';
import {
  AccountChanged,
  AccountDisabled,
  AccountEnabled,
  AccountOpened,
  accountSubject,
  ApiKeyCreated,
  ApiKeyRevoked,
  PasswordChanged,
  type AccountStatus,
  type UserRole,
} from '../../events/accounts/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';

export interface Person {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
}

/** `commandId`: UUID of the request; a retry sends the same UUID. */
export type AccountCommand = { readonly commandId: string; readonly userId: number } & (
  | {
      readonly do: 'open';
      readonly businessId?: number | undefined;
      readonly role: UserRole;
      readonly status: AccountStatus;
      readonly person: Person;
    }
  | { readonly do: 'change'; readonly person: Person }
  /** Disabling an account also revokes its API keys. */
  | { readonly do: 'enable' | 'disable' }
  | { readonly do: 'passwordChanged'; readonly endKeys: boolean }
  | {
      readonly do: 'createKey';
      readonly keyId: string;
      readonly name: string;
      readonly profile?: string | undefined;
      readonly scopes: readonly string[];
      readonly expiresAt?: string | undefined;
    }
  | { readonly do: 'revokeKey'; readonly keyId: string }
);

interface AccountState {
  status: AccountStatus | undefined;
  readonly keys: Set<string>;
  readonly done: Set<string>;
}

/** Maximum number of active API keys per account. */
const MAX_KEYS = 50;

export const accounts: Decider<AccountState, AccountCommand, undefined> = {
  initial: () => ({ status: undefined, keys: new Set(), done: new Set() }),

  decide(state, command) {
    const id = derivedId('account', command.commandId, command.do);
    if (state.done.has(id)) return { facts: [], reply: undefined };
    if (command.do !== 'open' && state.status === undefined) throw new DomainError('NOT_FOUND');
    const subject = accountSubject(command.userId);
    const fact = decideFact(state, command);
    const ended = endsKeys(command)
      ? [...state.keys].map((key) => ({
          id: derivedId('account', command.commandId, 'end key', key),
          subject,
          type: ApiKeyRevoked,
          data: { key_id: key },
        }))
      : [];
    const facts = [...(fact ? [{ id, subject, ...fact }] : []), ...ended] as unknown as Fact[];
    return { facts, reply: undefined };
  },

  evolve(state, { id, type, data }) {
    state.done.add(id);
    if (type === AccountOpened.type) state.status = data['status'] as AccountStatus;
    if (type === AccountEnabled.type) state.status = 'active';
    if (type === AccountDisabled.type) state.status = 'disabled';
    if (type === ApiKeyCreated.type) state.keys.add(data['key_id'] as string);
    if (type === ApiKeyRevoked.type) state.keys.delete(data['key_id'] as string);
    return state;
  },
};

function decideFact(state: AccountState, command: AccountCommand): Pick<Fact, 'type' | 'data'> | undefined {
  const fact = (type: unknown, data: object) => ({ type: type as Fact['type'], data });
  switch (command.do) {
    case 'open': {
      if (state.status !== undefined) throw new DomainError('CONFLICT');
      const { userId, businessId, role, status, person } = command;
      return fact(AccountOpened, {
        user_id: userId,
        ...(businessId !== undefined && { business_id: businessId }),
        role,
        status,
        ...given(person),
      });
    }
    case 'change':
      return fact(AccountChanged, given(command.person));
    case 'enable':
      return state.status === 'active' ? undefined : fact(AccountEnabled, {});
    case 'disable':
      return state.status === 'disabled' ? undefined : fact(AccountDisabled, {});
    case 'passwordChanged':
      return fact(PasswordChanged, {});
    case 'createKey': {
      if (state.status !== 'active') throw new DomainError('FORBIDDEN');
      if (state.keys.size >= MAX_KEYS) throw new DomainError('TOO_MANY_KEYS', { max: MAX_KEYS });
      const { keyId, name, profile, scopes, expiresAt } = command;
      return fact(ApiKeyCreated, {
        key_id: keyId,
        name,
        scopes,
        ...(profile !== undefined && { profile }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      });
    }
    case 'revokeKey':
      if (!state.keys.has(command.keyId)) throw new DomainError('NOT_FOUND');
      return fact(ApiKeyRevoked, { key_id: command.keyId });
  }
}

const endsKeys = (command: AccountCommand): boolean =>
  command.do === 'disable' || (command.do === 'passwordChanged' && command.endKeys);

const given = (person: Person): Record<string, string> =>
  Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined));
