/** What is told of alliances, to each business that it concerns: the events say which these are. */
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
} from '../events/alliances/events.js';
import { firesOn, given, type Changes, type Kind, type Told } from './kind.js';

const CHANGES: Changes = {
  [AllianceFounded.type]: 'founded',
  [AllianceMemberInvited.type]: 'invited',
  [AllianceInvitationDeclined.type]: 'declined',
  [AllianceInvitationWithdrawn.type]: 'withdrawn',
  [AllianceInvitationExpired.type]: 'expired',
  [AllianceMemberJoined.type]: 'joined',
  [AllianceMemberLeft.type]: 'left',
  [AllianceMemberRemoved.type]: 'removed',
  [AllianceDissolved.type]: 'dissolved',
};
const GRANTED: Changes = { [AllianceGrantGiven.type]: 'granted' };
const ENDED: Changes = { [AllianceGrantRevoked.type]: 'revoked', [AllianceGrantEnded.type]: 'ended' };

const common = {
  prefix: ALLIANCE_PREFIX,
  businesses: ({ data }) => (data['concerns'] ?? []) as readonly number[],
} as const satisfies Partial<Kind>;
const allianceOf = ({ firstData }: Told) => given(firstData, 'alliance_id', 'name');
const GRANT = ['grant_id', 'kind', 'from_business', 'to_business', 'until'] as const;

export const ALLIANCE_KINDS = {
  alliance_changed: {
    ...common,
    type: 'alliance.changed',
    fires: firesOn(CHANGES),
    data: (told) => {
      const { business, by_business, founded_by_business } = told.data;
      return {
        ...allianceOf(told),
        change: CHANGES[told.event.type]!,
        business_id: (business ?? by_business ?? founded_by_business)!,
        ...given(told.data, 'steward', 'expires_at', 'display_name', 'contact'),
      };
    },
  },
  alliance_access_granted: {
    ...common,
    type: 'alliance.access_granted',
    fires: firesOn(GRANTED),
    data: (told) => ({ ...allianceOf(told), ...given(told.data, ...GRANT, 'filter') }),
  },
  alliance_access_ended: {
    ...common,
    type: 'alliance.access_ended',
    fires: firesOn(ENDED),
    data: (told) => ({
      ...allianceOf(told),
      ...given(told.data, ...GRANT),
      why: told.event.type === AllianceGrantRevoked.type ? 'revoked' : told.data['why']!,
    }),
  },
} as const satisfies Readonly<Record<string, Kind>>;
