/** Drivers, their shifts and documents, and orders in search of a rider. */
import { z } from 'zod';
import { DRIVER_PREFIX } from '../events/drivers/events.js';
import { DriverDocumentExpiring } from '../events/drivers/profile-and-documents.js';
import { RiderWentOffline, RiderWentOnline } from '../events/drivers/duty.js';
import { derivedId } from '../events/otep/identity.js';
import {
  INSTANT_PREFIX,
  InstantAssigned,
  InstantCancelled,
  InstantExhausted,
  InstantRequested,
  RiderOfferAccepted,
} from '../events/riders/events.js';
import { ShiftCancelled, ShiftChanged, ShiftConfirmed, ShiftPlanned, SHIFTS_PREFIX } from '../events/shifts/events.js';
import { given, oneOf, type Changes, type Kind } from './kind.js';

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

const id = z.int();
const text = z.string();

export const DRIVER_KINDS = {
  /** The first event of the stream can concern another shift: a stream contains all shifts of a month. */
  fleet_shift_changed: {
    type: 'fleet_shift.changed',
    since: '0.1.0',
    prefix: SHIFTS_PREFIX,
    on: Object.keys(SHIFT_CHANGES),
    objectId: 'shift_id',
    // A changed shift must be confirmed again.
    status: ({ event }) => (event.type === ShiftChanged.type ? 'planned' : SHIFT_CHANGES[event.type]),
    shape: z.object({
      driver_id: id,
      change: oneOf(SHIFT_CHANGES),
      shift_id: id,
      fleet_id: id.optional(),
      start_at: text.optional(),
      end_at: text.optional(),
    }),
    data: ({ event, data, firstData }) => ({
      driver_id: firstData['driver_id'] as number,
      change: SHIFT_CHANGES[event.type]!,
      ...given(data, 'shift_id', 'fleet_id', 'start_at', 'end_at'),
    }),
    example: {
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
  },
  driver_status_changed: {
    type: 'driver.status_changed',
    since: '0.1.0',
    prefix: DRIVER_PREFIX,
    on: [RiderWentOnline.type, RiderWentOffline.type],
    objectId: 'driver_id',
    status: (_input, { on_duty }) => (on_duty ? 'online' : 'offline'),
    previousStatus: ({ event }) => (event.type === RiderWentOnline.type ? 'offline' : 'online'),
    occurred: 'at',
    shape: z.object({ on_duty: z.boolean(), driver_id: id, route_id: id.optional(), why: text.optional() }),
    data: ({ event, data }) => ({
      on_duty: event.type === RiderWentOnline.type,
      ...given(data, 'driver_id', 'route_id', 'why'),
    }),
    example: {
      stream: `${DRIVER_PREFIX}0`,
      first: [
        'RiderWentOnline',
        { driver_id: 0, business: 0, route_id: 0, date: '2026-01-05', at: '2026-01-05T07:00:00.000Z' },
      ],
    },
  },
  driver_document_expiring: {
    type: 'driver.document_expiring',
    since: '0.1.0',
    prefix: DRIVER_PREFIX,
    on: [DriverDocumentExpiring.type],
    objectId: 'document_id',
    status: () => 'verified',
    shape: z.object({ driver_id: id, document_id: text, kind: text, valid_until: text, days: id }),
    data: ({ data }) => given(data, 'driver_id', 'document_id', 'kind', 'valid_until', 'days'),
    example: {
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
  },
  instant_changed: {
    type: 'instant.changed',
    since: '0.1.0',
    prefix: INSTANT_PREFIX,
    on: Object.keys(INSTANT_CHANGES),
    objectId: 'order_id',
    shape: z.object({
      order_id: id,
      status: oneOf(INSTANT_CHANGES),
      rider_id: id.optional(),
      route_id: id.optional(),
      why: text.optional(),
    }),
    data: ({ event, data, firstData }) => ({
      order_id: firstData['order_id'] as number,
      status: INSTANT_CHANGES[event.type]!,
      ...given(data, 'rider_id', 'route_id', 'why'),
    }),
    example: {
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
      trigger: ['InstantAssigned', { order_id: 0, rider_id: 0, route_id: 0 }],
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;
