/** Pushed events in the form that the protocol checks return. */
import type { InputEvent } from '../../../src/events/otep/check/event.js';
import { instantOf } from '../../../src/events/otep/time.js';
import type { Pusher } from '../../../src/commands/trackings/targets.js';

export const CARRIER: Pusher = { id: 'test-carrier', kind: 'carrier', mayOpen: true };

/** Returns the time `hours` after the beginning of March 2026, RFC 3339. */
export const at = (hours: number): string => new Date(Date.UTC(2026, 2, 1) + hours * 3_600_000).toISOString();

/** A scan at `occurredAt` (RFC 3339). */
export function scan(occurredAt: string, statusCode: string, more: Partial<InputEvent> = {}): InputEvent {
  return { occurredAt, instant: instantOf(occurredAt)!, statusCode, statusFromRaw: false, extensions: {}, ...more };
}

/** Retracts the scan with that id. */
export function retraction(occurredAt: string, retracts: string): InputEvent {
  return { occurredAt, instant: instantOf(occurredAt)!, statusFromRaw: false, retracts, extensions: {} };
}
