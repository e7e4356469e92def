/** The read model of accounts: one row per account, with its API keys. Personal data stays encrypted. */
import { sequence } from '../core/sequence.js';
import { ACCOUNT_PREFIX, type AccountStatus, type UserRole } from '../../events/accounts/events.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { integer, json, optional, text, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';

/** Ids of users. */
export const USER_IDS = sequence('users', { readModel: 'accounts', table: 'accounts.accounts' });

export interface StoredApiKey {
  readonly id: string;
  readonly name: SealedMembers;
  readonly profile?: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly expires_at?: string;
}

const columns = {
  id: integer(),
  business: optional(integer()),
  role: text<UserRole>(),
  status: text<AccountStatus>(),
  /** Entries in the order of the log; later entries override earlier ones. */
  person: json<SealedMembers[]>(),
  /** API keys that are not revoked. */
  api_keys: json<StoredApiKey[]>(),
  created_at: text(),
  revision: integer(),
};
export type AccountRow = RowOf<typeof columns>;

export const accounts = table({
  name: 'accounts',
  version: 1,
  prefixes: [ACCOUNT_PREFIX],
  columns,
  indexes: ['(business, id)'],
  fold: foldAccount,
});

function foldAccount(row: AccountRow | undefined, event: StoredEvent): AccountRow {
  const data = event.data as JsonObject & {
    readonly key_id?: string;
    readonly scopes?: readonly string[];
    readonly profile?: string;
    readonly expires_at?: string;
  };
  const recordedAt = event.metadata['recorded_at'] as string;
  if (!row) {
    if (event.type !== 'AccountOpened') throw new Error(`The stream has ${event.type} before AccountOpened.`);
    const {
      user_id,
      business_id = null,
      role,
      status,
    } = event.data as unknown as { user_id: number; business_id?: number; role: UserRole; status: AccountStatus };
    return {
      id: user_id,
      business: business_id,
      role,
      status,
      person: [sealedMembersOf(event)],
      api_keys: [],
      created_at: recordedAt,
      revision: event.revision,
    };
  }
  row.revision = event.revision;
  switch (event.type) {
    case 'AccountChanged':
      row.person = [...row.person, sealedMembersOf(event)];
      break;
    case 'AccountEnabled':
      row.status = 'active';
      break;
    case 'AccountDisabled':
      row.status = 'disabled';
      break;
    case 'ApiKeyCreated': {
      const { key_id, scopes, profile, expires_at } = data;
      row.api_keys = [
        ...row.api_keys,
        {
          id: key_id!,
          name: sealedMembersOf(event),
          scopes: scopes!,
          created_at: recordedAt,
          ...(profile !== undefined && { profile }),
          ...(expires_at !== undefined && { expires_at }),
        },
      ];
      break;
    }
    case 'ApiKeyRevoked':
      row.api_keys = row.api_keys.filter(({ id }) => id !== data.key_id);
      break;
  }
  return row;
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'accounts', { 'accounts.accounts': AccountRow }> {}
}
