/**
 * What a new password does to the API keys of the account. A user who changes a known password keeps the keys, because
 * programs depend on them, unless the user asks to revoke them. A reset by an admin or an operator revokes them,
 * because the account may have been taken over.
 */
import { z } from 'zod';
import type { EndedAccess } from '../../../engines/postgres/end-access.js';

export const passwordKeysOutput = {
  revoked_api_key_count: z.int().describe('Number of valid API keys of the account that were revoked.'),
  kept_api_key_count: z.int().describe('Number of API keys of the account that remain valid.'),
};

export const toPasswordKeys = ({ keys }: Pick<EndedAccess, 'keys'>) => ({
  revoked_api_key_count: keys.revoked,
  kept_api_key_count: keys.kept,
});
