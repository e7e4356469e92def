/** Destroys the keys of invoices whose customer was erased, at the end of their legal term. */
import { randomUUID } from 'node:crypto';
import type { Erasing } from '../../commands/privacy/erasing.js';
import type { RetentionQueries } from '../../projections/invoices/retention.js';

export interface ExpiredInvoicesOptions {
  readonly retention: Pick<RetentionQueries, 'expired'>;
  readonly erasing: Pick<Erasing, 'erase'>;
}

/** Erases the documents, and returns their number. A repetition finds only the remaining documents. */
export function createExpiredInvoices({ retention, erasing }: ExpiredInvoicesOptions): () => Promise<number> {
  return async () => {
    const expired = await retention.expired();
    for (const { subject, business } of expired) {
      const commandId = randomUUID();
      await erasing.erase({ subject, kind: 'invoice', business, keys: [subject] }, commandId, {
        correlationId: commandId,
        actor: { kind: 'system', id: 'invoices' },
        channel: 'system',
        business: String(business),
      });
    }
    return expired.length;
  };
}
