/** Scanners that fire twice: of two scans of stock at one step within three seconds one counts (warehouse R4). */
import { isDeepStrictEqual } from 'node:util';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import type { Op, OpResult } from './op.js';

/** By the device's own times. */
export const TWICE_MS = 3_000;
/** A person makes fewer scans than this in that time: the other one has a number that is near. */
export const NEAR = 20;

/** A scan of the same device; `result` undefined: it is under way, or a crash left it so. */
export interface ScanBeside {
  readonly op: Op;
  readonly result: OpResult | undefined;
}

/**
 * Whether another scan has had the effect of this one, or is about to. Refused ones and ones that were themselves the
 * second have none.
 */
export function isSecond(op: Op, beside: readonly ScanBeside[]): boolean {
  const at = millisOfOp(op);
  return beside.some(
    ({ op: other, result }) =>
      other.op_id !== op.op_id &&
      isDeepStrictEqual(stepOf(other), stepOf(op)) &&
      Math.abs(millisOfOp(other) - at) < TWICE_MS &&
      (result ? result.outcome === 'applied' && result.color !== 'amber' : other.seq < op.seq),
  );
}

/** NaN, which is near nothing, where it has no time. */
function millisOfOp({ at }: Op): number {
  const instant = instantOf(at);
  return instant === null ? NaN : millisOf(instant);
}

const stepOf = (op: Op) => [
  op.do,
  op.code,
  op.warehouse_id,
  op.location,
  op.from_location,
  op.quantity,
  op.route_id,
  op.reason,
];
