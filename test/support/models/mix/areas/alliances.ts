/** Random commands to alliances: members, invitations and grants, with their deadlines. */
import { alliances, type AllianceChange } from '../../../../../src/commands/alliances/decider.js';
import {
  allianceStream,
  GRANT_KINDS,
  grantFilterSchema,
  grantTimer,
  invitationTimer,
} from '../../../../../src/events/alliances/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

/** Members of alliances; the first business founds them. */
const MEMBERS = [900_001, 900_002, 900_003];
const [FOUNDER] = MEMBERS as [number];

const send = (tools: Tools, id: number, business: number, body: AllianceChange) =>
  tools.send(alliances, allianceStream(id), { ...body, id, business, by: 1, at: tools.now });
const asAny = (tools: Tools, pick: Pick, body: AllianceChange) =>
  send(tools, tools.existing(pick), pick.one(...MEMBERS), body);
/** The founder has most permissions, so its commands are rejected least often. */
const asFounder = (tools: Tools, pick: Pick, body: AllianceChange) => send(tools, tools.existing(pick), FOUNDER, body);
const named = (pick: Pick) => ({ displayName: `Member ${pick.of(9)}`, contact: pick.one(undefined, 'office') });
const other = (pick: Pick): number => pick.one(...MEMBERS.slice(1));

/** A grant to all members, or to one business that may not be a member yet. */
const grantOf = (tools: Tools, pick: Pick) => ({
  do: 'grant' as const,
  kind: pick.one(...GRANT_KINDS),
  member: pick.of(4) === 1 ? other(pick) : undefined,
  filter: pick.like(grantFilterSchema),
  until: pick.one(undefined, tools.at(1)),
});

export const MIX = generator({
  found: (tools, pick) =>
    rarely(pick, 2, () =>
      send(tools, tools.fresh(), FOUNDER, {
        do: 'found',
        name: `Alliance ${pick.of(9)}`,
        purpose: 'to deliver',
        ...named(pick),
      }),
    ),
  invite: (tools, pick) => asFounder(tools, pick, { do: 'invite', member: other(pick), steward: pick.flag() }),
  inviteAgain: (tools, pick) => asAny(tools, pick, { do: 'invite', member: other(pick), steward: true }),
  join: (tools, pick) => asAny(tools, pick, { do: 'join', ...named(pick) }),
  joinSoon: (tools, pick) => send(tools, tools.existing(pick), other(pick), { do: 'join', ...named(pick) }),
  decline: async (tools, pick) => {
    const [id, member] = [tools.existing(pick), other(pick)];
    await send(tools, id, FOUNDER, { do: 'invite', member, steward: false });
    return send(tools, id, member, { do: 'decline' });
  },
  leave: (tools, pick) => rarely(pick, 2, () => asAny(tools, pick, { do: 'leave', reason: 'over' })),
  remove: (tools, pick) => rarely(pick, 2, () => asFounder(tools, pick, { do: 'remove', member: other(pick) })),
  grant: (tools, pick) => asAny(tools, pick, grantOf(tools, pick)),
  revoke: async (tools, pick) => {
    const id = tools.existing(pick);
    const { reply } = await send(tools, id, FOUNDER, grantOf(tools, pick));
    return send(tools, id, FOUNDER, { do: 'revoke', grantId: reply.grantId!, reason: 'over' });
  },
  expireGrant: async (tools, pick) => {
    const id = tools.existing(pick);
    const until = tools.at(1);
    const { reply } = await send(tools, id, FOUNDER, { ...grantOf(tools, pick), until });
    return tools.expire(alliances, allianceStream(id), grantTimer(reply.grantId!), 2);
  },
  // An invitation expires after a month, which is longer than any mix.
  expireInvitation: (tools, pick) =>
    tools.expire(alliances, allianceStream(tools.existing(pick)), invitationTimer(other(pick)), 24 * 31),
  dissolve: (tools, pick) => rarely(pick, 3, () => asFounder(tools, pick, { do: 'dissolve' })),
});
