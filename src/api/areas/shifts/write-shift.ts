/**
 * Writes to shifts. Passes the shifts of neighbouring months to the decider, and allows only one writer at a time near
 * the end of a month.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause, Handle, Handled } from '../../../commands/core/handle.js';
import type { ShiftCommand } from '../../../commands/shifts/decider.js';
import { monthsBeside, spansIn } from '../../../commands/shifts/neighbours.js';
import type { EventLog } from '../../../events/core/log.js';
import { shiftsStream, type Shift } from '../../../events/shifts/events.js';
import { ApiError } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';

export interface WriteShiftOptions extends Parts<'types'> {
  readonly handle: Handle<ShiftCommand, undefined>;
  readonly log: Pick<EventLog, 'readMany'>;
  /** Locks across processes: one writer at a time. */
  readonly claims: {
    take(subject: string, claim: string): Promise<boolean>;
    release(subject: string, claim: string): Promise<void>;
  };
}

type DistributedOmit<T, K extends keyof never> = T extends unknown ? Omit<T, K> : never;
/** `month`: month of the stream. */
export type ShiftChange = DistributedOmit<ShiftCommand, 'id' | 'neighbours'> & { readonly month: string };

export interface WriteShift {
  (write: ShiftChange, cause: Cause): Promise<Handled<undefined>>;
}

const MAX_ATTEMPTS = 100;
const RETRY_DELAY_MS = 50;

export function createWriteShift({ handle, log, types, claims }: WriteShiftOptions): WriteShift {
  return async function write({ month, ...command }, cause) {
    const { driverId, commandId } = command;
    const send = (neighbours: Awaited<ReturnType<typeof spansIn>>) =>
      handle(
        shiftsStream(driverId, month),
        { ...command, id: `${driverId}-${month}`, neighbours } as unknown as ShiftCommand,
        cause,
      );
    const shift = 'shift' in command ? (command.shift as Shift) : undefined;
    const neighbouringMonths = shift
      ? monthsBeside(month, { from: Date.parse(shift.start_at), to: Date.parse(shift.end_at) })
      : [];
    if (neighbouringMonths.length === 0) return send([]);
    // Two streams must agree: near the end of a month, one writer at a time may change this driver's shifts.
    const subject = `shifts-${driverId}`;
    for (let attempts = 0; !(await claims.take(subject, commandId)); attempts++) {
      if (attempts === MAX_ATTEMPTS) throw new ApiError('CONFLICT');
      await sleep(RETRY_DELAY_MS);
    }
    try {
      return await send(await spansIn({ log, types }, driverId, neighbouringMonths));
    } finally {
      await claims.release(subject, commandId);
    }
  };
}
