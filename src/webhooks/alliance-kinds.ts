/** Webhooks about alliances, sent to each business that the event names. */
import { z } from 'zod';
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
} from '../events/alliances/events.js';
import { given, oneOf, type Changes, type Example, type Kind, type PayloadInput } from './kind.js';

const CHANGES: Changes = {
  [AllianceFounded.type]: 'founded',
  [AllianceMemberInvited.type]: 'invited',
  [AllianceInvitationDeclined.type]: 'declined',
  [AllianceInvitationWithdrawn.type]: 'withdrawn',
  [AllianceInvitationExpired.type]: 'expired',
  [AllianceMemberJoined.type]: 'joined',
  [AllianceMemberLeft.type]: 'left',
  [AllianceMemberRemoved.type]: 'removed',
  [AllianceStewardChanged.type]: 'steward_changed',
  [AllianceDissolved.type]: 'dissolved',
};
const GRANTED: Changes = { [AllianceGrantGiven.type]: 'granted' };
const ENDED: Changes = { [AllianceGrantRevoked.type]: 'revoked', [AllianceGrantEnded.type]: 'ended' };

const common = {
  since: '0.1.0',
  prefix: ALLIANCE_PREFIX,
  businesses: ({ data }) => (data['concerns'] ?? []) as readonly number[],
} as const satisfies Partial<Kind>;
const allianceOf = ({ firstData }: PayloadInput) => given(firstData, 'alliance_id', 'name');
const example = (...trigger: NonNullable<Example['trigger']>): Example => ({
  stream: `${ALLIANCE_PREFIX}0`,
  first: ['AllianceFounded', { alliance_id: 0, name: 'North', purpose: '', founded_by_business: 0, by: 0 }],
  trigger,
});
const GIVEN = { grant_id: 1, from_business: 0, to_business: 0, kind: 'tracking', until: '2026-03-31T22:00:00.000Z' };

const id = z.int();
const text = z.string();
const shown = { alliance_id: id, name: text };
/** Earlier versions recorded only the number of an ended grant, so the other members are optional. */
const endedGrant = {
  ...shown,
  grant_id: id,
  kind: text.optional(),
  from_business: id.optional(),
  to_business: id.optional(),
  until: text.optional(),
};
const GRANT = ['grant_id', 'kind', 'from_business', 'to_business', 'until'] as const;

export const ALLIANCE_KINDS = {
  alliance_changed: {
    ...common,
    type: 'alliance.changed',
    on: Object.keys(CHANGES),
    objectId: 'alliance_id',
    status: ({ event }) => (event.type === AllianceDissolved.type ? 'dissolved' : 'active'),
    shape: z.object({
      ...shown,
      change: oneOf(CHANGES),
      business_id: id,
      steward: z.boolean().optional(),
      expires_at: text.optional(),
      display_name: text.optional(),
      contact: text.optional(),
    }),
    example: example('AllianceMemberJoined', { business: 0, steward: false, display_name: 'Example Logistics', by: 0 }),
    data: (input) => {
      const { business, by_business, founded_by_business } = input.data;
      return {
        ...allianceOf(input),
        change: CHANGES[input.event.type]!,
        business_id: (business ?? by_business ?? founded_by_business)!,
        ...given(input.data, 'steward', 'expires_at', 'display_name', 'contact'),
      };
    },
  },
  alliance_access_granted: {
    ...common,
    type: 'alliance.access_granted',
    on: Object.keys(GRANTED),
    objectId: 'grant_id',
    status: () => 'active',
    shape: z.object({ ...endedGrant, kind: text, from_business: id, filter: z.record(text, z.unknown()) }),
    example: example('AllianceGrantGiven', { ...GIVEN, filter: { postal_prefixes: ['20'] }, by: 0 }),
    data: (input) => ({ ...allianceOf(input), ...given(input.data, ...GRANT, 'filter') }),
  },
  alliance_access_ended: {
    ...common,
    type: 'alliance.access_ended',
    on: Object.keys(ENDED),
    objectId: 'grant_id',
    status: ({ event }) => ENDED[event.type],
    previousStatus: () => 'active',
    shape: z.object({ ...endedGrant, why: text }),
    example: example('AllianceGrantRevoked', { ...GIVEN, by: 0 }),
    data: (input) => ({
      ...allianceOf(input),
      ...given(input.data, ...GRANT),
      why: input.event.type === AllianceGrantRevoked.type ? 'revoked' : input.data['why']!,
    }),
  },
} as const satisfies Readonly<Record<string, Kind>>;
