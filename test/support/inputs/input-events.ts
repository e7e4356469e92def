/** Pushed events, as the checks of the protocol hand them on. */
import type { InputEvent } from '../../../src/events/otep/check/event.js';
import { instantOf } from '../../../src/events/otep/time.js';
import type { Pusher } from '../../../src/commands/trackings/targets.js';

export const CARRIER: Pusher = { id: 'test-carrier', kind: 'carrier', mayOpen: true };

/** A scan at `occurredAt` (RFC 3339). */
export function scan(occurredAt: string, statusCode: string, more: Partial<InputEvent> = {}): InputEvent {
  return { occurredAt, instant: instantOf(occurredAt)!, statusCode, statusFromRaw: false, extensions: {}, ...more };
}

/** Takes the scan with that id back. */
export function retraction(occurredAt: string, retracts: string): InputEvent {
  return { occurredAt, instant: instantOf(occurredAt)!, statusFromRaw: false, retracts, extensions: {} };
}
