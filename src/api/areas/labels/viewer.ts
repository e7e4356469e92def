/** Visibility of label orders: those of the business. Customers see only their own. */
import type { LabelViewer } from '../../../projections/labels/queries.js';
import { businessOf, STAFF_ROLES, userOf, type Caller, type CallerKind } from '../../core/callers.js';

export const LABEL_READERS = [...STAFF_ROLES, 'customer'] as const satisfies readonly CallerKind[];
export const LABEL_WRITERS = ['client_admin', 'employee', 'customer'] as const satisfies readonly CallerKind[];

export function labelViewerOf(caller: Caller): LabelViewer {
  const { role, userId } = userOf(caller);
  return { business: businessOf(caller), ...(role === 'customer' && { customerId: userId }) };
}
