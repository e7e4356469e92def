/** Alliances, members and grants as the API returns them. */
import { z } from 'zod';
import { GRANT_KINDS, PLACES } from '../../../events/alliances/events.js';
import { ORDER_TYPES } from '../../../events/orders/contents.js';
import type { Member } from '../../../projections/alliances/queries.js';
import type { AllianceRow, GrantRow, PastGrantRow } from '../../../projections/alliances/read-model.js';
import { versionBy, versionSchema } from '../../core/versions.js';
import { allianceStream } from '../../../events/alliances/events.js';

export const filterSchema = z
  .object({
    customer_ids: z.array(z.int()).optional(),
    order_types: z.array(z.enum(ORDER_TYPES)).optional(),
    postal_prefixes: z.array(z.string()).optional(),
    poi_categories: z.array(z.string()).optional(),
    places: z.array(z.enum(PLACES)).optional(),
    dataset_ids: z.array(z.int()).optional(),
  })
  .meta({ id: 'AllianceGrantFilter' });
export const grantSchema = z
  .object({
    id: z.int(),
    from_business_id: z.int(),
    to_business_id: z.int().nullable().describe('Member that receives access. Null: all members receive access.'),
    kind: z.enum(GRANT_KINDS),
    filter: filterSchema.describe('Selection of the shared data; empty: all data of the kind.'),
    expires_at: z.string().nullable(),
    created_at: z.string(),
    status: z.enum(['active', 'revoked', 'ended']),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'AllianceGrant' });
export const allianceSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    purpose: z.string(),
    founder_business_id: z.int(),
    created_at: z.string(),
    my_status: z.enum(['invited', 'joined']),
    is_steward: z.boolean().describe("Whether the caller's business is a steward."),
    member_count: z.int().describe('Number of members that have joined.'),
    given_grant_count: z.int().describe('Number of active grants from your business.'),
    received_grant_count: z.int(),
    version: versionSchema,
    grants: z
      .array(grantSchema)
      .optional()
      .describe(
        'Active grants from and to your business, at most 200. `allianceGrants` returns all of them. Lists do not contain this member.',
      ),
    other_grant_count: z
      .int()
      .optional()
      .describe('Number of active grants between other members. Lists do not contain it.'),
  })
  .meta({ id: 'Alliance' });

/** Members and grants are in its stream. */
export const ALLIANCE_VERSION = versionBy('alliance_id', allianceStream);
export const memberSchema = z
  .object({
    business_id: z.int(),
    code: z.string(),
    display_name: z.string(),
    status: z.enum(['invited', 'joined']),
    is_steward: z.boolean(),
    joined_at: z.string().nullable(),
    contact: z
      .string()
      .optional()
      .describe('Contact of the member. Only businesses that have joined the alliance see it.'),
  })
  .meta({ id: 'AllianceMember' });

const isPast = (grant: GrantRow | PastGrantRow): grant is PastGrantRow => 'end' in grant;

/** `now`: RFC 3339, UTC. */
const isActive = (grant: GrantRow | PastGrantRow, now: string): boolean =>
  !isPast(grant) && (grant.until === undefined || grant.until > now);

const isFrom = (business: number) => (grant: GrantRow) => grant.from_business === business;
const isTo = (business: number) => (grant: GrantRow) =>
  grant.from_business !== business && (grant.to_business ?? business) === business;

export const hasJoined = ({ joined }: AllianceRow, business: number): boolean => joined.includes(business);

/** The grants that the business gave or received, newest first. Grants between other members are not visible to it. */
export function visibleGrants(
  row: AllianceRow,
  business: number,
  now: string,
): { readonly grant: z.infer<typeof grantSchema>; readonly given: boolean }[] {
  if (!hasJoined(row, business)) return [];
  return [...row.grants, ...row.past_grants]
    .filter((grant) => isFrom(business)(grant) || isTo(business)(grant))
    .sort((a, b) => b.grant_id - a.grant_id)
    .map((grant) => ({ grant: toGrant(grant, now), given: isFrom(business)(grant) }));
}

function toGrant(grant: GrantRow | PastGrantRow, now: string): z.infer<typeof grantSchema> {
  const { grant_id, from_business, to_business = null, kind, until = null, given_at } = grant;
  const past = isPast(grant) ? grant : undefined;
  return {
    id: grant_id,
    from_business_id: from_business,
    to_business_id: to_business,
    kind,
    filter: toFilter(grant),
    expires_at: until,
    created_at: given_at,
    status: past?.end === 'revoked' ? 'revoked' : isActive(grant, now) ? 'active' : 'ended',
    ended_at: past?.ended_at ?? (isActive(grant, now) ? null : until),
  };
}

/** Keeps only members with a value; the database returns null for the others. */
export const toFilter = ({
  customer_ids,
  order_types,
  postal_prefixes,
  poi_categories,
  places,
  dataset_ids,
}: { readonly [Name in keyof z.infer<typeof filterSchema>]: z.infer<typeof filterSchema>[Name] | null }): z.infer<
  typeof filterSchema
> => ({
  ...(customer_ids && { customer_ids }),
  ...(order_types && { order_types }),
  ...(postal_prefixes && { postal_prefixes }),
  ...(poi_categories && { poi_categories }),
  ...(places && { places }),
  ...(dataset_ids && { dataset_ids }),
});

export function toAlliance(row: AllianceRow, business: number, now: string): z.infer<typeof allianceSchema> {
  const { id, name, purpose, founder, founded_at, members, joined } = row;
  const active = visibleGrants(row, business, now).filter(({ grant }) => grant.status === 'active');
  return {
    id,
    name,
    purpose,
    founder_business_id: founder,
    created_at: founded_at,
    my_status: hasJoined(row, business) ? 'joined' : 'invited',
    is_steward: hasJoined(row, business) && members[business]!.steward,
    member_count: joined.length,
    given_grant_count: active.filter(({ given }) => given).length,
    received_grant_count: active.filter(({ given }) => !given).length,
    version: row.revision,
  };
}

export const toMember = (
  { business_id, display_name, steward, joined_at, contact }: Member,
  businessNames: { readonly code: string; readonly name: string } | undefined,
  withContact: boolean,
): z.infer<typeof memberSchema> => ({
  business_id,
  code: businessNames?.code ?? '',
  display_name: display_name ?? businessNames?.name ?? '',
  status: joined_at === undefined ? 'invited' : 'joined',
  is_steward: steward,
  joined_at: joined_at ?? null,
  ...(withContact && contact !== undefined && { contact }),
});
