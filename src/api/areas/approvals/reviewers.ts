/** Reviewers: roles that read all proposals of a business, and the four-eyes rule in addition to role and scopes. */
import type { Review } from '../../../events/businesses/events.js';
import type { Proposal } from '../../../projections/approvals/queries.js';
import type { UserCaller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

/** Throws if the approval settings exclude the reviewer. An API key or application never approves its own proposals. */
export function checkReviewer({ proposed }: Proposal, reviewer: UserCaller, review: Review): void {
  const isKey = reviewer.tokenKind !== 'login';
  if (isKey && proposed.token === reviewer.tokenId) throw new ApiError('OWN_PROPOSAL');
  if (review === 'anybody') return;
  if (proposed.proposed_by === reviewer.userId) throw new ApiError('OTHER_REVIEWER_NEEDED');
  if (review === 'another_person_signed_in' && isKey) throw new ApiError('SIGNED_IN_REVIEWER_NEEDED');
}
