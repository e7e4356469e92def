/**
 * Names of the API keys and applications that made proposals. They are read whenever a proposal is shown, because they
 * are personal data of the user and are erased with the account.
 */
import type { OAuthGrants } from '../../../engines/postgres/oauth-grants.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { Proposal } from '../../../projections/approvals/queries.js';

export interface TokenNamesOptions {
  readonly accounts: Pick<AccountQueries, 'byIds'>;
  readonly oauthGrants: Pick<OAuthGrants, 'of'>;
}

/** Names by the id of the token. Absent: a session, a revoked key or grant, or an erased account. */
export type TokenNames = (proposals: readonly Pick<Proposal, 'proposed'>[]) => Promise<ReadonlyMap<string, string>>;

export function createTokenNames({ accounts, oauthGrants }: TokenNamesOptions): TokenNames {
  return async (proposals) => {
    const users = [...new Set(proposals.map(({ proposed }) => proposed.proposed_by))];
    const keys = (await accounts.byIds(users)).flatMap(({ api_keys }) => api_keys);
    const names = new Map(keys.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
    const others = proposals.filter(({ proposed }) => !names.has(proposed.token));
    const grants = await Promise.all(
      [...new Set(others.map(({ proposed }) => proposed.proposed_by))].map((user) => oauthGrants.of(user)),
    );
    for (const { id, clientName } of grants.flat()) if (clientName !== undefined) names.set(id, clientName);
    return names;
  };
}
