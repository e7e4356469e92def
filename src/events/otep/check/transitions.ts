/** Rule 4: allowed transitions between statuses. */
import { statusCode, type Phase, type TerminalStatus } from '../codes.js';
import type { Instant } from '../time.js';
import { phaseOf } from '../timeline.js';
import type { ScanEntry } from './entries.js';
import { report, type Findings } from './findings.js';

/**
 * The phases before the parcel is in the network, and the phases within it. A transition from the second group to the
 * first is a warning.
 */
const BEFORE: readonly Phase[] = ['pre_shipment', 'pickup'];
const WITHIN: readonly Phase[] = ['inbound', 'transit', 'out_for_delivery', 'delivered'];

/**
 * Checks the events until `asOf`, in the order of rule 1. Transitions that rule 4 neither forbids nor warns about are
 * allowed. A second terminal event is allowed and has no effect: by rule 2 the first terminal event counts.
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
