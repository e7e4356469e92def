/** The planned delivery of a parcel, according to its order. Pure. */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import { TrackingDeliveryPlanned, type PlannedDelivery } from '../../events/trackings/events.js';
import type { TrackingState } from './state.js';

/**
 * Ignores the plan of an older event of the order, because the events that follow from orders may be written repeatedly
 * and late.
 */
export const plan = (
  { plannedBy }: Pick<TrackingState, 'plannedBy'>,
  id: string,
  planned: PlannedDelivery | undefined,
): Fact[] =>
  planned === undefined || planned.order_revision <= plannedBy
    ? []
    : [
        {
          id: derivedId('delivery planned', id, planned.order_revision),
          type: TrackingDeliveryPlanned as Fact['type'],
          data: planned,
        },
      ];
