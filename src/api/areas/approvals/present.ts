/** Responses for proposals, with data that is read at that time: names of keys, and the setting of the business. */
import { businessOf, isStaff, type Caller } from '../../core/callers.js';
import type { Parts } from '../../core/parts.js';
import type { Proposal } from '../../../projections/approvals/queries.js';
import { toProposalResponse, type ProposalResponse } from './proposal-response.js';
import { createTokenNames, type TokenNamesOptions } from './token-names.js';

export interface PresentOptions extends Parts<'accounts' | 'baseUrl'>, Pick<TokenNamesOptions, 'oauthGrants'> {
  /** Title of a tool; the name of an operation that has no tool. */
  readonly titleOf: (tool: string) => string;
}

/** The proposals belong to the business of the caller. */
export type Present = (proposals: readonly Proposal[], caller: Caller) => Promise<ProposalResponse[]>;

export function createPresent({ accounts, oauthGrants, baseUrl, titleOf }: PresentOptions): Present {
  const tokenNames = createTokenNames({ accounts, oauthGrants });
  return async (proposals, caller) => {
    const [names, business] = await Promise.all([tokenNames(proposals), accounts.business(businessOf(caller))]);
    return proposals.map((proposal) =>
      toProposalResponse(proposal, {
        title: titleOf(proposal.proposed.tool),
        withResponse: isStaff(caller),
        baseUrl: baseUrl(),
        review: business?.review ?? 'anybody',
        tokenName: names.get(proposal.proposed.token),
      }),
    );
  };
}
