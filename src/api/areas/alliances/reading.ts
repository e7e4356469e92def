/** Read operations on alliances: alliances, their members and grants, and the businesses with readable data. */
import { z } from 'zod';
import { GRANT_KINDS } from '../../../events/alliances/events.js';
import type { AllianceAccess, OpenGrant } from '../../../projections/alliances/access.js';
import type { AllianceQueries } from '../../../projections/alliances/queries.js';
import type { AllianceRow } from '../../../projections/alliances/read-model.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { pageOfRows } from '../../../projections/core/page-of-rows.js';
import type { Parts } from '../../core/parts.js';
import {
  ALLIANCE_VERSION,
  allianceSchema,
  filterSchema,
  grantSchema,
  visibleGrants,
  hasJoined,
  memberSchema,
  toAlliance,
  toFilter,
  toMember,
} from './shapes.js';

const READ = {
  area: 'Alliance',
  callers: ['client_admin', 'employee', 'auditor'],
  scopes: ['alliance:read'],
  reads: ['alliances'],
} as const;
const NOT_FOUND = { 404: 'There is no such alliance, or the business does not belong to it.' };

const clientSchema = z
  .object({
    business_id: z.int().describe('Id to pass as `business_id` in reads through the grants of this business.'),
    code: z.string(),
    display_name: z.string(),
    alliance_ids: z.array(z.int()),
    kinds: z.array(z.enum(GRANT_KINDS)),
    grants: z.array(
      z
        .object({
          id: z.int(),
          alliance_id: z.int(),
          kind: z.enum(GRANT_KINDS),
          filter: filterSchema,
          expires_at: z.string().nullable(),
        })
        .meta({ id: 'AccessibleGrant' }),
    ),
  })
  .meta({ id: 'AccessibleClient' });

export function allianceReading({
  queries,
  access,
  now,
}: Parts<'now'> & { queries: AllianceQueries; access: AllianceAccess }): Operation[] {
  const nowIso = (): string => new Date(now()).toISOString();

  async function expectAlliance(id: number, caller: Caller): Promise<AllianceRow> {
    const found = await queries.byId(id, businessOf(caller));
    if (!found) throw new ApiError('ALLIANCE_NOT_FOUND');
    return found;
  }

  return [
    operation({
      ...READ,
      name: 'accessibleClients',
      summary: 'List other businesses with data that you can read',
      description:
        'To read the data of such a business, pass its `business_id` to the reads of orders, trackings, places or datasets.',
      rest: { method: 'get', path: '/v1/alliances/accessible-clients' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, clients: z.array(clientSchema) }),
      async run(page, { caller }) {
        const grantsByBusiness = new Map<number, OpenGrant[]>();
        for (const grant of await access.openTo(businessOf(caller)))
          grantsByBusiness.set(grant.from_business, [...(grantsByBusiness.get(grant.from_business) ?? []), grant]);
        const { rows: pageRows, ...found } = pageOfRows([...grantsByBusiness], rangeOf(page), ([id]) => id);
        const names = await queries.businesses(pageRows.map(([id]) => id));
        return {
          ...pageOf(page, found),
          clients: pageRows.map(([business_id, grants]) => ({
            business_id,
            code: names.get(business_id)?.code ?? '',
            display_name: names.get(business_id)?.name ?? '',
            alliance_ids: [...new Set(grants.map(({ alliance_id }) => alliance_id))],
            kinds: [...new Set(grants.map(({ kind }) => kind))],
            grants: grants.map((grant) => ({
              id: grant.grant_id,
              alliance_id: grant.alliance_id,
              kind: grant.kind,
              filter: toFilter(grant),
              expires_at: grant.until ?? null,
            })),
          })),
        };
      },
    }),
    operation({
      ...READ,
      name: 'alliances',
      summary: 'List alliances and invitations of your business',
      rest: { method: 'get', path: '/v1/alliances' },
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, alliances: z.array(allianceSchema) }),
      async run(page, { caller }) {
        const business = businessOf(caller);
        const { rows, ...found } = await queries.list(rangeOf(page), business);
        return { ...pageOf(page, found), alliances: rows.map((row) => toAlliance(row, business, nowIso())) };
      },
    }),
    operation({
      ...READ,
      name: 'alliance',
      versioned: ALLIANCE_VERSION,
      summary: 'Get an alliance and its active grants from or to you',
      rest: { method: 'get', path: '/v1/alliances/:alliance_id' },
      answers: NOT_FOUND,
      input: z.object({ alliance_id: idSchema }),
      output: z.object({ result: z.boolean(), alliance: allianceSchema }),
      async run({ alliance_id }, { caller }) {
        const row = await expectAlliance(alliance_id, caller);
        const business = businessOf(caller);
        const active = visibleGrants(row, business, nowIso()).filter(({ grant }) => grant.status === 'active');
        const all = row.grants.filter(({ until }) => until === undefined || until > nowIso());
        const grants = active.slice(0, 200).map(({ grant }) => grant);
        const alliance = toAlliance(row, business, nowIso());
        return { result: true, alliance: { ...alliance, grants, other_grant_count: all.length - active.length } };
      },
    }),
    operation({
      ...READ,
      name: 'allianceMembers',
      summary: 'List members and invited businesses of an alliance',
      rest: { method: 'get', path: '/v1/alliances/:alliance_id/members' },
      answers: NOT_FOUND,
      input: z.object({ alliance_id: idSchema, ...pageInput }),
      output: z.object({ ...pageOutput, members: z.array(memberSchema) }),
      async run({ alliance_id, ...page }, { caller }) {
        const row = await expectAlliance(alliance_id, caller);
        const members = await queries.membersOf(row);
        const { rows: pageRows, ...found } = pageOfRows(members, rangeOf(page), ({ business_id }) => business_id);
        const names = await queries.businesses(pageRows.map(({ business_id }) => business_id));
        const withContact = hasJoined(row, businessOf(caller));
        return {
          ...pageOf(page, found),
          members: pageRows.map((member) => toMember(member, names.get(member.business_id), withContact)),
        };
      },
    }),
    operation({
      ...READ,
      name: 'allianceGrants',
      summary: 'List grants of an alliance, newest first',
      description: 'Returns only grants from or to your business, including revoked and ended grants.',
      rest: { method: 'get', path: '/v1/alliances/:alliance_id/grants' },
      answers: NOT_FOUND,
      input: z.object({ alliance_id: idSchema, ...pageInput }),
      output: z.object({ ...pageOutput, grants: z.array(grantSchema) }),
      async run({ alliance_id, ...page }, { caller }) {
        const grants = visibleGrants(await expectAlliance(alliance_id, caller), businessOf(caller), nowIso());
        const { rows, ...found } = pageOfRows(grants, rangeOf(page), ({ grant }) => grant.id);
        return { ...pageOf(page, found), grants: rows.map(({ grant }) => grant) };
      },
    }),
    operation({
      ...READ,
      name: 'allianceGrant',
      summary: 'Get a grant of an alliance',
      rest: { method: 'get', path: '/v1/alliances/:alliance_id/grants/:grant_id' },
      answers: { 404: 'There is no such alliance, or no such grant from or to your business.' },
      input: z.object({ alliance_id: idSchema, grant_id: idSchema }),
      output: z.object({ result: z.boolean(), grant: grantSchema }),
      async run({ alliance_id, grant_id }, { caller }) {
        const grants = visibleGrants(await expectAlliance(alliance_id, caller), businessOf(caller), nowIso());
        const found = grants.find(({ grant }) => grant.id === grant_id);
        if (!found) throw new ApiError('ALLIANCE_GRANT_NOT_FOUND');
        return { result: true, grant: found.grant };
      },
    }),
    operation({
      ...READ,
      name: 'allianceUses',
      summary: 'List reads by partners through grants of your business',
      description:
        'Shows which partner read which data, and when. The list remains available after your business has left the alliance.',
      rest: { method: 'get', path: '/v1/alliances/:alliance_id/uses' },
      callers: ['client_admin', 'auditor'],
      answers: NOT_FOUND,
      input: z.object({ alliance_id: idSchema, ...pageInput }),
      output: z.object({
        ...pageOutput,
        uses: z.array(
          z
            .object({
              grant_id: z.int(),
              business_id: z.int().describe('Id of the business that read the data.'),
              user_id: z.int(),
              operation: z.string(),
              subject: z
                .string()
                .describe(
                  'Tracking number, or id of the order, place or dataset (`<dataset>/<record>` for a record). Empty if the partner read a list.',
                ),
              used_at: z.string().describe('Time of the read, to the minute.'),
            })
            .meta({ id: 'AllianceUse' }),
        ),
      }),
      async run({ alliance_id, ...page }, { caller }) {
        // Selected by the business that gave the grant, not by membership: a business that left still sees these reads.
        const { rows, ...found } = await queries.uses(rangeOf(page), alliance_id, businessOf(caller));
        if (found.total === 0) await expectAlliance(alliance_id, caller);
        return {
          ...pageOf(page, found),
          uses: rows.map(({ used_at, at: _at, by_business: business_id, ...use }) => ({
            ...use,
            business_id,
            used_at: used_at.toISOString(),
          })),
        };
      },
    }),
  ];
}
