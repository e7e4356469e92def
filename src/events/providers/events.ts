/**
 * Events of a provider, which pushes scans: registration, permissions, mapping of raw statuses, choice of a carrier's
 * table, and membership of a network. Stream `provider-<id>`. Keys are not events.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { MAX_CODE_LENGTH } from '../otep/codes.js';
import { SOURCE_TYPES } from '../otep/model.js';
import { NETWORKS } from '../otep/networks.js';

export const PROVIDER_PREFIX = 'provider-';
export const providerStream = (id: string): string => `${PROVIDER_PREFIX}${id}`;

/** Lower-case letters, digits and hyphens, because it is used in stream names, links and key names. */
export const providerIdSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);

export const statusMappingSchema = z
  .array(
    z.strictObject({
      /** The provider's code; compared without case and without blanks around it. */
      raw: z.string().min(1).max(MAX_CODE_LENGTH),
      /** OTEP code: registered, or experimental with `x-`. */
      status_code: z.string().min(1).max(MAX_CODE_LENGTH),
      /** Description of the code, for people. */
      note: z.string().max(200).optional(),
    }),
  )
  .max(1_000);
export type StatusMapping = z.infer<typeof statusMappingSchema>;

export const ProviderRegistered = eventType(
  'ProviderRegistered',
  z.object({
    name: z.string(),
    /** Source type of its scans, if they have none. */
    kind: z.enum(SOURCE_TYPES),
    /** Whether it may open trackings; otherwise it writes only to trackings that it was assigned. */
    may_open: z.boolean(),
  }),
);

/** Replaces the provider's complete status mapping. */
export const StatusMappingSet = eventType('StatusMappingSet', z.object({ mapping: statusMappingSchema }), {
  version: 2,
  // Version 1 had shorter codes.
  upcast: { 1: (data) => data },
});

/** The provider chose a carrier's table of status codes, or none (null). Its status mapping has priority. */
export const CarrierCodesSet = eventType('CarrierCodesSet', z.object({ carrier_codes: z.string().nullable() }));

/** A platform administrator made the provider a member of a network of carriers, or of none (null); see rule N8. */
export const ProviderNetworkSet = eventType('ProviderNetworkSet', z.object({ network: z.enum(NETWORKS).nullable() }));

export const PROVIDER_EVENTS = [ProviderRegistered, StatusMappingSet, CarrierCodesSet, ProviderNetworkSet] as const;
