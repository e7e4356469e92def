/** Detects double scans: of two equal stock scans within three seconds, only one counts (warehouse R4). */
import { isDeepStrictEqual } from 'node:util';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import type { Op, OpResult } from './op.js';

/** Maximum distance of double scans, measured with the clock of the device. */
export const DUPLICATE_MS = 3_000;
/** Maximum difference of sequence numbers of double scans: a person makes fewer scans in that time. */
export const MAX_SEQ_DISTANCE = 20;

/** Another scan of the same device. `result` is undefined while it is processed, and after a crash. */
export interface NearbyScan {
  readonly op: Op;
  readonly result: OpResult | undefined;
}

/**
 * Whether another scan already had the same effect or will have it. Refused scans and second scans have no effect, so
 * they do not count.
 */
export function isDuplicateScan(op: Op, nearbyScans: readonly NearbyScan[]): boolean {
  const at = millisOfOp(op);
  return nearbyScans.some(
    ({ op: other, result }) =>
      other.op_id !== op.op_id &&
      isDeepStrictEqual(comparedFields(other), comparedFields(op)) &&
      Math.abs(millisOfOp(other) - at) < DUPLICATE_MS &&
      (result ? result.outcome === 'applied' && result.color !== 'amber' : other.seq < op.seq),
  );
}

/** Time of the scan; NaN for an invalid time, so that comparisons are false. */
function millisOfOp({ at }: Op): number {
  const instant = instantOf(at);
  return instant === null ? NaN : millisOf(instant);
}

const comparedFields = (op: Op) => [
  op.do,
  op.code,
  op.warehouse_id,
  op.location,
  op.from_location,
  op.quantity,
  op.route_id,
  op.reason,
];
