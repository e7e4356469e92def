/**
 * Profile and documents of a driver, in the driver's stream. Personal data is erased together with the driver's
 * account.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

const driverMembers = { driver_id: z.int(), business: z.int(), by: z.int().optional() };

export const TRANSPORTS = ['car', 'van', 'truck', 'cargo_bike', 'bike', 'scooter', 'foot'] as const;

export const profileSchema = z.object({
  /** Region in which the driver prefers to work. */
  home_region: z.string().optional(),
  /** IETF language tags. */
  languages: z.array(z.string()),
  transport: z.enum(TRANSPORTS).optional(),
  address: personal(z.string()),
  /** Position of the address. Routes that end at home end there. */
  home_position: personal(z.object({ latitude: z.number(), longitude: z.number() })),
  /** `YYYY-MM-DD`. */
  birth_date: personal(z.string()),
  emergency_contact: personal(z.string()),
  licence_no: personal(z.string()),
});
export type DriverProfile = z.infer<typeof profileSchema>;

/** The complete profile, replacing the earlier profile. */
export const DriverProfileSet = eventType('DriverProfileSet', z.object({ ...driverMembers, ...profileSchema.shape }));

/** Number of days before expiry on which a reminder for a document is recorded. */
export const REMINDED_DAYS = [30, 7] as const;
export const DAY_MS = 86_400_000;
export const documentTimer = (documentId: string): string => `document-${documentId}`;
/** The time this many days before a date (`YYYY-MM-DD`) begins, in UTC. */
export const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS).toISOString();

export const documentSchema = z.object({
  document_id: z.string(),
  /** For example `driving_licence`; skills and settings refer to it. */
  kind: z.string(),
  /** First and last day of validity, `YYYY-MM-DD`; absent: unlimited. */
  valid_from: z.string().optional(),
  valid_until: z.string().optional(),
  file_ids: z.array(z.string()),
  number: personal(z.string()),
});
export type DriverDocument = z.infer<typeof documentSchema>;

export const DriverDocumentSubmitted = eventType(
  'DriverDocumentSubmitted',
  z.object({ ...driverMembers, ...documentSchema.shape }),
);
/** `replaces`: the documents of this kind that were valid until now. */
export const DriverDocumentVerified = eventType(
  'DriverDocumentVerified',
  z.object({
    ...driverMembers,
    document_id: z.string(),
    kind: z.string(),
    valid_until: z.string().optional(),
    replaces: z.array(z.string()),
  }),
  {
    timers: ({ document_id, valid_until, replaces }) => [
      ...replaces.map((id) => ({ clear: documentTimer(id) })),
      ...(valid_until === undefined
        ? []
        : [{ set: { name: documentTimer(document_id), at: daysBefore(valid_until, REMINDED_DAYS[0]) } }]),
    ],
  },
);
export const DriverDocumentRejected = eventType(
  'DriverDocumentRejected',
  z.object({ ...driverMembers, document_id: z.string(), reason: personal(z.string()) }),
);
/** The document expires soon, and no other document replaces it. */
export const DriverDocumentExpiring = eventType(
  'DriverDocumentExpiring',
  z.object({
    driver_id: z.int(),
    business: z.int(),
    document_id: z.string(),
    kind: z.string(),
    valid_until: z.string(),
    days: z.union([z.literal(30), z.literal(7)]),
  }),
  {
    timers: ({ document_id, valid_until, days }) => {
      const name = documentTimer(document_id);
      return days === 30 ? { set: { name, at: daysBefore(valid_until, 7) } } : { clear: name };
    },
  },
);

export const DRIVER_DOCUMENT_EVENTS = [
  DriverProfileSet,
  DriverDocumentSubmitted,
  DriverDocumentVerified,
  DriverDocumentRejected,
  DriverDocumentExpiring,
] as const;
