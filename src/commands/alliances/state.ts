/** The state of an alliance for its decider: members, and grants between them. */
import {
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
  type GrantKind,
} from '../../events/alliances/events.js';
import type { PastEvent } from '../core/decider.js';
import { newEvent, type NewEvent } from '../core/entity.js';

/** A business that has joined, or whose invitation is open. Businesses that have left are removed. */
interface Member {
  readonly joined: boolean;
  readonly steward: boolean;
  /** Expiry of the invitation, milliseconds since 1970. */
  readonly expires: number;
}

interface Grant {
  readonly from: number;
  /** Undefined: every member. */
  readonly to: number | undefined;
  readonly kind: GrantKind;
  /** Milliseconds since 1970; infinite: the grant does not expire. */
  readonly until: number;
  /** Neither revoked nor recorded as ended. `until` may have passed already. */
  active: boolean;
}

export interface AllianceState {
  /** Number of events in the stream. */
  events: number;
  founder: number | undefined;
  dissolved: boolean;
  readonly members: Map<number, Member>;
  /** Expiry of every invitation that was ever sent. */
  readonly invitations: number[];
  readonly grants: Map<number, Grant>;
  /** Grant id by the id of the event that created it. */
  readonly givenBy: Map<string, number>;
  readonly done: Set<string>;
}

export const initial = (): AllianceState => ({
  events: 0,
  founder: undefined,
  dissolved: false,
  members: new Map(),
  invitations: [],
  grants: new Map(),
  givenBy: new Map(),
  done: new Set(),
});

/** Whether the invitation can still be accepted or declined. */
export const isOpen = ({ joined, expires }: Member, at: number): boolean => !joined && expires > at;

export const joinedOf = ({ members }: AllianceState): [business: number, Member][] =>
  [...members].filter(([, { joined }]) => joined);

/** A grant counts until its expiry, even if the end is not recorded yet. */
export const isGranted = ({ active, until }: Grant, at: number): boolean => active && until > at;

/** Ends the active grants: those from and to a departing business, or all. */
export const grantsEnd = (
  { grants }: AllianceState,
  at: number,
  why: 'member_gone' | 'dissolved',
  business?: number,
): NewEvent[] =>
  [...grants]
    .filter(([, grant]) => isGranted(grant, at))
    .filter(([, { from, to }]) => business === undefined || from === business || to === business)
    .map(([grant_id]) => newEvent(AllianceGrantEnded, { grant_id, why }));

/** The state may be changed and returned. */
export function evolve(state: AllianceState, { type, id, data }: PastEvent): AllianceState {
  state.events += 1;
  state.done.add(id);
  const business = data['business'] as number;
  const steward = data['steward'] as boolean;
  switch (type) {
    case AllianceFounded.type:
      state.founder = data['founded_by_business'] as number;
      break;
    case AllianceMemberInvited.type: {
      const expires = Date.parse(data['expires_at'] as string);
      state.invitations.push(expires);
      state.members.set(business, { joined: false, steward, expires });
      break;
    }
    case AllianceMemberJoined.type:
      state.members.set(business, { joined: true, steward, expires: 0 });
      break;
    case AllianceStewardChanged.type:
      state.members.set(business, { ...state.members.get(business)!, steward });
      break;
    case AllianceInvitationDeclined.type:
    case AllianceInvitationWithdrawn.type:
    case AllianceInvitationExpired.type:
    case AllianceMemberLeft.type:
    case AllianceMemberRemoved.type:
      state.members.delete(business);
      break;
    case AllianceGrantGiven.type: {
      const grantId = data['grant_id'] as number;
      const to = data['to_business'] as number | undefined;
      const until = data['until'] === undefined ? Infinity : Date.parse(data['until'] as string);
      const kind = data['kind'] as GrantKind;
      state.grants.set(grantId, { from: data['from_business'] as number, to, kind, until, active: true });
      state.givenBy.set(id, grantId);
      break;
    }
    case AllianceGrantRevoked.type:
    case AllianceGrantEnded.type:
      state.grants.get(data['grant_id'] as number)!.active = false;
      break;
    case AllianceDissolved.type:
      state.dissolved = true;
      break;
  }
  return state;
}
