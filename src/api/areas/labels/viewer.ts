/** Visibility of label orders: those of the business. Customers see only their own. */
import type { LabelViewer } from '../../../projections/labels/queries.js';
import { businessOf, userOf, type Caller, type CallerKind } from '../../core/callers.js';

export const LABEL_READERS = ['client_admin', 'employee', 'customer'] as const satisfies readonly CallerKind[];
export const LABEL_WRITERS = LABEL_READERS;

export function labelViewerOf(caller: Caller): LabelViewer {
  const { role, userId } = userOf(caller);
  return { business: businessOf(caller), ...(role === 'customer' && { customerId: userId }) };
}
