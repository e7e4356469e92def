/**
 * The native documents as zod schemas, for OpenAPI and the tool catalogues. They define the shape.
 * src/events/otep/check validates pushed events, and a property test ensures that both agree.
 */
import { z } from 'zod';
import { PHASES, TERMINAL_STATUSES } from './codes.js';
import { ANOMALIES, OTEP_VERSION, PROFILE, PROOF_KINDS, SOURCE_TYPES } from './model.js';
import { INCIDENT_REASONS } from './reasons.js';
import { LIMITS } from './check/limits.js';

const text = (max: number, description?: string) =>
  z
    .string()
    .max(max)
    .meta(description === undefined ? {} : { description });
const time = (description: string) =>
  z.string().meta({ format: 'date-time', description: `RFC 3339 with an offset. ${description}` });
const eventId = (description: string) => text(LIMITS.eventId, `UUID or URI. ${description}`);
const version = z
  .string()
  .meta({ description: `Protocol version; this service uses ${OTEP_VERSION}.`, examples: [OTEP_VERSION] });
const status = text(
  LIMITS.code,
  'A registered status code, also as otep:parcel:<code>, or an experimental one that begins with x-.',
).meta({ examples: ['out_for_delivery'] });
const phase = z
  .enum(PHASES)
  .meta({ description: 'Phase of the status code. Only an experimental code may specify it.' });

export const subjectSchema = z
  .object({
    tracking_number: text(LIMITS.trackingNumber * 4, 'Spaces, hyphens and case are ignored.').optional(),
    order_id: text(LIMITS.identifier).optional(),
    package_id: text(LIMITS.identifier).optional(),
    external_tracking_number: text(LIMITS.identifier, 'Number of the parcel at another carrier.').optional(),
    gs1_sscc: z
      .string()
      .optional()
      .meta({ description: 'GS1 Serial Shipping Container Code: 18 digits.', examples: ['340123450000000000'] }),
    piece_id: text(LIMITS.identifier, 'URI of the ONE Record piece, or an id of the producer.').optional(),
  })
  .refine((subject) => Object.values(subject).some((id) => id !== undefined), {
    message: 'A subject needs at least one identifier.',
  })
  .meta({ id: 'OtepSubject', description: 'Subject of a timeline, with at least one identifier.', minProperties: 1 });

export const locationSchema = z
  .object({
    name: text(LIMITS.name).optional(),
    code: text(LIMITS.code, "UN/LOCODE, GLN or the producer's own code.").optional(),
    city: text(LIMITS.name).optional(),
    region: text(LIMITS.name).optional(),
    postal_code: text(LIMITS.postalCode).optional(),
    country: z
      .string()
      .optional()
      .meta({ description: 'ISO 3166-1 alpha-2, in capitals.', examples: ['DE'] }),
    latitude: z.number().min(-90).max(90).optional().meta({ description: 'Degrees, WGS 84; together with longitude.' }),
    longitude: z
      .number()
      .min(-180)
      .max(180)
      .optional()
      .meta({ description: 'Degrees, WGS 84; together with latitude.' }),
  })
  .meta({ id: 'OtepLocation', description: 'Place of an event.' });

export const sourceSchema = z
  .object({
    type: z.enum(SOURCE_TYPES).optional(),
    name: text(LIMITS.name).optional(),
    provider: text(LIMITS.name).optional(),
    ref: text(
      LIMITS.name,
      'Reference of the event in the source; `synthesized` if the source reports only a current status.',
    ).optional(),
    carrier: text(
      LIMITS.code,
      'Carrier whose table of status codes contains `raw.code`; `GET /otep/carriers` lists the tables. For aggregators; a carrier without a table is accepted.',
    )
      .optional()
      .meta({ examples: ['usps'] }),
    recorded_at: time('When the producer recorded the event.').optional(),
  })
  .meta({ id: 'OtepSource', description: 'Source of the information about an event.' });

const reasonSchema = z.object({
  code: text(LIMITS.code, 'A registered incident reason or an experimental one that begins with x-.').meta({
    examples: INCIDENT_REASONS.map((row) => row.code),
  }),
  text: text(LIMITS.text).optional(),
});
const rawSchema = z.object({ code: text(LIMITS.code).optional(), text: text(LIMITS.text).optional() });
const proofSchema = z.object({
  kind: z.enum(PROOF_KINDS),
  url: z.string().max(LIMITS.url).optional().meta({ format: 'uri' }),
});

const details = {
  location: locationSchema.optional(),
  source: sourceSchema.optional(),
  incident_reason: reasonSchema.optional(),
  description: text(LIMITS.text).optional(),
  raw: rawSchema
    .optional()
    .meta({
      description:
        "Original status of the source. Without a status code, the provider's status mapping determines the status, and then the table of the carrier.",
    }),
  proof: proofSchema.optional().meta({ description: 'For picked_up and delivered.' }),
};

const derived = {
  status_id: z.string().meta({ description: '`otep:<profile>:<code>`.' }),
  phase: phase.optional(),
  phase_id: z.string().optional().meta({ description: '`otep:phase:<name>`.' }),
  recorded_at: time('When this service recorded the event.').optional(),
  anomaly: z.enum(ANOMALIES).optional(),
};

export const eventInputSchema = z
  .looseObject({
    otep_version: version.optional(),
    event_id: eventId('Id of the producer; if omitted, the service derives one.').optional(),
    retracts: eventId('Id of an earlier event of the same producer and parcel, which this event retracts.').optional(),
    unretracts: eventId(
      'Id of a retracted event of the same producer and parcel. Send it with the scan that did occur after all.',
    ).optional(),
    subject: subjectSchema.optional(),
    occurred_at: time('Time of the event.'),
    status_code: status.optional(),
    ...details,
    ...derived,
    status_id: derived.status_id.optional(),
  })
  .meta({
    id: 'OtepEventInput',
    description:
      'An event to push or check. It requires occurred_at and one of status_code, raw and retracts; fields that begin with x- are stored.',
  });

const claims = {
  current_status: z.string().nullable(),
  current_phase: z.enum(PHASES).nullable(),
  terminal_status: z.enum(TERMINAL_STATUSES).nullable(),
  delivered: z.boolean(),
};

export const plannedSchema = z
  .object({
    date: z.string().meta({ format: 'date', description: 'Local date at the delivery address.' }),
    windows: z
      .array(z.object({ from: time('Beginning.'), to: time('End.') }).meta({ id: 'OtepWindow' }))
      .meta({ description: 'Earliest first; none: at any time of the day.' }),
    by: time('End of the last window, or of the day.'),
  })
  .meta({ id: 'OtepPlannedDelivery', description: 'Planned time of the delivery; not a forecast.' });

const carrierMembers = {
  life: z
    .int()
    .optional()
    .meta({
      description:
        'Output only: the life of the number that this timeline describes; 1 is the oldest. Present if there are several, because the carrier has reused the number.',
    }),
  lives: z.int().optional().meta({ description: 'Output only: number of lives. `life` selects one.' }),
  carrier: z.string().optional().meta({ description: 'Output only: carrier of this timeline.' }),
  alternatives: z
    .array(z.string())
    .optional()
    .meta({ description: 'Output only: other carriers with a parcel of this number.' }),
  carriers: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'Output only: carriers of a network whose events this timeline merges. `source.provider` of an event names its carrier.',
    }),
};

export const timelineInputSchema = z
  .object({
    otep_version: version.optional(),
    profile: z.literal(PROFILE).optional(),
    subject: subjectSchema,
    ...z.object(claims).partial().shape,
    events: z.array(eventInputSchema),
    retracted: z.array(z.unknown()).optional().meta({ description: 'Output only.' }),
    planned_delivery: z.looseObject({}).optional().meta({ description: 'Output only.' }),
    ...carrierMembers,
  })
  .meta({
    id: 'OtepTimelineInput',
    description: 'A timeline to push or check. Derived fields may be included and must match the events.',
  });

export const timelineEventSchema = z
  .looseObject({
    otep_version: version,
    event_id: eventId('Id of the producer, or the derived id.'),
    occurred_at: time('Time of the event, as it was sent.'),
    status_code: status,
    ...derived,
    ...details,
  })
  .meta({ id: 'OtepEvent', description: 'An event of a timeline. Fields that begin with x- are extensions.' });

export const timelineSchema = z
  .object({
    otep_version: version,
    profile: z.literal(PROFILE),
    subject: subjectSchema,
    ...claims,
    events: z.array(timelineEventSchema).meta({ description: 'Oldest first.' }),
    planned_delivery: plannedSchema
      .optional()
      .meta({ description: 'Output only, until the journey ends: planned delivery of the order.' }),
    ...carrierMembers,
    retracted: z
      .array(
        z
          .object({
            event: timelineEventSchema,
            retracted_at: time('Time of the retraction.'),
            extensions: z
              .record(z.string(), z.unknown())
              .optional()
              .meta({ description: '`x-` fields of the retraction itself.' }),
          })
          .meta({ id: 'OtepRetraction' }),
      )
      .optional()
      .meta({ description: 'Only in the full view: events that their producer retracted.' }),
  })
  .meta({ id: 'OtepTimeline', description: 'The tracking timeline of one parcel.' });
