/**
 * Writes to shifts. Passes the shifts of neighbouring months to the decider, and allows one writer near the end of a
 * month.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause, Handle, Handled } from '../../../commands/core/handle.js';
import type { ShiftCommand } from '../../../commands/shifts/decider.js';
import { monthsBeside, spansIn } from '../../../commands/shifts/neighbours.js';
import type { EventLog } from '../../../events/core/log.js';
import { shiftsStream, type Shift } from '../../../events/shifts/events.js';
import { ApiError } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';

export interface ShiftDeskOptions extends Parts<'types'> {
  readonly handle: Handle<ShiftCommand, undefined>;
  readonly log: Pick<EventLog, 'readMany'>;
  /** Locks across processes: one writer at a time. */
  readonly claims: {
    take(subject: string, claim: string): Promise<boolean>;
    release(subject: string, claim: string): Promise<void>;
  };
}

type Distributed<T, K extends keyof never> = T extends unknown ? Omit<T, K> : never;
/** `month`: month of the stream. */
export type ShiftWrite = Distributed<ShiftCommand, 'id' | 'neighbours'> & { readonly month: string };

export interface ShiftDesk {
  (write: ShiftWrite, cause: Cause): Promise<Handled<undefined>>;
}

const TRIES = 100;
const REST_MS = 50;

export function createShiftDesk({ handle, log, types, claims }: ShiftDeskOptions): ShiftDesk {
  return async function write({ month, ...command }, cause) {
    const { driverId, commandId } = command;
    const send = (neighbours: Awaited<ReturnType<typeof spansIn>>) =>
      handle(
        shiftsStream(driverId, month),
        { ...command, id: `${driverId}-${month}`, neighbours } as unknown as ShiftCommand,
        cause,
      );
    const shift = 'shift' in command ? (command.shift as Shift) : undefined;
    const beside = shift ? monthsBeside(month, { from: Date.parse(shift.start_at), to: Date.parse(shift.end_at) }) : [];
    if (beside.length === 0) return send([]);
    // Two streams must agree: near the end of a month, one writer at a time may change this driver's shifts.
    const subject = `shifts-${driverId}`;
    for (let tries = 0; !(await claims.take(subject, commandId)); tries++) {
      if (tries === TRIES) throw new ApiError('CONFLICT');
      await sleep(REST_MS);
    }
    try {
      return await send(await spansIn({ log, types }, driverId, beside));
    } finally {
      await claims.release(subject, commandId);
    }
  };
}
