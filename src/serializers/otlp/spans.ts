/**
 * The spans of a journey: one for the whole journey and below it one for each event. A retracted event has a second
 * span that links to the first.
 */
import { hash } from 'node:crypto';
import { statusCode } from '../../events/otep/codes.js';
import type { Journey, TimelineEvent } from '../../events/otep/model.js';
import { instantOf, nanosOf } from '../../events/otep/time.js';
import { otherCarriers, shownCarrier } from '../support/vendor-subject.js';
import { parcelNumber } from '../support/parcel.js';
import { statusMovers } from '../support/vendor-status.js';
import { eventAttributes, journeyAttributes, text, type Attribute } from './attributes.js';
import { eventFailure, journeyFailure } from './failure.js';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number; readonly message: string };
  /** W3C trace flags: sampled. */
  readonly flags: number;
}

export interface ServiceSpan {
  readonly service: string;
  readonly span: Span;
}

const INTERNAL = 1;
const SAMPLED = 1;
const ERROR = 2;
/** The name that OpenTelemetry uses for a service without a name. */
const UNKNOWN_SERVICE = 'unknown_service';
const LAST_NANO = (1n << 64n) - 2n;

/** Returns the spans, the journey's span first. Returns none if the journey has neither events nor retracted events. */
export function journeySpans(journey: Journey): ServiceSpan[] {
  const { timeline, retracted, planned, carrier, uuidOf } = journey;
  if (timeline.events.length + retracted.length === 0) return [];
  const digest = hash('sha256', `otep-trace/v1\u0000${carrier ?? ''}\u0000${parcelNumber(timeline.subject)}`);
  const traceId = digest.slice(0, 32);
  const parentSpanId = digest.slice(32, 48);
  const [shown, others] = [shownCarrier(journey), otherCarriers(journey)];
  const serviceOf = ({ source }: TimelineEvent) => source?.provider ?? source?.name ?? shown ?? UNKNOWN_SERVICE;
  let [first, last] = [LAST_NANO, 0n];
  const child = (
    event: TimelineEvent,
    times: Interval,
    rest: Pick<Span, 'spanId' | 'name' | 'attributes' | 'status' | 'links'>,
  ): ServiceSpan => {
    if (times.start < first) first = times.start;
    if (times.end > last) last = times.end;
    return { service: serviceOf(event), span: span({ traceId, parentSpanId, ...rest }, times) };
  };

  const intervals = intervalsOf(timeline.events);
  const spans = timeline.events.map((event, index) => {
    const attributes = eventAttributes(event);
    const failure = eventFailure(event);
    if (failure !== undefined) attributes.push(text('error.type', failure));
    const spanId = spanIdOf(uuidOf(event));
    return child(event, intervals[index]!, {
      spanId,
      name: event.status_code,
      attributes,
      ...failed(failure, event.incident_reason?.text),
    });
  });
  for (const { event, retracted_at } of retracted) {
    const uuid = uuidOf(event);
    const spanId = spanIdOf(uuid);
    const attributes = [...eventAttributes(event), text('otep.retracted_at', retracted_at)];
    spans.push(child(event, moment(nanos(event.occurred_at)), { spanId, name: event.status_code, attributes }));
    const retraction = {
      spanId: retractionIdOf(uuid),
      name: 'retraction',
      attributes: [text('otep.retracts', event.event_id)],
      links: [{ traceId, spanId }],
    };
    spans.push(child(event, moment(nanos(retracted_at)), retraction));
  }

  const attributes = journeyAttributes(timeline);
  if (planned) attributes.push(text('otep.planned_delivery', JSON.stringify(planned)));
  if (others !== undefined) attributes.push(text('otep.alternatives', others));
  const failure = journeyFailure(timeline);
  if (failure !== undefined) attributes.push(text('error.type', failure));
  const root = span(
    { traceId, spanId: parentSpanId, name: 'journey', attributes, ...failed(failure) },
    { start: first, end: last },
  );
  return [{ service: shown ?? serviceOf((timeline.events[0] ?? retracted[0]?.event)!), span: root }, ...spans];
}

/**
 * The span ids are the halves of the event's UUID. They depend on the event alone, so a late event does not change
 * them.
 */
const spanIdOf = (uuid: string): string => uuid.slice(0, 18).replaceAll('-', '');
const retractionIdOf = (uuid: string): string => uuid.slice(19).replaceAll('-', '');

interface Interval {
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * An interval of one nanosecond. Jaeger would change a span of length zero, and a viewer could not distinguish its end
 * from a missing end.
 */
const moment = (start: bigint): Interval => ({ start, end: start + 1n });

/**
 * A span lasts while its status is current: until the next event that changes the status. The interval is a moment if
 * the event ends the journey, changes no status, or is the last one.
 */
function intervalsOf(events: readonly TimelineEvent[]): Interval[] {
  const intervals: Interval[] = [];
  let next: bigint | undefined;
  const movers = new Set(statusMovers(events));
  for (const event of events.toReversed()) {
    const start = nanos(event.occurred_at);
    const moves = movers.has(event);
    const lasts = moves && next !== undefined && next > start && !statusCode(event.status_code)?.terminal;
    intervals.push(lasts ? { start, end: next! } : moment(start));
    if (moves) next = start;
  }
  return intervals.reverse();
}

/** Nanoseconds since 1970, limited so that the value plus one fits an unsigned 64-bit number. */
function nanos(time: string): bigint {
  const instant = instantOf(time);
  if (instant === null) throw new RangeError(`not an RFC 3339 time with offset: ${time}`);
  const value = nanosOf(instant);
  return value < 0n ? 0n : value > LAST_NANO ? LAST_NANO : value;
}

const failed = (failure: string | undefined, message: string = failure ?? ''): Pick<Span, 'status'> =>
  failure === undefined ? {} : { status: { code: ERROR, message } };

type Untimed = Omit<Span, 'kind' | 'flags' | 'startTimeUnixNano' | 'endTimeUnixNano'>;

function span(
  { traceId, spanId, parentSpanId, name, attributes, links, status }: Untimed,
  { start, end }: Interval,
): Span {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: INTERNAL,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes,
    ...(links && { links }),
    ...(status && { status }),
  };
}
