/** The read model of shifts, one row per shift. Coordinates stay encrypted. */
import {
  ShiftCancelled,
  ShiftChanged,
  ShiftConfirmed,
  ShiftPlanned,
  SHIFTS_PREFIX,
  type Shift,
} from '../../events/shifts/events.js';
import { code, integer, json, optional, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { startsWith, table } from '../core/table.js';
import type { StoredEvent } from '../../events/core/log.js';

/** Ids of shifts. */
export const SHIFT_IDS = sequence('shifts', { readModel: 'shifts', table: 'shifts.shifts' });

export const SHIFT_STATES = ['planned', 'confirmed', 'cancelled'] as const;
export type ShiftState = (typeof SHIFT_STATES)[number];

const columns = {
  id: integer(),
  business: integer(),
  driver_id: integer(),
  fleet_id: integer(),
  /** `YYYY-MM` of its stream. */
  month: code(),
  vehicle_id: optional(text()),
  /** ISO 8601 in UTC. */
  start_at: code(),
  end_at: code(),
  breaks: json<Shift['breaks']>(),
  start_place: json<Shift['start_place']>(),
  end_place: json<Shift['end_place']>(),
  /** Encrypted positions, from the event with the current data of the shift. */
  sealed: json<SealedMembers>(),
  state: text<ShiftState>(),
  revision: integer(),
};
export type ShiftRow = RowOf<typeof columns>;

const utc = (time: string): string => new Date(time).toISOString();

const shiftColumns = (
  { vehicle_id = undefined, start_at, end_at, breaks, start_place, end_place }: Shift,
  event: StoredEvent,
) => ({
  vehicle_id: vehicle_id ?? null,
  start_at: utc(start_at),
  end_at: utc(end_at),
  breaks,
  start_place,
  end_place,
  sealed: sealedMembersOf(event),
});

export const shifts = table({
  name: 'shifts',
  version: 1,
  prefixes: [SHIFTS_PREFIX],
  columns,
  rows: { member: 'shift_id', made: ShiftPlanned },
  indexes: ['(driver_id, start_at)', '(fleet_id, start_at)', '(business, start_at)'],
  fold: startsWith(ShiftPlanned, ({ shift_id: id, business, driver_id, fleet_id, ...shift }, event): ShiftRow => ({
    id,
    business,
    driver_id,
    fleet_id,
    month: event.stream.slice(-7),
    ...shiftColumns(shift, event),
    state: 'planned',
    revision: event.revision,
  }))
    .on(ShiftChanged, ({ confirm_again, ...shift }, { state }, event) => ({
      ...shiftColumns(shift, event),
      ...(confirm_again && state === 'confirmed' && { state: 'planned' as const }),
    }))
    .on(ShiftCancelled, () => ({ state: 'cancelled' }))
    .on(ShiftConfirmed, () => ({ state: 'confirmed' })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'shifts', { 'shifts.shifts': ShiftRow }> {}
}
