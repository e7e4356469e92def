/** Commands that the decider of alliances rejects: limits, times and permissions. */
import { expect } from 'chai';
import {
  alliances,
  INVITATION_DAYS,
  MAX_GRANTS,
  MAX_INVITATIONS_PER_DAY,
  MAX_MEMBERS,
  type AllianceCommand,
  type AllianceReply,
  type AllianceChange,
} from '../../../src/commands/alliances/decider.js';
import type { AllianceState } from '../../../src/commands/alliances/state.js';
import type { Expire } from '../../../src/events/core/timers.js';
import { given } from '../../support/checks/given.js';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const DAY = 24 * 3_600_000;
let commands = 0;

const command = (business: number, body: AllianceChange, at = NOW): AllianceCommand => ({
  ...body,
  commandId: `command ${(commands += 1)}`,
  id: 7,
  business,
  by: business * 10,
  at,
});
const found = () => command(1, { do: 'found', name: 'North', purpose: '', displayName: 'One' });
const invite = (member: number, at = NOW, steward = false) => command(1, { do: 'invite', member, steward }, at);
const join = (business: number, at = NOW) => command(business, { do: 'join', displayName: String(business) }, at);
const grant = (business: number, member?: number) =>
  command(business, { do: 'grant', kind: 'orders', member, filter: {}, until: undefined });
const revoke = (business: number, grantId: number) => command(business, { do: 'revoke', grantId });
const allied = () => [found(), invite(2), join(2)];

describe('decider of alliances', () => {
  it('accepts a response to an invitation for 30 days, and allows another invitation after that', () => {
    const invited = given(alliances, found(), invite(2));
    const end = NOW + INVITATION_DAYS * DAY;
    expect(invited.when(join(2, end - 1)).types).to.deep.equal(['AllianceMemberJoined']);
    expect(() => invited.when(join(2, end))).to.throw('ALLIANCE_NOT_FOUND');
    expect(invited.when(invite(2, end - 1)).types).to.deep.equal([]);
    expect(invited.when(invite(2, end)).types).to.deep.equal(['AllianceMemberInvited']);
  });

  it('makes a member a steward once, when a steward invites it again as one', () => {
    const both = given(alliances, ...allied());
    expect(both.when(invite(2, NOW, true)).types).to.deep.equal(['AllianceStewardChanged']);
    expect(both.when(invite(2)).types).to.deep.equal([]);
    expect(() => both.when(command(2, { do: 'invite', member: 1, steward: true }))).to.throw('FORBIDDEN');
    const after = given(alliances, ...allied(), invite(2, NOW, true));
    expect(after.when(invite(2, NOW, true)).types, 'is one').to.deep.equal([]);
    expect(after.when(command(1, { do: 'leave' })).types, 'another one stays').to.deep.equal(['AllianceMemberLeft']);
  });

  it('enforces its limits', () => {
    const onDay = (day: number, count: number, from: number) =>
      Array.from({ length: count }, (_, index) => invite(from + index, NOW + day * DAY));
    const busy = given(alliances, found(), ...onDay(0, MAX_INVITATIONS_PER_DAY, 100));
    expect(() => busy.when(invite(2, NOW + DAY - 1))).to.throw('TOO_MANY_INVITATIONS');
    expect(busy.when(invite(2, NOW + DAY)).types).to.have.length(1);
    const full = given(
      alliances,
      found(),
      ...onDay(0, 20, 100),
      ...onDay(1, 20, 200),
      ...onDay(2, MAX_MEMBERS - 41, 300),
    );
    expect(() => full.when(invite(2, NOW + 3 * DAY))).to.throw('ALLIANCE_FULL');
    const generous = given(alliances, ...allied(), ...Array.from({ length: MAX_GRANTS }, () => grant(1)));
    expect(() => generous.when(grant(2))).to.throw('ALLIANCE_FULL');
    expect(generous.when(revoke(1, 3)).then.when(grant(2)).reply.grantId).to.equal(MAX_GRANTS + 1);
  });

  it('returns the same response for a retry, with the revision up to which it holds', () => {
    const first = grant(1, 2);
    const { reply, then } = given(alliances, ...allied()).when(first);
    expect(reply).to.deep.equal({ revision: 4, grantId: 1 });
    const more = then.when(grant(1, 2)).then;
    expect(more.when(first)).to.deep.include({ types: [], reply: { revision: 5, grantId: 1 } });
    const taken = revoke(1, 1);
    const revoked = more.when(taken);
    expect(revoked).to.deep.include({ types: ['AllianceGrantRevoked'], reply: { revision: 6 } });
    expect(revoked.then.when(taken)).to.deep.include({ types: [], reply: { revision: 6 } });
    expect(revoked.then.when(revoke(1, 1))).to.deep.include({ types: [], reply: { revision: 6 } });
  });

  it('ends everything that belongs to a member in one append, and nothing else', () => {
    const past = given(alliances, ...allied(), invite(3), join(3), grant(1, 2), grant(2), grant(1), grant(1, 3));
    const { facts } = past.when(command(1, { do: 'remove', member: 2 }));
    expect(facts.map(({ type, data }) => [type, (data as { grant_id?: number }).grant_id])).to.deep.equal([
      ['AllianceMemberRemoved', undefined],
      ['AllianceGrantEnded', 1],
      ['AllianceGrantEnded', 2],
    ]);
  });

  it('rejects responses and revocations for another business, and grants to non-members', () => {
    const past = given(alliances, ...allied(), grant(1, 2), invite(3));
    expect(() => past.when(revoke(2, 1))).to.throw('ALLIANCE_GRANT_NOT_FOUND');
    for (const member of [3, 4, 1]) expect(() => past.when(grant(1, member))).to.throw('ALLIANCE_MEMBER_NOT_FOUND');
    expect(() => past.when(grant(3))).to.throw('FORBIDDEN');
    expect(() => past.when(grant(4))).to.throw('ALLIANCE_NOT_FOUND');
    expect(() => past.when(command(2, { do: 'invite', member: 5, steward: false }))).to.throw('FORBIDDEN');
  });

  it('is dissolved by its founder, by a steward after the founder left, and with its last member', () => {
    const two = given(alliances, found(), invite(2, NOW, true), join(2));
    const dissolve = (business: number) => command(business, { do: 'dissolve' });
    expect(() => two.when(dissolve(2))).to.throw('FORBIDDEN');
    expect(two.when(dissolve(1)).types).to.deep.equal(['AllianceDissolved']);
    const one = two.when(command(1, { do: 'leave' })).then;
    expect(one.when(dissolve(2)).types).to.deep.equal(['AllianceDissolved']);
    const afterLeave = one.when(command(2, { do: 'leave' }));
    expect(afterLeave.types).to.deep.equal(['AllianceMemberLeft', 'AllianceDissolved']);
    expect(() => afterLeave.then.when(invite(5))).to.throw('ALLIANCE_NOT_FOUND');
  });

  it('names the businesses of each event: members and the target; for a grant, its giver and takers', () => {
    const concerns = ({ facts }: { facts: readonly { type: string; data: unknown }[] }) =>
      facts.map(({ type, data }) => [type, (data as { concerns?: number[] }).concerns]);
    expect(concerns(given(alliances).when(found()))).to.deep.equal([
      ['AllianceFounded', [1]],
      ['AllianceMemberJoined', [1]],
    ]);
    const pastCommands = [...allied(), invite(3), join(3), invite(4), grant(1, 2), grant(2)];
    const past = given<AllianceState, AllianceCommand | Expire, AllianceReply>(alliances, ...pastCommands);
    expect(concerns(past.when(grant(1, 3)))).to.deep.equal([['AllianceGrantGiven', [1, 3]]]);
    expect(concerns(past.when(grant(3)))).to.deep.equal([['AllianceGrantGiven', [3, 1, 2]]]);
    expect(concerns(past.when(revoke(1, 1)))).to.deep.equal([['AllianceGrantRevoked', [1, 2]]]);
    expect(concerns(past.when(command(1, { do: 'remove', member: 2 })))).to.deep.equal([
      ['AllianceMemberRemoved', [1, 2, 3]],
      ['AllianceGrantEnded', [1, 2]],
      ['AllianceGrantEnded', [2, 1, 3]],
    ]);
    expect(concerns(past.when(command(1, { do: 'dissolve' }))).at(-1)).to.deep.equal([
      'AllianceDissolved',
      [1, 2, 3, 4],
    ]);
    expect(concerns(past.when(command(1, { do: 'remove', member: 4 })))).to.deep.equal([
      ['AllianceInvitationWithdrawn', [1, 2, 3, 4]],
    ]);
    const due = { stream: 'alliance-7', name: 'invitation-4', at: NOW + INVITATION_DAYS * DAY };
    const expired = { ...due, do: 'expire', commandId: 'e', now: due.at } as const;
    expect(concerns(past.when(expired))).to.deep.equal([['AllianceInvitationExpired', [1, 2, 3, 4]]]);
  });

  it('records the content of a grant with its end', () => {
    const until = new Date(NOW + DAY).toISOString();
    const limited = command(1, { do: 'grant', kind: 'tracking', member: 2, filter: {}, until });
    const { facts } = given(alliances, ...allied(), limited).when(revoke(1, 1));
    expect(facts[0]!.data).to.deep.include({ from_business: 1, to_business: 2, kind: 'tracking', until });
  });
});
