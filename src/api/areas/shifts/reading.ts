/** Reads a shift, for users who act for its fleet, staff, auditors and its driver. */
import { z } from 'zod';
import type { ShiftQueries } from '../../../projections/shifts/queries.js';
import { businessOf, userOf, isStaff } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation, type Versioned } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { actsFor } from '../fleets/permissions.js';
import { shiftSchema, toShiftResponse } from './shapes.js';

export const READERS = ['client_admin', 'employee', 'auditor', 'broker', 'driver'] as const;

export const shiftReading = ({
  queries,
  fleets,
  versioned,
}: Parts<'fleets'> & { queries: ShiftQueries; versioned: Versioned }): Operation =>
  operation({
    name: 'shift',
    versioned,
    area: 'Fleets',
    summary: 'Get a shift',
    description:
      'The shift is available to users who act for its fleet, to staff, to auditors, and to the driver of the shift.',
    rest: { method: 'get', path: '/v1/shifts/:shift_id' },
    callers: READERS,
    scopes: ['fleets:read'],
    reads: ['fleets', 'shifts'],
    answers: { 404: 'There is no such shift, or the caller cannot see it.' },
    input: z.object({ shift_id: idSchema }),
    output: z.object({ result: z.boolean(), shift: shiftSchema }),
    async run({ shift_id }, { caller }) {
      const { userId, timezone } = userOf(caller);
      const business = businessOf(caller);
      const shift = await queries.byId(shift_id, business);
      const fleet = shift && (await fleets.byId(shift.fleet_id, { business }));
      const isSeen = shift?.driver_id === userId || isStaff(caller) || (fleet && actsFor(fleet, caller));
      if (!shift || !isSeen) throw new ApiError('SHIFT_NOT_FOUND');
      return { result: true, shift: toShiftResponse(shift, timezone) };
    },
  });
