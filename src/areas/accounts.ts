/** Accounts: the users of a business, their sessions and keys. */
import { ACCOUNT_EXAMPLES } from '../api/areas/accounts/examples.js';
import { createEndAccess } from '../engines/postgres/end-access.js';
import { grants } from '../api/areas/accounts/grants.js';
import { apiKeys } from '../api/areas/accounts/api-keys.js';
import { sessions } from '../api/areas/accounts/sessions.js';
import { createOpenAccount } from '../api/areas/accounts/open-account.js';
import { registration } from '../api/areas/accounts/registration.js';
import { users } from '../api/areas/accounts/users.js';
import { createLogins } from '../engines/postgres/logins.js';
import { createOAuthGrants } from '../engines/postgres/oauth-grants.js';
import { createTokens } from '../engines/postgres/tokens.js';
import { ACCOUNT_EVENTS, ACCOUNT_PREFIX } from '../events/accounts/events.js';
import { createAccountQueries } from '../projections/accounts/queries.js';
import { accounts as accountRows, USER_IDS } from '../projections/accounts/read-model.js';
import { area } from './area.js';

export const accounts = area({
  name: 'accounts',
  examples: ACCOUNT_EXAMPLES,
  streams: [{ prefix: ACCOUNT_PREFIX, events: ACCOUNT_EVENTS, tenant: 'business_id', erasure: 'otherwise' }],
  readModels: [accountRows],
  sequences: [USER_IDS],
  errors: {
    WRONG_CREDENTIALS: 401,
    NOT_REHEARSED: 409,
    ONE_CALLER: 400,
    EMAIL_TAKEN: 409,
    TOO_MANY_KEYS: 409,
    LOCKED_OUT: 429,
    NO_SUCH_PROFILE: 400,
    INVALID_SCOPES: 400,
    API_TOKEN_RETIRED: 401,
  },
  services: ({ engines: { pool, keyRing, emailIndex, oauthVault, limits }, database, counts, now }) => ({
    queries: createAccountQueries({ pool, database, keyRing, now }),
    logins: createLogins(pool, emailIndex, { counts, limits }),
    tokens: createTokens(pool, now),
    oauthGrants: createOAuthGrants(pool, oauthVault),
    endAccess: createEndAccess({ pool, oauthVault }),
  }),
  operations({ queries, logins, tokens, oauthGrants, endAccess }, { commands: { accounts: handle }, now, allowance }) {
    const open = createOpenAccount(handle, logins);
    return [
      ...sessions({ handle, accounts: queries, logins, tokens, endAccess, now }),
      ...users({ handle, accounts: queries, logins, endAccess, tokens, open }),
      ...registration(queries, open, allowance),
      ...apiKeys({ handle, accounts: queries, tokens }),
      ...grants(oauthGrants),
    ];
  },
  sweep: ({ logins, tokens }) => Promise.all([logins.sweep(), tokens.sweep()]),
});
