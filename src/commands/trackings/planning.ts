/** When the parcel is to be delivered, as its order says. Pure. */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import { TrackingDeliveryPlanned, type PlannedDelivery } from '../../events/trackings/events.js';
import type { TrackingState } from './state.js';

/** What an older event of the order said is no news: what follows from orders may be done twice, and late. */
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
