/**
 * What a test webhook says: made from example events by the same code as the real ones, so that it cannot look
 * different.
 */
import { ALLIANCE_PREFIX } from '../events/alliances/events.js';
import type { JsonObject, StoredEvent } from '../events/core/log.js';
import { DRIVER_PREFIX } from '../events/drivers/events.js';
import { ORDER_PREFIX } from '../events/orders/events.js';
import { derivedId } from '../events/otep/identity.js';
import { INSTANT_PREFIX } from '../events/riders/events.js';
import { ROUTE_PREFIX } from '../events/routes/events.js';
import { SHIFTS_PREFIX } from '../events/shifts/events.js';
import { TRACKING_PREFIX } from '../events/trackings/events.js';
import type { WebhookKind } from '../events/webhooks/events.js';
import type { Body } from './bodies.js';
import { KINDS } from './kinds.js';

interface Example {
  readonly stream: string;
  readonly first: readonly [type: string, data: JsonObject];
  /** Absent: the first one is told itself. */
  readonly told?: readonly [type: string, data: JsonObject];
}

const ORDER: Pick<Example, 'stream' | 'first'> = {
  stream: `${ORDER_PREFIX}0`,
  first: [
    'OrderCreated',
    {
      order_id: 0,
      business: 0,
      type: 'D',
      order_ref: 'EXAMPLE-1',
      schedule_date: '2026-01-05',
      self_delivery: true,
      delivery: { city: 'Hamburg', postal_code: '20095', country: 'DE' },
      packages: [{ tracking_number: 'EXAMPLE00001', weight: 1.5 }],
      time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
    },
  ],
};

const TRACKING: Pick<Example, 'stream' | 'first'> = {
  stream: `${TRACKING_PREFIX}${derivedId('example')}`,
  first: [
    'TrackingOpened',
    {
      owner: { kind: 'business', id: '0' },
      number: 'EXAMPLE00001',
      generation: 0,
      profile: 'parcel',
      subject: { tracking_number: 'EXAMPLE00001', order_id: '0' },
    },
  ],
};

const ROUTE: Pick<Example, 'stream' | 'first'> = {
  stream: `${ROUTE_PREFIX}0`,
  first: ['RouteCreated', { route_id: 0, business: 0, name: 'Berlin Mitte', schedule_date: '2026-01-05' }],
};

const ALLIANCE: Pick<Example, 'stream' | 'first'> = {
  stream: `${ALLIANCE_PREFIX}0`,
  first: ['AllianceFounded', { alliance_id: 0, name: 'North', purpose: '', founded_by_business: 0, by: 0 }],
};
const GRANT = { grant_id: 1, from_business: 0, to_business: 0, kind: 'tracking', until: '2026-03-31T22:00:00.000Z' };

const EXAMPLES: Readonly<Record<WebhookKind, Example>> = {
  order_created: ORDER,
  order_status_changed: { ...ORDER, told: ['OrderHeld', { held_by: 0 }] },
  tracking_event: {
    ...TRACKING,
    told: [
      'TrackingEventRecorded',
      {
        event_id: 'example-1',
        provider: 'example-carrier',
        otep_version: '0.1',
        occurred_at: '2026-01-05T10:30:00+01:00',
        instant: '2026-01-05T09:30:00.000000000Z',
        status_code: 'out_for_delivery',
        location: { city: 'Hamburg', country: 'DE' },
        source: { type: 'carrier', provider: 'example-carrier' },
      },
    ],
  },
  proposal_decided: {
    stream: `proposal-${derivedId('example proposal')}`,
    first: [
      'WriteProposed',
      { business_id: 0, tool: 'hold_order', operation: 'orderHold', risk: 'medium', proposed_by: 0 },
    ],
    told: ['ProposalApproved', { approved_by: 0 }],
  },
  route_changed: { ...ROUTE, told: ['RouteStarted', { at: '2026-01-05T07:02:00.000Z', by: 0 }] },
  route_closed: { ...ROUTE, told: ['RouteClosed', { closed_by: 0 }] },
  route_board_claimed: { ...ROUTE, told: ['RouteClaimed', { driver_id: 0, from_standby: false }] },
  route_board_withdrawn: { ...ROUTE, told: ['RouteClaimWithdrawn', { driver_id: 0, late: true }] },
  fleet_shift_changed: {
    stream: `${SHIFTS_PREFIX}0-2026-01`,
    first: [
      'ShiftPlanned',
      {
        shift_id: 0,
        driver_id: 0,
        business: 0,
        fleet_id: 0,
        start_at: '2026-01-05T08:00:00+01:00',
        end_at: '2026-01-05T16:30:00+01:00',
        breaks: [],
        start_place: { kind: 'open' },
        end_place: { kind: 'open' },
      },
    ],
  },
  driver_status_changed: {
    stream: `${DRIVER_PREFIX}0`,
    first: [
      'RiderWentOnline',
      { driver_id: 0, business: 0, route_id: 0, date: '2026-01-05', at: '2026-01-05T07:00:00.000Z' },
    ],
  },
  driver_document_expiring: {
    stream: `${DRIVER_PREFIX}0`,
    first: [
      'DriverDocumentExpiring',
      {
        driver_id: 0,
        business: 0,
        document_id: derivedId('example document'),
        kind: 'driving_licence',
        valid_until: '2026-02-04',
        days: 30,
      },
    ],
  },
  instant_changed: {
    stream: `${INSTANT_PREFIX}0`,
    first: [
      'InstantRequested',
      {
        order_id: 0,
        business: 0,
        offer_s: 20,
        max_rounds: 3,
        radius_m: 5_000,
        parallel: 1,
        until: '2026-01-05T07:00:20.000Z',
      },
    ],
    told: ['InstantAssigned', { order_id: 0, rider_id: 0, route_id: 0 }],
  },
  alliance_changed: {
    ...ALLIANCE,
    told: ['AllianceMemberJoined', { business: 0, steward: false, display_name: 'Example Logistics', by: 0 }],
  },
  alliance_access_granted: {
    ...ALLIANCE,
    told: ['AllianceGrantGiven', { ...GRANT, filter: { postal_prefixes: ['20'] }, by: 0 }],
  },
  alliance_access_ended: { ...ALLIANCE, told: ['AllianceGrantRevoked', { ...GRANT, by: 0 }] },
  assignment_changed: { ...ORDER, told: ['OrderAssigned', { assignment_id: 0, broker_id: 0, assigned_by: 0 }] },
};

/** `at`: of the test, so that a replay says the same. */
export function exampleBody(kind: WebhookKind, at: Date): Body {
  const { stream, first, told = first } = EXAMPLES[kind];
  const event = ([type, data]: Example['first'], revision: number): StoredEvent => ({
    stream,
    revision,
    position: '',
    id: derivedId('example', kind, revision),
    type,
    version: 1,
    data,
    metadata: { recorded_at: at.toISOString() },
  });
  const [one, other] = [event(first, 0), event(told, told === first ? 0 : 1)];
  const data = KINDS[kind].data({ event: other, first: one, data: other.data, firstData: one.data, keys: new Map() });
  return {
    bytes: Buffer.from(JSON.stringify({ type: KINDS[kind].type, timestamp: at.toISOString(), test: true, data })),
    personal: false,
  };
}
