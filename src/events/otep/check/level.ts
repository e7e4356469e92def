/** Conformance levels (protocol, section "Operations"). */
import { statusCode, type StatusCode } from '../codes.js';
import type { Subject } from '../model.js';

export type Level = 0 | 1 | 2;

/**
 * The level of a document without errors and backward transitions:
 * - 0: no registered codes.
 * - 1: registered codes.
 * - 2: also codes that its profile added, and an identifier of an external standard, so that a projection is complete.
 */
export function levelOf(
  codes: readonly string[],
  subject: Subject,
  registry: (code: string) => StatusCode | undefined = statusCode,
): Level {
  const rows = codes.map(registry).filter((row) => row !== undefined);
  if (rows.length === 0) return 0;
  const external = subject.gs1_sscc !== undefined || subject.piece_id !== undefined;
  return external && rows.some((row) => row.profile !== undefined) ? 2 : 1;
}
