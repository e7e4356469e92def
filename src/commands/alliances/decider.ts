/** Decides commands on an alliance: membership, and grants of data between members. */
import { accountSubject } from '../../events/accounts/events.js';
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
  grantTimer,
  invitationTimer,
  type GrantKind,
} from '../../events/alliances/events.js';
import type { Fact } from '../../events/core/codec.js';
import type { Expire } from '../../events/core/timers.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { concerning } from './concerning.js';
import { evolve, grantsEnd, initial, isGranted, isOpen, joinedOf, type AllianceState } from './state.js';

/** How a member introduces itself to the other members. */
export interface Introduction {
  readonly displayName: string;
  readonly contact?: string | undefined;
}

/** Free text that explains the command. */
interface Reasoned {
  readonly reason?: string | undefined;
}

export type AllianceChange =
  | ({ readonly do: 'found'; readonly name: string; readonly purpose: string } & Introduction)
  /** Inviting a member again with `steward` makes that member a steward. */
  | { readonly do: 'invite'; readonly member: number; readonly steward: boolean }
  | ({ readonly do: 'join' } & Introduction)
  | { readonly do: 'decline' }
  | ({ readonly do: 'leave' } & Reasoned)
  | { readonly do: 'dissolve' }
  /** Removes a member, or withdraws an open invitation. */
  | ({ readonly do: 'remove'; readonly member: number } & Reasoned)
  | {
      readonly do: 'grant';
      readonly kind: GrantKind;
      /** Undefined: every member. */
      readonly member: number | undefined;
      readonly filter: GrantFilter;
      readonly until: string | undefined;
    }
  | ({ readonly do: 'revoke'; readonly grantId: number } & Reasoned);

export type AllianceCommand = AllianceChange & {
  readonly commandId: string;
  readonly id: number;
  readonly business: number;
  readonly by: number;
  /** Time of the command, milliseconds since 1970. */
  readonly at: number;
};

export interface AllianceReply {
  /** Revision of the last event of the alliance after the command. */
  readonly revision: number;
  /** Id of the grant that the command created. */
  readonly grantId?: number;
}

export const MAX_MEMBERS = 50;
/** Maximum number of active grants. */
export const MAX_GRANTS = 500;
export const MAX_INVITATIONS_PER_DAY = 20;
export const INVITATION_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

export const alliances: Decider<AllianceState, AllianceCommand | Expire, AllianceReply> = {
  initial,
  begins: (command) => command.do === 'found',
  decide(state, command) {
    if (command.do === 'expire') return expired(state, command);
    const idOf = (index: number) => derivedId(ALLIANCE_PREFIX, command.id, command.commandId, index);
    const subject = accountSubject(command.by);
    const newEvents = state.done.has(idOf(0)) ? [] : decideEvents(state, command);
    const facts = concerning(state, newEvents, command.at).map(toFact);
    const grantId = facts.length > 0 ? state.grants.size + 1 : state.givenBy.get(idOf(0));
    return {
      facts,
      reply: { revision: state.events + facts.length - 1, ...(command.do === 'grant' && { grantId: grantId! }) },
    };

    function toFact(event: NewEvent, index: number): Fact {
      return { id: idOf(index), ...event, subject };
    }
  },
  evolve,
};

/** Records the end of grants and invitations whose time has passed. Grants that ended earlier are skipped. */
function expired(state: AllianceState, { commandId, name, now }: Expire) {
  const over = [
    ...[...state.grants]
      .filter(([id, grant]) => grantTimer(id) === name && grant.active && !isGranted(grant, now))
      .map(([grant_id]) => newEvent(AllianceGrantEnded, { grant_id, why: 'until' })),
    ...[...state.members]
      .filter(([id, member]) => invitationTimer(id) === name && !member.joined && !isOpen(member, now))
      .map(([business]) => newEvent(AllianceInvitationExpired, { business })),
  ];
  const id = derivedId(ALLIANCE_PREFIX, commandId);
  const facts = concerning(state, over, now).map((event): Fact => ({ id, ...event }));
  return { facts, reply: { revision: state.events + facts.length - 1 } };
}

function decideEvents(state: AllianceState, command: AllianceCommand): NewEvent[] {
  if (command.do === 'found') return founded(state, command);
  const { business, by, at } = command;
  const own = state.members.get(business);
  // For businesses that never joined or have left, the alliance does not exist.
  if (state.dissolved || !own || !(own.joined || isOpen(own, at))) throw new DomainError('ALLIANCE_NOT_FOUND');
  if (command.do === 'join' || command.do === 'decline') return answered(state, command);
  if (!own.joined) throw new DomainError('FORBIDDEN');
  switch (command.do) {
    case 'invite':
      return invited(state, command);
    case 'leave':
      return left(state, command);
    case 'remove':
      return removed(state, command);
    case 'dissolve':
      return dissolved(state, command);
    case 'grant':
      return granted(state, command);
    case 'revoke': {
      const grant = state.grants.get(command.grantId);
      // Only the business that gave a grant may revoke it. Other members get the same error as for a missing grant.
      if (grant?.from !== business) throw new DomainError('ALLIANCE_GRANT_NOT_FOUND');
      const { grantId: grant_id, reason } = command;
      return isGranted(grant, at) ? [newEvent(AllianceGrantRevoked, { grant_id, by, reason })] : [];
    }
  }
}

type CommandOf<Do extends AllianceCommand['do']> = Extract<AllianceCommand, { readonly do: Do }>;

function founded(
  { events }: AllianceState,
  { id, business, by, name, purpose, displayName, contact }: CommandOf<'found'>,
) {
  if (events > 0) throw new DomainError('CONFLICT');
  return [
    newEvent(AllianceFounded, { alliance_id: id, name, purpose, founded_by_business: business, by }),
    newEvent(AllianceMemberJoined, { business, steward: true, display_name: displayName, contact, by }),
  ];
}

function answered(state: AllianceState, command: CommandOf<'join'> | CommandOf<'decline'>): NewEvent[] {
  const { business, by } = command;
  const { joined, steward } = state.members.get(business)!;
  if (joined) {
    if (command.do === 'join') return [];
    throw new DomainError('CONFLICT');
  }
  if (command.do === 'decline') return [newEvent(AllianceInvitationDeclined, { business, by })];
  const { displayName: display_name, contact } = command;
  return [newEvent(AllianceMemberJoined, { business, steward, display_name, contact, by })];
}

function invited(state: AllianceState, { business, by, at, member, steward }: CommandOf<'invite'>): NewEvent[] {
  expectSteward(state, business);
  const known = state.members.get(member);
  if (known?.joined && steward && !known.steward)
    return [newEvent(AllianceStewardChanged, { business: member, steward, by_business: business, by })];
  if (known && (known.joined || isOpen(known, at))) return [];
  const currentMembers = [...state.members.values()].filter((one) => one.joined || isOpen(one, at));
  if (currentMembers.length >= MAX_MEMBERS) throw new DomainError('ALLIANCE_FULL');
  const latest = state.invitations.filter((expires) => expires > at + (INVITATION_DAYS - 1) * DAY_MS);
  if (latest.length >= MAX_INVITATIONS_PER_DAY) throw new DomainError('TOO_MANY_INVITATIONS');
  const expires_at = new Date(at + INVITATION_DAYS * DAY_MS).toISOString();
  return [newEvent(AllianceMemberInvited, { business: member, steward, by_business: business, by, expires_at })];
}

function left(state: AllianceState, { business, by, at, reason }: CommandOf<'leave'>): NewEvent[] {
  const others = joinedOf(state).filter(([id]) => id !== business);
  const gone = newEvent(AllianceMemberLeft, { business, by, reason });
  if (others.length === 0) return [gone, ...grantsEnd(state, at, 'dissolved'), ended(business, by)];
  if (!others.some(([, { steward }]) => steward)) throw new DomainError('ALLIANCE_NEEDS_STEWARD');
  return [gone, ...grantsEnd(state, at, 'member_gone', business)];
}

function removed(state: AllianceState, { business, by, at, member, reason }: CommandOf<'remove'>): NewEvent[] {
  expectSteward(state, business);
  const known = state.members.get(member);
  // A business cannot remove itself. It must use `leave`, which keeps a steward for the remaining members.
  if (!known || member === business) throw new DomainError('ALLIANCE_MEMBER_NOT_FOUND');
  if (known.joined)
    return [
      newEvent(AllianceMemberRemoved, { business: member, by_business: business, by, reason }),
      ...grantsEnd(state, at, 'member_gone', member),
    ];
  return isOpen(known, at)
    ? [newEvent(AllianceInvitationWithdrawn, { business: member, by_business: business, by })]
    : [];
}

/** Only the founder may dissolve the alliance. After the founder has left, any steward may. */
function dissolved(state: AllianceState, { business, by, at }: CommandOf<'dissolve'>): NewEvent[] {
  if (state.members.get(state.founder!)?.joined) {
    if (business !== state.founder) throw new DomainError('FORBIDDEN');
  } else expectSteward(state, business);
  return [...grantsEnd(state, at, 'dissolved'), ended(business, by)];
}

function granted(state: AllianceState, command: CommandOf<'grant'>): NewEvent[] {
  const { business, by, at, kind, member, filter, until } = command;
  if (member !== undefined && (member === business || !state.members.get(member)?.joined))
    throw new DomainError('ALLIANCE_MEMBER_NOT_FOUND');
  if ([...state.grants.values()].filter((grant) => isGranted(grant, at)).length >= MAX_GRANTS)
    throw new DomainError('ALLIANCE_FULL');
  const grant_id = state.grants.size + 1;
  return [
    newEvent(AllianceGrantGiven, { grant_id, from_business: business, to_business: member, kind, filter, until, by }),
  ];
}

const ended = (by_business: number, by: number): NewEvent => newEvent(AllianceDissolved, { by_business, by });

function expectSteward({ members }: AllianceState, business: number): void {
  if (!members.get(business)?.steward) throw new DomainError('FORBIDDEN');
}
