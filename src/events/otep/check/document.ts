/**
 * Checks a complete document: each event, and the rules between events. For `POST /otep/validate` and `POST
 * /otep/convert`.
 */
import type { Extensions, Journey, RetractedEvent, Subject } from '../model.js';
import { journeyOf } from '../identity.js';
import { millisOf, type Instant } from '../time.js';
import { deriveTimeline, type Scan } from '../timeline.js';
import { checkClaims, momentOf } from './claims.js';
import { applyRetractions, checkOrder, dropDuplicates, entryOf, scanEntries, type Sorted } from './entries.js';
import { readTimeline, type TimelineReading } from './envelope.js';
import { noFindings, type Finding, type Findings } from './findings.js';
import { levelOf, type Level } from './level.js';
import { readRetracted, type RetractedScan } from './retracted.js';
import type { MapRaw } from './status.js';
import { checkTransitions } from './transitions.js';

export interface DocumentCheck {
  readonly conformant: boolean;
  readonly level: Level;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The content of the document, for the serializers. Present if a push would accept all of its events. */
  readonly journey?: Journey;
}

export interface DocumentCheckOptions {
  readonly now: Instant;
  /** The sender's mapping table; absent: raw codes have no meaning. */
  readonly mapRaw?: MapRaw | undefined;
}

/** Maximum number of findings per severity in a response. */
const MAX_FINDINGS = 1000;

/**
 * Checks a timeline or a single event (with its own subject). Never throws on a JSON value. The rules about the
 * whole journey are checked only if every event is valid, because an incomplete journey would cause false findings.
 */
export function checkDocument(value: unknown, { now, mapRaw }: DocumentCheckOptions): DocumentCheck {
  const reading = readTimeline(value, { path: '', now, mapRaw });
  const retracted = reading.retracted.map((one, index) => readRetracted(one, { path: `/retracted/${index}`, now }));
  const whole = noFindings();
  const sorted = applyRules(
    reading,
    retracted.flatMap((one) => one.taken ?? []),
    now,
    whole,
  );
  const parts: readonly Pick<Findings | TimelineReading, 'errors' | 'warnings'>[] = [
    reading,
    ...reading.events,
    ...retracted,
    whole,
  ];
  const [errors, warnings] = [
    parts.flatMap((part) => part.errors).slice(0, MAX_FINDINGS),
    parts.flatMap((part) => part.warnings).slice(0, MAX_FINDINGS),
  ];
  const isPushable = errors.every(({ code }) => code === 'AFTER_TERMINAL');
  if (!isPushable || !sorted || !reading.subject) return { conformant: false, level: 0, errors, warnings };
  const journey = toJourney(
    reading.subject,
    sorted,
    retracted.flatMap((one) => one.taken ?? []),
    now,
  );
  if (errors.length > 0) return { conformant: false, level: 0, errors, warnings, journey };
  return {
    conformant: true,
    level: goesBackwards(whole)
      ? 0
      : levelOf(
          reading.events.flatMap(({ event }) => event?.statusCode ?? []),
          reading.subject,
        ),
    errors,
    warnings,
    journey,
  };
}

/** Level 1 requires the transitions of rule 4. A backward transition is no error, but the document then has level 0. */
const goesBackwards = ({ warnings }: Findings): boolean => warnings.some(({ code }) => code === 'BACKWARD_TRANSITION');

/** Applies the rules between the events of a document; undefined if an event is invalid. */
function applyRules(
  { events, claims, subject = {} }: TimelineReading,
  taken: readonly RetractedScan[],
  now: Instant,
  out: Findings,
): Sorted | undefined {
  const entries = events.flatMap(({ event, path }) => (event ? [entryOf(event, path)] : []));
  const distinct = dropDuplicates(entries, out);
  checkOrder(scanEntries(distinct), out);
  if (entries.length < events.length) return undefined;
  const sorted = applyRetractions(distinct, new Set(taken.map(({ scan }) => scan.event.event_id)), out);
  const asOf = momentOf(sorted.effective, now);
  checkTransitions(sorted.effective, asOf, out);
  checkClaims(claims, sorted.effective, subject, asOf, out);
  return sorted;
}

function toJourney(
  subject: Subject,
  { effective, retracted }: Sorted,
  taken: readonly RetractedScan[],
  now: Instant,
): Journey {
  const alone = (scan: Scan, retracted_at: string, extensions?: Extensions): RetractedEvent => ({
    event: deriveTimeline(subject, [scan], now).events[0]!,
    retracted_at,
    ...(extensions && { extensions }),
  });
  const timeline = deriveTimeline(
    subject,
    effective.map(({ scan }) => scan),
    now,
  );
  return journeyOf(timeline, [
    ...taken.map(({ scan, retractedAt, extensions }) => alone(scan, utc(retractedAt), extensions)),
    ...retracted.map(({ scan, retractedBy }) => alone(scan, utc(retractedBy.event.instant))),
  ]);
}

const utc = (instant: Instant): string => new Date(millisOf(instant)).toISOString();
