/**
 * What happens to an alliance. Stream `alliance-<id>`: its members and all grants between them, so that "a member
 * leaves" and "its grants end" are one decision.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import type { TimerChange } from '../core/timers.js';
import { ORDER_TYPES } from '../orders/contents.js';

export const ALLIANCE_PREFIX = 'alliance-';
export const allianceStream = (id: number): string => `${ALLIANCE_PREFIX}${id}`;

/**
 * What a grant opens to its taker. `tracking`: the timeline of a parcel, as the public sees it, among the giver's
 * parcels. `tracking_full`: that with recipient, delivery address and proofs. `orders`: orders without people, notes
 * and partners. `network`: points of interest that are visible to alliances or to everybody, and warehouses. `datasets`:
 * datasets that the filter names, without their personal columns.
 */
export const GRANT_KINDS = ['tracking', 'tracking_full', 'orders', 'network', 'datasets'] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

/** What a grant of the `network` may show. */
export const PLACES = ['poi', 'warehouse'] as const;

/** Which of the giver's things: those that fit every member; without one: all. */
export const grantFilterSchema = z.object({
  customer_ids: z.array(z.int()).optional(),
  order_types: z.array(z.enum(ORDER_TYPES)).optional(),
  /** How the postal code of the delivery begins. */
  postal_prefixes: z.array(z.string()).optional(),
  poi_categories: z.array(z.string()).optional(),
  /** Of `network`; absent: points of interest alone, since those who granted it knew of no others. */
  places: z.array(z.enum(PLACES)).optional(),
  dataset_ids: z.array(z.int()).optional(),
});
export type GrantFilter = z.infer<typeof grantFilterSchema>;

const business = z.int();
/** User id of the actor. */
const by = z.int();
/** Which businesses are notified of it; what was recorded before they were is reported to nobody. */
const concerns = z.array(business).optional();

/** Names of timers. */
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
/** Nobody answered in time. */
export const AllianceInvitationExpired = eventType(
  'AllianceInvitationExpired',
  z.object({ business, concerns }),
  invitationOver,
);
export const AllianceMemberJoined = eventType(
  'AllianceMemberJoined',
  /** `contact`: whom the others call; the data of the user who gave it. */
  z.object({ business, steward: z.boolean(), display_name: z.string(), contact: personal(z.string()), by, concerns }),
  invitationOver,
);
/** Why somebody did it, in the words of the user who did: the data of that account. */
const reason = personal(z.string());
export const AllianceMemberLeft = eventType('AllianceMemberLeft', z.object({ business, by, reason, concerns }));
export const AllianceMemberRemoved = eventType(
  'AllianceMemberRemoved',
  z.object({ business, by_business: business, by, reason, concerns }),
);
/** Of a member, later than it was invited. */
export const AllianceStewardChanged = eventType(
  'AllianceStewardChanged',
  z.object({ business, steward: z.boolean(), by_business: business, by, concerns }),
);
export const AllianceGrantGiven = eventType(
  'AllianceGrantGiven',
  z.object({
    /** 1, 2, 3 of the alliance. */
    grant_id: z.int(),
    from_business: business,
    /** Absent: every member, also who joins later. */
    to_business: business.optional(),
    kind: z.enum(GRANT_KINDS),
    filter: grantFilterSchema,
    /** RFC 3339, UTC: nothing is shown from then on. */
    until: z.string().optional(),
    by,
    concerns,
  }),
  {
    timers: ({ grant_id, until }) =>
      until === undefined ? undefined : { set: { name: grantTimer(grant_id), at: until } },
  },
);
/** What ended, as it was given. */
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
/** In the append of what ends it, or on its own when its time is over. */
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
