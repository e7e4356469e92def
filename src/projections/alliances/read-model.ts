/**
 * The read model of alliances: one row per alliance, with its members and grants. One append may end several members
 * and grants; in a single row, these changes take effect together. Access checks read the row together with its floor
 * (access.ts).
 */
import {
  ALLIANCE_PREFIX,
  AllianceDissolved,
  AllianceFounded,
  AllianceGrantEnded,
  AllianceGrantGiven,
  AllianceGrantRevoked,
  AllianceInvitationDeclined,
  AllianceInvitationExpired,
  AllianceInvitationWithdrawn,
  AllianceMemberInvited,
  AllianceMemberJoined,
  AllianceMemberLeft,
  AllianceMemberRemoved,
  AllianceStewardChanged,
  type GrantFilter,
  type GrantKind,
} from '../../events/alliances/events.js';
import { flag, integer, integers, json, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { sequence } from '../core/sequence.js';
import { recordedAt, startsWith, table } from '../core/table.js';

/** Ids of alliances. */
export const ALLIANCE_IDS = sequence('alliances', { readModel: 'alliances', table: 'alliances.alliances' });

/** A member, or an invited business. Times are RFC 3339, UTC. */
export interface MemberRow {
  readonly steward: boolean;
  /** Expiry of an invitation. */
  readonly expires_at?: string;
  readonly display_name?: string;
  readonly joined_at?: string;
  /** The encrypted contact. */
  readonly sealed?: SealedMembers;
}

/** An active grant with the members of its filter, in the form that the access query reads. */
export interface GrantRow extends GrantFilter {
  readonly grant_id: number;
  readonly from_business: number;
  /** Absent: every member. */
  readonly to_business?: number;
  readonly kind: GrantKind;
  readonly until?: string;
  readonly given_at: string;
}

export interface PastGrantRow extends GrantRow {
  readonly end: 'revoked' | 'until' | 'member_gone' | 'dissolved';
  readonly ended_at: string;
}

const MAX_PAST_GRANTS = 500;

const columns = {
  id: integer(),
  name: text(),
  purpose: text(),
  founder: integer(),
  founded_at: text(),
  /** Keyed by business id. */
  members: json<Readonly<Record<string, MemberRow>>>(),
  joined: integers(),
  invited: integers(),
  /** Active grants, on which access is based. */
  grants: json<readonly GrantRow[]>(),
  /** The most recently ended grants. The log contains all of them. */
  past_grants: json<readonly PastGrantRow[]>(),
  dissolved: flag(),
  revision: integer(),
};
export type AllianceRow = RowOf<typeof columns>;

const without = (ids: readonly number[], id: number): number[] => ids.filter((one) => one !== id);

/** Removes a business from the members and invitations. */
const gone = ({ business }: { readonly business: number }, { members, joined, invited }: AllianceRow) => ({
  members: Object.fromEntries(Object.entries(members).filter(([id]) => id !== String(business))),
  joined: without(joined, business),
  invited: without(invited, business),
});

const grantOver = (
  { grants, past_grants }: AllianceRow,
  grantId: number,
  end: PastGrantRow['end'],
  ended_at: string,
): Partial<AllianceRow> => ({
  grants: grants.filter(({ grant_id }) => grant_id !== grantId),
  past_grants: [
    ...past_grants,
    ...grants
      .filter(({ grant_id }) => grant_id === grantId)
      // A grant expires at `until`, although the event is recorded later.
      .map((grant) => ({ ...grant, end, ended_at: end === 'until' ? grant.until! : ended_at })),
  ].slice(-MAX_PAST_GRANTS),
});

export const alliances = table({
  name: 'alliances',
  version: 2,
  prefixes: [ALLIANCE_PREFIX],
  columns,
  indexes: ['using gin (joined)', 'using gin (invited)'],
  fold: startsWith(AllianceFounded, ({ alliance_id, name, purpose, founded_by_business }, event): AllianceRow => ({
    id: alliance_id,
    name,
    purpose,
    founder: founded_by_business,
    founded_at: recordedAt(event),
    members: {},
    joined: [],
    invited: [],
    grants: [],
    past_grants: [],
    dissolved: false,
    revision: event.revision,
  }))
    .on(AllianceMemberInvited, ({ business, steward, expires_at }, { members, invited }) => ({
      members: { ...members, [business]: { steward, expires_at } },
      invited: [...without(invited, business), business],
    }))
    .on(AllianceMemberJoined, ({ business, steward, display_name }, { members, joined, invited }, event) => ({
      members: {
        ...members,
        [business]: { steward, display_name, joined_at: recordedAt(event), sealed: sealedMembersOf(event) },
      },
      joined: [...without(joined, business), business],
      invited: without(invited, business),
    }))
    .on(AllianceInvitationDeclined, gone)
    .on(AllianceInvitationWithdrawn, gone)
    .on(AllianceInvitationExpired, gone)
    .on(AllianceMemberLeft, gone)
    .on(AllianceMemberRemoved, gone)
    .on(AllianceStewardChanged, ({ business, steward }, { members }) => ({
      members: { ...members, [business]: { ...members[business]!, steward } },
    }))
    .on(AllianceGrantGiven, ({ grant_id, from_business, to_business, kind, filter, until }, { grants }, event) => ({
      grants: [
        ...grants,
        {
          grant_id,
          from_business,
          ...(to_business !== undefined && { to_business }),
          kind,
          ...filter,
          ...(until !== undefined && { until }),
          given_at: recordedAt(event),
        },
      ],
    }))
    .on(AllianceGrantRevoked, ({ grant_id }, row, event) => grantOver(row, grant_id, 'revoked', recordedAt(event)))
    .on(AllianceGrantEnded, ({ grant_id, why }, row, event) => grantOver(row, grant_id, why, recordedAt(event)))
    .on(AllianceDissolved, () => ({ dissolved: true })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'alliances', { 'alliances.alliances': AllianceRow }> {}
}
