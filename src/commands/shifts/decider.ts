/** Decides commands on a driver's shifts that begin in one month. Shifts of a driver must not overlap. */
import { isDeepStrictEqual } from 'node:util';
import { accountSubject } from '../../events/accounts/events.js';
import {
  ShiftCancelled,
  ShiftChanged,
  ShiftConfirmed,
  ShiftPlanned,
  SHIFTS_PREFIX,
  type Shift,
} from '../../events/shifts/events.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** Changes less than this before the start of a shift require a new confirmation. */
const CONFIRM_MS = 24 * 3_600_000;

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** `id`: the stream name after the prefix. `neighbours`: shifts of the previous and the next month. */
export type ShiftCommand = EntityCommand & {
  readonly id: string;
  readonly driverId: number;
  readonly shiftId: number;
  readonly by?: number | undefined;
} & (
    | { readonly do: 'plan'; readonly fleetId: number; readonly shift: Shift; readonly neighbours: readonly Span[] }
    | { readonly do: 'change'; readonly shift: Shift; readonly now: number; readonly neighbours: readonly Span[] }
    | { readonly do: 'cancel' | 'confirm' }
  );

export interface KnownShift extends Span {
  /** The shift without its personal data. */
  readonly open: unknown;
  readonly confirmed: boolean;
  readonly cancelled: boolean;
}
/** Keyed by shift id. */
export type ShiftsState = Map<number, KnownShift>;

const spanOf = ({ start_at, end_at }: Pick<Shift, 'start_at' | 'end_at'>): Span => ({
  from: Date.parse(start_at),
  to: Date.parse(end_at),
});
const openOf = ({ vehicle_id, start_at, end_at, breaks, start_place, end_place }: Shift): unknown =>
  JSON.parse(JSON.stringify({ vehicle_id, start_at, end_at, breaks, start_place, end_place }));

export const shifts = entity<ShiftsState, ShiftCommand>({
  name: SHIFTS_PREFIX,
  makes: 'plan',
  madeOnce: false,
  notFound: 'SHIFT_NOT_FOUND',
  subject: (id) => accountSubject(Number((id as string).split('-')[0])),
  initial: () => new Map(),
  partOf: ({ data }) => String(data['shift_id']),
  decide(state, command) {
    const { shiftId: shift_id, by } = command;
    if (command.do === 'plan') {
      const { shift, fleetId: fleet_id, driverId: driver_id, business, neighbours } = command;
      mustBeFree(state, shift_id, shift, neighbours);
      return newEvent(ShiftPlanned, { ...shift, shift_id, driver_id, business, fleet_id, by });
    }
    const known = state.get(shift_id);
    if (!known) throw new DomainError('SHIFT_NOT_FOUND');
    switch (command.do) {
      case 'change': {
        const { shift, now, neighbours } = command;
        if (known.cancelled) throw new DomainError('SHIFT_NOT_FOUND');
        mustBeFree(state, shift_id, shift, neighbours);
        const placed = shift.start_position !== undefined || shift.end_position !== undefined;
        if (!placed && isDeepStrictEqual(known.open, openOf(shift))) return undefined;
        const soon = Math.min(known.from, spanOf(shift).from) - now < CONFIRM_MS;
        return newEvent(ShiftChanged, { ...shift, shift_id, confirm_again: soon, by });
      }
      case 'cancel':
        return known.cancelled ? undefined : newEvent(ShiftCancelled, { shift_id, by });
      case 'confirm':
        if (known.cancelled) throw new DomainError('SHIFT_NOT_FOUND');
        return known.confirmed ? undefined : newEvent(ShiftConfirmed, { shift_id });
    }
  },
  evolve(state, { type, data }) {
    const id = data['shift_id'] as number;
    const known = state.get(id);
    const shift = data as unknown as Shift;
    if (type === ShiftPlanned.type)
      state.set(id, { ...spanOf(shift), open: openOf(shift), confirmed: false, cancelled: false });
    if (type === ShiftChanged.type && known)
      state.set(id, {
        ...known,
        ...spanOf(shift),
        open: openOf(shift),
        confirmed: known.confirmed && data['confirm_again'] !== true,
      });
    if (type === ShiftCancelled.type && known) state.set(id, { ...known, cancelled: true });
    if (type === ShiftConfirmed.type && known) state.set(id, { ...known, confirmed: true });
    return state;
  },
});

/** Shifts that only touch do not overlap. */
function mustBeFree(state: ShiftsState, id: number, shift: Shift, neighbours: readonly Span[]): void {
  const { from, to } = spanOf(shift);
  const own = [...state].filter(([other, { cancelled }]) => other !== id && !cancelled).map(([, span]) => span);
  if ([...own, ...neighbours].some((other) => other.from < to && from < other.to))
    throw new DomainError('SHIFT_OVERLAPS');
}
