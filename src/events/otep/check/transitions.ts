/** Rule 4: which status may follow which. */
import { statusCode, type Phase, type TerminalStatus } from '../codes.js';
import type { Instant } from '../time.js';
import { phaseOf } from '../timeline.js';
import type { ScanEntry } from './entries.js';
import { report, type Findings } from './findings.js';

/**
 * The phases before the parcel is in the network, and those within: from the second group back to the first is a
 * warning.
 */
const BEFORE: readonly Phase[] = ['pre_shipment', 'pickup'];
const WITHIN: readonly Phase[] = ['inbound', 'transit', 'out_for_delivery', 'delivered'];

/**
 * Checks the events that count at `asOf`, given in the order of rule 1. Everything that rule 4 neither forbids nor
 * warns of is allowed. A further terminal event may come, and changes nothing: rule 2 says that the first one counts.
 */
export function checkTransitions(ordered: readonly ScanEntry[], asOf: Instant, out: Findings): void {
  let ended: TerminalStatus | undefined;
  let reached: Phase | undefined;
  for (const { event, scan, path } of ordered) {
    if (scan.instant > asOf) break;
    const terminal = statusCode(scan.event.status_code)?.terminal;
    const phase = phaseOf(scan.event.status_code, scan.event.phase);
    if (ended !== undefined)
      report(out, terminal || event.anomaly === 'after_terminal' ? 'AFTER_TERMINAL_MARKED' : 'AFTER_TERMINAL', path, {
        status: ended,
      });
    else if (reached !== undefined && phase !== undefined && BEFORE.includes(phase))
      report(out, 'BACKWARD_TRANSITION', path, { phase, after: reached });
    if (phase !== undefined && WITHIN.includes(phase)) reached = phase;
    ended ??= terminal ?? undefined;
  }
}
