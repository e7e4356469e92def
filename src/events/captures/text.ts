/**
 * The texts of a capture: its document, split into parts that are small enough for an append on any engine, and its
 * separately stored events.
 */
import { hash } from 'node:crypto';
import { canonical } from '../tree/canonical.js';
import type { Refusal } from './events.js';

/**
 * Length in UTF-16 units. A unit takes at most three bytes, or two when escaped. After encryption and base64 encoding,
 * a part has at most 0.8 MB.
 */
const PART = 196_608;

/** Maximum size of the texts of one append: bytes of UTF-8, when escaped in JSON. */
export const APPEND_BYTES = 3 * PART;
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

export interface Parts {
  /** SHA-256 of the whole text, in hexadecimal. */
  readonly digest: string;
  /** The parts of the text, at least one. */
  readonly parts: readonly string[];
}

export function toParts(value: unknown): Parts {
  const text = JSON.stringify(value);
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART) parts.push(text.slice(at, at + PART));
  return { digest: hash('sha256', text), parts };
}

export const fromParts = (parts: readonly string[]): unknown => JSON.parse(parts.join(''));

/** What a capture stores of its document. `Target` is the type of the trackings that receive an event. */
export interface CaptureContent<Targets> {
  /**
   * The document as it was received, with null in place of each separately stored and each rejected event. Older captures
   * contain the rejected events.
   */
  readonly document: unknown;
  /** By parcel, in the order of `parcels`. In older captures in the order in which the document names the parcels. */
  readonly targets: readonly Targets[];
  /** `parcelKey` of each parcel. Absent in older captures. */
  readonly parcels?: readonly string[];
  /**
   * The rejected events. Their content is not stored: no tracking receives it, so no erasure would find it. Absent in
   * older captures.
   */
  readonly rejected?: readonly Rejection[];
  /** In older captures: indexes of the events that were rejected because their id was used for other content. */
  readonly refused?: readonly number[];
}

export interface Rejection {
  readonly index: number;
  readonly eventId?: string;
  readonly errors: readonly Refusal[];
}

/** An event as it was received, and the `@context` of its document if it declares more than the standard's terms. */
export interface ReceivedEvent {
  readonly event: unknown;
  readonly context?: readonly unknown[];
}

/** The event as canonical JSON (RFC 8785). */
export const toBody = ({ event, context }: ReceivedEvent): string =>
  `{"event":${canonical(event)}${context === undefined ? '' : `,"context":${JSON.stringify(context)}`}}`;
/** The JSON text of a list of events, from the texts of the events. */
export const joinBodies = (bodies: readonly string[]): string => `[${bodies.join()}]`;
/** The events in the body of an `EpcisEventCaptured`. */
export const fromBodies = (body: string): readonly ReceivedEvent[] =>
  [JSON.parse(body) as ReceivedEvent | readonly ReceivedEvent[]].flat();

/** Paths to the list of events, by the type of the document. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  EPCISDocument: ['epcisBody', 'eventList'],
  EPCISQueryDocument: ['epcisBody', 'queryResults', 'resultsBody', 'eventList'],
};

/** The document with its events replaced. The document is valid, or a single event, or a list of events. */
export function replaceEvents(document: unknown, replace: (event: unknown, index: number) => unknown): unknown {
  if (Array.isArray(document)) return document.map(replace);
  if (typeof document !== 'object' || document === null) return replace(document, 0);
  const record = document as Readonly<Record<string, unknown>>;
  const path = typeof record['type'] === 'string' && Object.hasOwn(PATHS, record['type']) ? PATHS[record['type']]! : [];
  return path.length === 0 ? replace(document, 0) : replaceAt(document, path, replace);
}

function replaceAt(
  at: unknown,
  [name, ...path]: readonly string[],
  replace: Parameters<typeof replaceEvents>[1],
): unknown {
  if (name === undefined) return (at as readonly unknown[]).map(replace);
  const record = at as Readonly<Record<string, unknown>>;
  return { ...record, [name]: replaceAt(record[name], path, replace) };
}
