/** What happens to a business: a client of the platform. Stream `business-<id>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const BUSINESS_PREFIX = 'business-';
export const businessStream = (id: number): string => `${BUSINESS_PREFIX}${id}`;

/** What the platform switches on for a business, one by one. */
export const MODULES = ['contractor_assignment'] as const;
export type Module = (typeof MODULES)[number];

/** Lower-case letters, digits and hyphens; names the business where people register themselves. No credential. */
export const businessCodeSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);
export const timezoneSchema = z
  .string()
  .max(64)
  .refine((name) => isTimezone(name));

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const BusinessRegistered = eventType(
  'BusinessRegistered',
  z.object({
    business_id: z.int(),
    code: z.string(),
    name: z.string(),
    /** IANA name: the days and times of the business are counted in it. */
    timezone: z.string(),
  }),
);

export const ModuleSwitched = eventType('ModuleSwitched', z.object({ module: z.string(), on: z.boolean() }));

export const BUSINESS_EVENTS = [BusinessRegistered, ModuleSwitched] as const;
