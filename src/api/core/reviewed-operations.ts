/** Operations whose calls can be proposed for approval, and the reviewer that a proposal expects. */
import type { UserCaller } from './callers.js';
import { authorize } from './invoke.js';
import type { Operation } from './operation.js';
import { OWN, type Scope } from './scopes.js';

/** The role that reviews proposals. */
const REVIEWER = 'client_admin';

/**
 * The write runs as the approver, so it must not grant access in the approver's name. A write that no reviewer may make,
 * such as a payment by a customer, would wait for a decision until it expires.
 */
export const isPersonalOperation = ({ loginOnly, callers, scopes = [] }: Operation): boolean =>
  loginOnly === true ||
  !callers.includes(REVIEWER) ||
  scopes.some((scope) => (OWN as readonly Scope[]).includes(scope));

/** Writes, except decisions on proposals and access to accounts. */
export const canBeProposed = (operation: Operation): boolean =>
  operation.writes === true && operation.area !== 'Approvals' && !isPersonalOperation(operation);

/**
 * Callers with read access only may propose too, so a proposal is checked with the role and scopes of a possible
 * reviewer.
 */
export const asReviewer = (user: UserCaller, { callers, scopes = [] }: Operation): UserCaller => ({
  ...user,
  role: callers.includes(user.role) ? user.role : REVIEWER,
  scopes: new Set<Scope>([...user.scopes, ...scopes]),
});

/** Whether a reviewer of the caller's business could execute the operation: its role and module allow it. */
export function canBeApproved(operation: Operation, user: UserCaller): boolean {
  try {
    authorize(operation, { ...asReviewer(user, operation), role: REVIEWER });
    return true;
  } catch {
    return false;
  }
}
