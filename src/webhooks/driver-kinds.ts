/** Events of drivers, their shifts and routes, and of orders that look for a rider. */
import { DRIVER_PREFIX } from '../events/drivers/events.js';
import { DriverDocumentExpiring } from '../events/drivers/papers.js';
import { RiderWentOffline, RiderWentOnline } from '../events/drivers/riding.js';
import {
  INSTANT_PREFIX,
  InstantAssigned,
  InstantCancelled,
  InstantExhausted,
  InstantRequested,
  RiderOfferAccepted,
} from '../events/riders/events.js';
import {
  RouteClaimed,
  RouteClaimLost,
  RouteClaimWithdrawn,
  RouteFinished,
  RouteStarted,
  StandbyHoldLapsed,
  StandbyPromoted,
} from '../events/routes/board.js';
import {
  ROUTE_PREFIX,
  RouteClosed,
  RouteDriverAssigned,
  RouteStopsPinned,
  RouteStopsUnpinned,
} from '../events/routes/events.js';
import { ShiftCancelled, ShiftChanged, ShiftConfirmed, ShiftPlanned, SHIFTS_PREFIX } from '../events/shifts/events.js';
import { firesOn, given, type Changes, type Kind, type Told } from './kind.js';

const ROUTE_CHANGES: Changes = {
  [RouteDriverAssigned.type]: 'driver_assigned',
  [RouteStopsPinned.type]: 'stops_pinned',
  [RouteStopsUnpinned.type]: 'stops_unpinned',
  [RouteStarted.type]: 'started',
  [RouteFinished.type]: 'finished',
};
const SHIFT_CHANGES: Changes = {
  [ShiftPlanned.type]: 'planned',
  [ShiftChanged.type]: 'changed',
  [ShiftCancelled.type]: 'cancelled',
  [ShiftConfirmed.type]: 'confirmed',
};
const INSTANT_CHANGES: Changes = {
  [InstantRequested.type]: 'requested',
  [RiderOfferAccepted.type]: 'accepted',
  [InstantAssigned.type]: 'assigned',
  [InstantExhausted.type]: 'exhausted',
  [InstantCancelled.type]: 'cancelled',
};
const CLAIMED: Changes = { [RouteClaimed.type]: 'claimed', [StandbyPromoted.type]: 'held' };
const WITHDRAWN: Changes = {
  [RouteClaimWithdrawn.type]: 'withdrawn',
  [RouteClaimLost.type]: 'lost',
  [StandbyHoldLapsed.type]: 'hold_lapsed',
};

const routeOf = ({ firstData }: Told) => ({ route_id: firstData['route_id'] as number });

const boardKind = (type: string, changes: Changes): Kind => ({
  type,
  prefix: ROUTE_PREFIX,
  fires: firesOn(changes),
  data: (told) => ({
    ...routeOf(told),
    change: changes[told.event.type]!,
    ...given(told.data, 'driver_id', 'from_standby', 'hold_until', 'late', 'why'),
  }),
});

export const DRIVER_KINDS = {
  route_changed: {
    type: 'route.changed',
    prefix: ROUTE_PREFIX,
    fires: firesOn(ROUTE_CHANGES),
    data: (told) => ({
      ...routeOf(told),
      change: ROUTE_CHANGES[told.event.type]!,
      ...given(told.data, 'driver_id', 'order_ids', 'pin', 'at'),
    }),
  },
  route_closed: {
    type: 'route.closed',
    prefix: ROUTE_PREFIX,
    fires: ({ type }) => type === RouteClosed.type,
    data: routeOf,
  },
  route_board_claimed: boardKind('route_board.claimed', CLAIMED),
  route_board_withdrawn: boardKind('route_board.withdrawn', WITHDRAWN),
  /** The first event of the stream is another shift: a month has one for each of its days. */
  fleet_shift_changed: {
    type: 'fleet_shift.changed',
    prefix: SHIFTS_PREFIX,
    fires: firesOn(SHIFT_CHANGES),
    data: ({ event, data, firstData }) => ({
      driver_id: firstData['driver_id'] as number,
      change: SHIFT_CHANGES[event.type]!,
      ...given(data, 'shift_id', 'fleet_id', 'start_at', 'end_at'),
    }),
  },
  driver_status_changed: {
    type: 'driver.status_changed',
    prefix: DRIVER_PREFIX,
    fires: ({ type }) => type === RiderWentOnline.type || type === RiderWentOffline.type,
    data: ({ event, data }) => ({
      on_duty: event.type === RiderWentOnline.type,
      ...given(data, 'driver_id', 'route_id', 'why'),
    }),
  },
  driver_document_expiring: {
    type: 'driver.document_expiring',
    prefix: DRIVER_PREFIX,
    fires: ({ type }) => type === DriverDocumentExpiring.type,
    data: ({ data }) => given(data, 'driver_id', 'document_id', 'kind', 'valid_until', 'days'),
  },
  instant_changed: {
    type: 'instant.changed',
    prefix: INSTANT_PREFIX,
    fires: firesOn(INSTANT_CHANGES),
    data: ({ event, data, firstData }) => ({
      order_id: firstData['order_id'] as number,
      status: INSTANT_CHANGES[event.type]!,
      ...given(data, 'rider_id', 'route_id', 'why'),
    }),
  },
} as const satisfies Readonly<Record<string, Kind>>;
