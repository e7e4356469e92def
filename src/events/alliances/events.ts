/**
 * Events of an alliance. Stream `alliance-<id>`. It contains the members and all grants between them, so that "a member
 * leaves" and "its grants end" are one decision.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import type { TimerChange } from '../core/timers.js';
import { ORDER_TYPES } from '../orders/contents.js';

export const ALLIANCE_PREFIX = 'alliance-';
export const allianceStream = (id: number): string => `${ALLIANCE_PREFIX}${id}`;

/**
 * Data that a grant makes visible to its recipient:
 * - `tracking`: the public timeline of the granting business's parcels.
 * - `tracking_full`: the same, with recipient, delivery address and proofs.
 * - `orders`: orders without personal data, notes and partners.
 * - `network`: warehouses, and points of interest that are visible to alliances or to all users.
 * - `datasets`: the datasets in the filter, without their personal columns.
 */
export const GRANT_KINDS = ['tracking', 'tracking_full', 'orders', 'network', 'datasets'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

/** Places that a `network` grant may show. */
export const PLACES = ['poi', 'warehouse'] as const;

/** Selects the objects of the granting business that match every member; without a filter: all. */
export const grantFilterSchema = z.object({
  customer_ids: z.array(z.int()).optional(),
  order_types: z.array(z.enum(ORDER_TYPES)).optional(),
  /** Prefixes of the delivery's postal code. */
  postal_prefixes: z.array(z.string()).optional(),
  poi_categories: z.array(z.string()).optional(),
  /** For `network`; absent: only points of interest, because earlier grants had no other places. */
  places: z.array(z.enum(PLACES)).optional(),
  dataset_ids: z.array(z.int()).optional(),
});
export type GrantFilter = z.infer<typeof grantFilterSchema>;

const business = z.int();
/** User id of the actor. */
const by = z.int();
/** Businesses to notify of the event. Absent in older events, which are reported to no business. */
const concerns = z.array(business).optional();

/** Name of the timer of an invitation, or of a grant. */
export const invitationTimer = (invited: number): string => `invitation-${invited}`;
export const grantTimer = (grantId: number): string => `grant-${grantId}`;
const invitationOver = {
  timers: (data: { readonly business: number }): TimerChange => ({ clear: invitationTimer(data.business) }),
};
const grantOver = {
  timers: (data: { readonly grant_id: number }): TimerChange => ({ clear: grantTimer(data.grant_id) }),
};

export const AllianceFounded = eventType(
  'AllianceFounded',
  z.object({
    alliance_id: z.int(),
    name: z.string(),
    purpose: z.string(),
    founded_by_business: business,
    by,
    concerns,
  }),
);
export const AllianceMemberInvited = eventType(
  'AllianceMemberInvited',
  /** `expires_at`: RFC 3339, UTC. */
  z.object({ business, steward: z.boolean(), by_business: business, by, expires_at: z.string(), concerns }),
  { timers: ({ business, expires_at }) => ({ set: { name: invitationTimer(business), at: expires_at } }) },
);
export const AllianceInvitationDeclined = eventType(
  'AllianceInvitationDeclined',
  z.object({ business, by, concerns }),
  invitationOver,
);
export const AllianceInvitationWithdrawn = eventType(
  'AllianceInvitationWithdrawn',
  z.object({ business, by_business: business, by, concerns }),
  invitationOver,
);
/** The invitation was not answered in time. */
export const AllianceInvitationExpired = eventType(
  'AllianceInvitationExpired',
  z.object({ business, concerns }),
  invitationOver,
);
export const AllianceMemberJoined = eventType(
  'AllianceMemberJoined',
  /** `contact`: contact for the other members; personal data of the user who entered it. */
  z.object({ business, steward: z.boolean(), display_name: z.string(), contact: personal(z.string()), by, concerns }),
  invitationOver,
);
/** The user's reason; personal data of that account. */
const reason = personal(z.string());
export const AllianceMemberLeft = eventType('AllianceMemberLeft', z.object({ business, by, reason, concerns }));
export const AllianceMemberRemoved = eventType(
  'AllianceMemberRemoved',
  z.object({ business, by_business: business, by, reason, concerns }),
);
/** A member became a steward, or stopped being one. */
export const AllianceStewardChanged = eventType(
  'AllianceStewardChanged',
  z.object({ business, steward: z.boolean(), by_business: business, by, concerns }),
);
export const AllianceGrantGiven = eventType(
  'AllianceGrantGiven',
  z.object({
    /** Consecutive number in the alliance, from 1. */
    grant_id: z.int(),
    from_business: business,
    /** Absent: every member, including later ones. */
    to_business: business.optional(),
    kind: z.enum(GRANT_KINDS),
    filter: grantFilterSchema,
    /** RFC 3339, UTC: the end of the grant. */
    until: z.string().optional(),
    by,
    concerns,
  }),
  {
    timers: ({ grant_id, until }) =>
      until === undefined ? undefined : { set: { name: grantTimer(grant_id), at: until } },
  },
);
/** The ended grant, with its original members. */
const endedGrant = {
  grant_id: z.int(),
  from_business: business.optional(),
  to_business: business.optional(),
  kind: z.enum(GRANT_KINDS).optional(),
  until: z.string().optional(),
  concerns,
};
export const AllianceGrantRevoked = eventType(
  'AllianceGrantRevoked',
  z.object({ ...endedGrant, by, reason }),
  grantOver,
);
/** Appended together with the event that ends the grant, or separately when the grant expires. */
export const AllianceGrantEnded = eventType(
  'AllianceGrantEnded',
  z.object({ ...endedGrant, why: z.enum(['until', 'member_gone', 'dissolved']) }),
  grantOver,
);
export const AllianceDissolved = eventType('AllianceDissolved', z.object({ by_business: business, by, concerns }));

export const ALLIANCE_EVENTS = [
  AllianceFounded,
  AllianceMemberInvited,
  AllianceInvitationDeclined,
  AllianceInvitationWithdrawn,
  AllianceInvitationExpired,
  AllianceMemberJoined,
  AllianceMemberLeft,
  AllianceMemberRemoved,
  AllianceStewardChanged,
  AllianceGrantGiven,
  AllianceGrantRevoked,
  AllianceGrantEnded,
  AllianceDissolved,
] as const;
