/** Write operations on alliances: membership, and the data that members share with each other. */
import { z } from 'zod';
import {
  MAX_MEMBERS,
  type AllianceCommand,
  type AllianceReply,
  type AllianceChange,
} from '../../../commands/alliances/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { allianceStream, GRANT_KINDS } from '../../../events/alliances/events.js';
import { businessCodeSchema } from '../../../events/businesses/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { AllianceAccess } from '../../../projections/alliances/access.js';
import type { AllianceQueries } from '../../../projections/alliances/queries.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import { ALLIANCE_IDS } from '../../../projections/alliances/read-model.js';
import { deleted } from '../../core/deleted.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { createFilterCheck, filterInput } from './filters.js';
import { ALLIANCE_VERSION } from './shapes.js';

const WRITE = {
  area: 'Alliance',
  callers: ['client_admin'],
  scopes: ['alliance:write'],
  awaits: ['alliances'],
  writes: true,
  risk: 'high',
  confirm: true,
} as const;
const NOT_FOUND = { 404: 'There is no such alliance, or the business does not belong to it.' };
const STEWARD_ANSWERS = { ...NOT_FOUND, 403: 'The business is not a steward of the alliance.' };
/** Maximum number of alliances of one business. */
const MAX_ALLIANCES = 100;
/** Commands that withdraw access. They take effect before the response is sent. */
const ACCESS_ENDING_CHANGES: ReadonlySet<AllianceChange['do']> = new Set(['leave', 'remove', 'dissolve', 'revoke']);

const memberInput = {
  display_name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Name that other members see. Default: the name of the business.'),
  contact: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Contact person or phone number for the other members.'),
};
const writeOutput = z.object({ result: z.boolean() });
const reasonInput = {
  reason: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe('Reason, for the audit trail of your business only. Erased together with the account of its author.'),
};
const allianceInput = { alliance_id: idSchema };

export interface AllianceWritingOptions {
  readonly handle: Handle<AllianceCommand, AllianceReply>;
  readonly queries: AllianceQueries;
  readonly access: Pick<AllianceAccess, 'raiseFloor'>;
  readonly accounts: Pick<AccountQueries, 'businessByCode'>;
  readonly datasets: Pick<DatasetQueries, 'byId'>;
}

export function allianceWriting({ handle, queries, access, ...others }: AllianceWritingOptions): Operation[] {
  const { accounts, datasets } = others;
  const checkFilter = createFilterCheck(datasets);

  async function send(id: number, { caller, commandId, cause, time, wrote }: Context, change: AllianceChange) {
    const command = { ...change, commandId, id, business: businessOf(caller), by: userOf(caller).userId, at: time };
    const { position, reply } = await handle(allianceStream(id), command, cause);
    // After the append, so that a failed append withdraws no access. Before the response, so that the response is true.
    if (ACCESS_ENDING_CHANGES.has(change.do) && !cause.dryRun) await access.raiseFloor(id, reply.revision);
    wrote(position);
    return { result: true, alliance_id: id, ...(reply.grantId !== undefined && { grant_id: reply.grantId }) };
  }

  async function memberDetails(
    { caller }: Context,
    { display_name, contact }: { readonly display_name?: string | undefined; readonly contact?: string | undefined },
  ) {
    const business = businessOf(caller);
    const memberName = display_name ?? (await queries.businesses([business])).get(business)?.name;
    return { displayName: memberName ?? String(business), contact };
  }

  async function expectBelowLimit({ caller }: Context): Promise<void> {
    if ((await queries.countJoined(businessOf(caller))) >= MAX_ALLIANCES) throw new ApiError('ALLIANCE_FULL');
  }

  return [
    operation({
      ...WRITE,
      name: 'allianceCreate',
      returns: { read: 'alliance' },
      summary: 'Create an alliance',
      description: 'Your business becomes the first member and a steward, who may invite and remove members.',
      rest: { method: 'post', path: '/v1/alliances', status: 201 },
      answers: { 409: `The business already belongs to ${MAX_ALLIANCES} alliances (\`ALLIANCE_FULL\`).` },
      input: z.object({
        name: z.string().trim().min(1).max(100),
        purpose: z.string().trim().max(500).default(''),
        ...memberInput,
      }),
      output: writeOutput,
      async run({ name, purpose, ...memberFields }, context) {
        await expectBelowLimit(context);
        const [id] = await context.reserveIds(ALLIANCE_IDS, 1);
        return send(id!, context, { do: 'found', name, purpose, ...(await memberDetails(context, memberFields)) });
      },
    }),
    operation({
      ...WRITE,
      name: 'allianceInvite',
      versioned: ALLIANCE_VERSION,
      returns: { read: 'alliance' },
      summary: 'Invite a business to an alliance by its code',
      description:
        'The invitation expires after 30 days. A repeated call changes nothing while the invitation is open. To make a member a steward, invite it again with the role `steward`.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/invitations' },
      answers: {
        ...STEWARD_ANSWERS,
        404: 'There is no such alliance, or no business with this code.',
        409: `The alliance already has ${MAX_MEMBERS} members and invitations (\`ALLIANCE_FULL\`).`,
        429: 'The alliance has sent 20 invitations within a day (`TOO_MANY_INVITATIONS`).',
      },
      input: z.object({
        ...allianceInput,
        business_code: businessCodeSchema,
        role: z.enum(['member', 'steward']).default('member'),
      }),
      output: writeOutput,
      async run({ alliance_id, business_code, role }, context) {
        const found = await accounts.businessByCode(business_code);
        // A caller who may not invite learns nothing about which businesses exist.
        if (!found && (await queries.byId(alliance_id, businessOf(context.caller))))
          throw new ApiError('BUSINESS_NOT_FOUND');
        if (!found) throw new ApiError('ALLIANCE_NOT_FOUND');
        return send(alliance_id, context, { do: 'invite', member: found.id, steward: role === 'steward' });
      },
    }),
    operation({
      ...WRITE,
      name: 'allianceAnswer',
      returns: { read: 'alliance', mayBeHidden: true },
      summary: 'Accept or decline an invitation to an alliance',
      description: 'If you accept, your business becomes a member; the other members see `display_name` and `contact`.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/invitations/answer' },
      answers: { ...NOT_FOUND, 409: `The business already belongs to ${MAX_ALLIANCES} alliances (\`ALLIANCE_FULL\`).` },
      input: z.object({ ...allianceInput, accept: z.boolean(), ...memberInput }),
      output: writeOutput,
      async run({ alliance_id, accept, ...memberFields }, context) {
        if (!accept) return send(alliance_id, context, { do: 'decline' });
        await expectBelowLimit(context);
        return send(alliance_id, context, { do: 'join', ...(await memberDetails(context, memberFields)) });
      },
    }),
    operation({
      ...WRITE,
      name: 'allianceLeave',
      summary: 'Leave an alliance and end the grants of your business',
      description:
        'The call also ends the grants that only your business receives. If no other member remains, the alliance is dissolved.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/leave' },
      answers: { ...NOT_FOUND, 409: 'Make another member a steward first (`ALLIANCE_NEEDS_STEWARD`).' },
      input: z.object({ ...allianceInput, ...reasonInput }),
      output: writeOutput,
      run: ({ alliance_id, reason }, context) => deleted(send(alliance_id, context, { do: 'leave', reason })),
    }),
    operation({
      ...WRITE,
      name: 'allianceMemberRemove',
      versioned: ALLIANCE_VERSION,
      returns: { read: 'alliance' },
      summary: 'Remove a member or withdraw an invitation',
      description: 'The call also ends the grants that the member gave, and the grants that only this member receives.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/members/:business_id/remove' },
      answers: {
        ...STEWARD_ANSWERS,
        404: 'There is no such alliance, or no such member or invitation. Your own business cannot be removed.',
      },
      input: z.object({ ...allianceInput, business_id: idSchema, ...reasonInput }),
      output: writeOutput,
      run: ({ alliance_id, business_id, reason }, context) =>
        send(alliance_id, context, { do: 'remove', member: business_id, reason }),
    }),
    operation({
      ...WRITE,
      name: 'allianceDissolve',
      versioned: ALLIANCE_VERSION,
      summary: 'Dissolve an alliance and end all its grants',
      description: 'Only the founder may dissolve an alliance. If the founder has left, any steward may.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/dissolve' },
      answers: { ...NOT_FOUND, 403: 'The business is neither the founder nor, after the founder has left, a steward.' },
      input: z.object(allianceInput),
      output: writeOutput,
      run: ({ alliance_id }, context) => deleted(send(alliance_id, context, { do: 'dissolve' })),
    }),
    operation({
      ...WRITE,
      name: 'allianceGrantCreate',
      returns: { read: 'allianceGrant' },
      summary: 'Grant one member or all members access to data',
      description:
        'Gives read access to data of your business. `tracking`: public timelines of its parcels. `tracking_full`: timelines with recipient, delivery address and proofs. `orders`: orders without personal data, notes, customers and partners. `network`: points of interest with visibility `alliance` or `public`, and warehouses (name, area, hours). `datasets`: the datasets in the filter, without personal columns. To read the data, members pass the `business_id` of your business.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/grants', status: 201 },
      reads: ['datasets'],
      answers: {
        404: `${NOT_FOUND[404]} The same response is returned if the business has no such dataset.`,
        409: 'The alliance already has 500 active grants.',
      },
      input: z.object({
        ...allianceInput,
        kind: z.enum(GRANT_KINDS),
        to_business_id: idSchema
          .optional()
          .describe('Member that receives access. Default: all members, including future members.'),
        filter: filterInput,
        expires_at: z.iso
          .datetime({ offset: true })
          .optional()
          .describe('Time at which access ends (RFC 3339). Default: no end.'),
      }),
      output: writeOutput,
      async run({ alliance_id, kind, to_business_id: to_business, filter, expires_at: until }, context) {
        const checkedFilter = await checkFilter(kind, filter, businessOf(context.caller));
        const expiry = until === undefined ? undefined : new Date(until);
        if (expiry && expiry.getTime() <= context.time) throw invalidForm('expires_at', 'a time in the future');
        const grantFields = { kind, member: to_business, filter: checkedFilter, until: expiry?.toISOString() };
        return send(alliance_id, context, { do: 'grant', ...grantFields });
      },
    }),
    operation({
      ...WRITE,
      name: 'allianceRevoke',
      returns: { read: 'allianceGrant', mayBeHidden: true },
      summary: 'Revoke a grant with immediate effect',
      description: 'Access through the grant ends before the service sends the response.',
      rest: { method: 'post', path: '/v1/alliances/:alliance_id/grants/:grant_id/revoke' },
      answers: { 404: 'There is no such alliance, or your business gave no such grant.' },
      input: z.object({ ...allianceInput, grant_id: idSchema, ...reasonInput }),
      output: writeOutput,
      run: ({ alliance_id, grant_id, reason }, context) =>
        send(alliance_id, context, { do: 'revoke', grantId: grant_id, reason }),
    }),
  ];
}
