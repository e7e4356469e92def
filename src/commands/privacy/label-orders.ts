/** Reads label orders for their erasure: their business, and the numbers of their packages. */
import { decode } from '../../events/core/codec.js';
import type { Parts } from '../../events/core/parts.js';
import { LABEL_PURCHASE, type LabelPurchaseResult } from '../../events/labels/effects.js';
import { labelStream, type NewLabelOrder } from '../../events/labels/events.js';

export interface LabelOrderData {
  readonly id: number;
  readonly business: number;
  /** The tracking numbers that the carriers have given to its packages. */
  readonly numbers: readonly string[];
}

/** Returns only existing label orders. */
export type ReadLabelOrders = (ids: readonly number[]) => Promise<readonly LabelOrderData[]>;

export const createReadLabelOrders =
  ({ log, types }: Parts<'log' | 'types'>): ReadLabelOrders =>
  async (ids) => {
    const found = await log.readMany(ids.map(labelStream));
    return ids.flatMap((id) => {
      const events = found.get(labelStream(id)) ?? [];
      const [created] = events;
      if (!created) return [];
      const { business } = decode(created, types) as unknown as Pick<NewLabelOrder, 'business'>;
      const numbers = events
        .filter(({ type }) => type === LABEL_PURCHASE.done.type)
        .flatMap((event) => (decode(event, types)['result'] as unknown as LabelPurchaseResult).packages)
        .map(({ tracking_number }) => tracking_number);
      return [{ id, business, numbers: [...new Set(numbers)] }];
    });
  };
