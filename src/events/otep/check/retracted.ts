/**
 * Reads the output-only list `retracted` of the service's full view: retracted events, each with the time of its
 * retraction.
 */
import { PROFILE, type Extensions } from '../model.js';
import type { Instant } from '../time.js';
import type { Scan } from '../timeline.js';
import { entryOf, scanEntries } from './entries.js';
import { readEvent } from './event.js';
import { readExtensions, type ValidExtensions } from './extensions.js';
import { noFindings, report, type Finding } from './findings.js';
import { isObject, readObject, requireMember, type Reader, type Readers } from './members.js';
import { moment, type Moment } from './values.js';

export interface RetractedScan {
  readonly scan: Scan;
  readonly retractedAt: Instant;
  /** `x-` members of the retraction. */
  readonly extensions?: Extensions;
}

export interface RetractedReading {
  /** Present exactly when `errors` is empty. */
  readonly taken?: RetractedScan;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

const extensions: Reader<ValidExtensions> = (value, path, out) =>
  isObject(value) ? readExtensions(value, {}, path, out) : report(out, 'INVALID_TYPE', path, { expected: 'object' });

const RETRACTED: Readers<{
  readonly event?: unknown;
  readonly retracted_at?: Moment;
  readonly extensions?: ValidExtensions;
}> = { event: (value) => value, retracted_at: moment, extensions };

/**
 * Reads one element of the list. The rules between events do not apply, because a retracted event has no position in
 * the order.
 */
export function readRetracted(
  value: unknown,
  { path, now }: { readonly path: string; readonly now: Instant },
): RetractedReading {
  const out = noFindings();
  const read = readObject(value, RETRACTED, path, out);
  if (!isObject(value) || read === undefined) return out;
  requireMember(value, 'event', path, out);
  requireMember(value, 'retracted_at', path, out);
  if (read.event === undefined) return out;
  const reading = readEvent(read.event, { path: `${path}/event`, now, profile: PROFILE });
  const [entry] = reading.event ? scanEntries([entryOf(reading.event, path)]) : [];
  if (reading.event && !entry) report(out, 'REQUIRED', `${path}/event/status_code`);
  const findings = { errors: [...out.errors, ...reading.errors], warnings: [...out.warnings, ...reading.warnings] };
  return findings.errors.length === 0 && entry && read.retracted_at
    ? {
        taken: {
          scan: entry.scan,
          retractedAt: read.retracted_at.instant,
          ...(read.extensions && { extensions: read.extensions }),
        },
        ...findings,
      }
    : findings;
}
