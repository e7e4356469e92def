/**
 * What happens to a provider: who pushes scans, what it may do, how its raw statuses read. Stream `provider-<id>`. Keys
 * are no events.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { SOURCE_TYPES } from '../otep/model.js';

export const PROVIDER_PREFIX = 'provider-';
export const providerStream = (id: string): string => `${PROVIDER_PREFIX}${id}`;

/** Lower-case letters, digits and hyphens: it is used in stream names, in links and in key names. */
export const providerIdSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);

export const statusMappingSchema = z
  .array(
    z.strictObject({
      /** The provider's own code, compared to the letter. */
      raw: z.string().min(1).max(64),
      /** OTEP code: registered, or experimental with `x-`. */
      status_code: z.string().min(1).max(64),
      /** What the code says, for people. */
      note: z.string().max(200).optional(),
    }),
  )
  .max(1_000);
export type StatusMapping = z.infer<typeof statusMappingSchema>;

export const ProviderRegistered = eventType(
  'ProviderRegistered',
  z.object({
    name: z.string(),
    /** Source type of its scans, where they do not say. */
    kind: z.enum(SOURCE_TYPES),
    /** May open trackings; else it writes only to those it was given. */
    may_open: z.boolean(),
  }),
);

/** Replaces the provider's whole table of raw statuses. */
export const StatusMappingSet = eventType('StatusMappingSet', z.object({ mapping: statusMappingSchema }));

export const PROVIDER_EVENTS = [ProviderRegistered, StatusMappingSet] as const;
