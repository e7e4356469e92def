/** Visibility of invoices and credit notes: staff see those of the business, customers see those addressed to them. */
import type { Invoice, InvoiceQueries, InvoiceViewer } from '../../../projections/invoices/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';

export function invoiceViewerOf(caller: Caller): InvoiceViewer {
  const { role, userId } = userOf(caller);
  return { business: businessOf(caller), ...(role === 'customer' && { customerId: userId }) };
}

/** Returns the document if the caller sees it; throws NOT_FOUND. */
export async function visibleInvoice(
  queries: Pick<InvoiceQueries, 'visible'>,
  id: number,
  caller: Caller,
): Promise<Invoice> {
  const found = await queries.visible(id, invoiceViewerOf(caller));
  if (!found) throw fieldError('NOT_FOUND', 'invoice_id');
  return found;
}
