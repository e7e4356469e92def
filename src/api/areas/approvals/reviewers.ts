/** Who reads all proposals of a business, and four eyes: who may approve one, in addition to role and scopes. */
import type { Review } from '../../../events/businesses/events.js';
import type { Proposal } from '../../../projections/approvals/queries.js';
import type { Caller, UserCaller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

export const OFFICE = ['client_admin', 'employee', 'auditor'] as const;

/** Everybody else reads what they proposed themselves. */
export const isOfOffice = ({ role }: Caller): boolean => (OFFICE as readonly string[]).includes(role);

/** Throws where the reviewer is not one that the business asks for; an agent's key never approves what it proposed. */
export function expectOtherEyes({ proposed }: Proposal, reviewer: UserCaller, review: Review): void {
  const isKey = reviewer.tokenKind !== 'login';
  if (isKey && proposed.token === reviewer.tokenId) throw new ApiError('OWN_PROPOSAL');
  if (review === 'anybody') return;
  if (proposed.proposed_by === reviewer.userId) throw new ApiError('OTHER_REVIEWER_NEEDED');
  if (review === 'another_person_signed_in' && isKey) throw new ApiError('SIGNED_IN_REVIEWER_NEEDED');
}
