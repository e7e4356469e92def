/** Finds label orders in the log that can join a manifest. A read model may still list some that have joined one. */
import { decoded } from '../../events/core/codec.js';
import type { Parts } from '../../events/core/parts.js';
import { labelStream } from '../../events/labels/events.js';
import { isVoiding, labelOrderState } from '../../events/labels/state.js';
import { pastOf } from '../core/decider.js';
import { evolve, initial } from '../labels/state.js';

/** The ids of these orders that have all their labels, and are neither submitted nor in a manifest. */
export type OpenLabels = (orderIds: readonly number[]) => Promise<readonly number[]>;

export const createOpenLabels =
  ({ log, types }: Parts<'log' | 'types'>): OpenLabels =>
  async (orderIds) => {
    const streams = await log.readMany(orderIds.map(labelStream));
    return orderIds.filter((id) => {
      const past = (streams.get(labelStream(id)) ?? []).map((event) => decoded(event, types));
      const { created, order } = past.reduce((now, event) => evolve(now, pastOf(event, event.data)), initial());
      return (
        created !== undefined &&
        labelOrderState(order) === 'LABEL_PURCHASED' &&
        !order.manifest &&
        !order.shipments.some((one) => isVoiding(one))
      );
    });
  };
