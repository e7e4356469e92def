/** The address where a proposal is decided, and its possible approvers. Agents show both to their users. */
import { z } from 'zod';
import { REVIEWS, type Review } from '../../../events/businesses/events.js';
import type { Scope } from '../../core/scopes.js';

export const REVIEWERS = ['client_admin'] as const;
const APPROVING: Scope = 'approvals:write';

export const approversSchema = z
  .object({
    roles: z.array(z.enum(REVIEWERS)),
    scopes: z.array(z.string()).describe('Scopes that the token of the reviewer needs.'),
    review: z.enum(REVIEWS).describe('Setting of the business: users who may approve proposals.'),
  })
  .meta({ id: 'ProposalApprovers' })
  .describe('Users who may approve the proposal.');
export type Approvers = z.infer<typeof approversSchema>;

/** Address of the proposal on the approval page. */
export const approvalUrl = (baseUrl: string, id: string): string => `${baseUrl}/mcp-approvals#proposal=${id}`;

export const approversOf = (requiredScopes: readonly string[], review: Review): Approvers => ({
  roles: [...REVIEWERS],
  scopes: [...new Set([APPROVING, ...requiredScopes])],
  review,
});
