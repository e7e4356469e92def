/**
 * Positions in EventStoreDB's `$all`: `commit:prepare`, each with leading zeros, so that the order of the strings is
 * the order of the log.
 */
import { START, type Position } from '../../events/core/log.js';

/** Byte offsets in the transaction log. Equal for events appended by gRPC; checkpoints may have two. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const DIGITS = 20;
const FORM = /^(\d{20}):(\d{20})$/;
/** The server counts in signed 64-bit integers. */
const MAX = 2n ** 63n - 1n;

/** Formats a position from numbers or from decimal digits. */
export function formatPosition({ commit, prepare }: { commit: bigint | string; prepare: bigint | string }): Position {
  const first = digits(commit);
  return `${first}:${commit === prepare ? first : digits(prepare)}`;
}

/** Undefined for START, which is before every event. */
export function parsePosition(position: Position): LogPosition | undefined {
  if (position === START) return undefined;
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) throw new RangeError(`Not a position of this log: ${position}`);
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export function isLogPosition(position: string): boolean {
  return position !== START && FORM.test(position) && isKnown(parsePosition(position));
}

/** Whether the position is valid. The server sends -1 for an unknown position, which arrives as a huge number. */
export const isKnown = (position: LogPosition | undefined): position is LogPosition =>
  position !== undefined && position.commit <= MAX && position.prepare <= MAX;

const digits = (offset: bigint | string): string => offset.toString().padStart(DIGITS, '0');
