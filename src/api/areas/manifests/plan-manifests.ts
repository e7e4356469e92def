/** Divides open label orders into manifests: one for each carrier account and ship date, or several if there are many. */
import type { OpenLabel } from '../../../projections/manifests/queries.js';

/** Maximum number of labels of a manifest: the call to the carrier ends after 30 s. */
export const MAX_LABELS = 500;

export interface PlannedManifest {
  readonly accountId: number;
  readonly adapter: string;
  readonly shipDate: string;
  readonly orderIds: readonly number[];
}

/** `orders`: sorted by account and ship date. */
export function planManifests(orders: readonly OpenLabel[]): readonly PlannedManifest[] {
  const planned: (PlannedManifest & { orderIds: number[]; labels: number })[] = [];
  for (const { id, account_id: accountId, adapter, ship_date: shipDate, packages } of orders) {
    const last = planned.at(-1);
    const fits = last?.accountId === accountId && last.shipDate === shipDate && last.labels + packages <= MAX_LABELS;
    if (fits) {
      last.orderIds.push(id);
      last.labels += packages;
    } else planned.push({ accountId, adapter, shipDate, orderIds: [id], labels: packages });
  }
  return planned.map(({ labels: _labels, ...one }) => one);
}
