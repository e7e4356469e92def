/** Four eyes: who may approve a proposal, beside what role and scopes say. */
import type { Review } from '../../../events/businesses/events.js';
import type { Proposal } from '../../../projections/approvals/queries.js';
import type { UserCaller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

/** Throws where the reviewer is not one that the business asks for; an agent's key never approves what it proposed. */
export function expectOtherEyes({ proposed }: Proposal, reviewer: UserCaller, review: Review): void {
  const isKey = reviewer.tokenKind !== 'login';
  if (isKey && proposed.token === reviewer.tokenId) throw new ApiError('OWN_PROPOSAL');
  if (review === 'anybody') return;
  if (proposed.proposed_by === reviewer.userId) throw new ApiError('OTHER_REVIEWER_NEEDED');
  if (review === 'another_person_signed_in' && isKey) throw new ApiError('SIGNED_IN_REVIEWER_NEEDED');
}
