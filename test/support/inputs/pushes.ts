/** Documents to push. */

let counter = 0;

/** Returns an unused tracking number. */
export const newNumber = (): string => `T${process.pid}X${(counter += 1)}`;

/** Milliseconds since 1970 as RFC 3339. */
export const timeOf = (millis: number): string => new Date(millis).toISOString();

export const START = Date.UTC(2026, 0, 5, 8);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Returns an event `hours` after the start of the journey. */
export const event = (
  status_code: string,
  hours = 0,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({ occurred_at: timeOf(START + hours * HOUR), status_code, ...more });

/** Two days ago: a number passes to another owner when its parcel has had no scans for a long time. */
export const RECENT = Date.now() - 2 * DAY;

/** Returns an event `hours` after RECENT. */
export const recently: typeof event = (status_code, hours = 0, more = {}) =>
  event(status_code, hours + (RECENT - START) / HOUR, more);

export const timelineOf = (
  tracking_number: string,
  events: readonly unknown[],
  subject: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({ otep_version: '0.1', subject: { tracking_number, ...subject }, events });
