/** Skills of a business, and the skills of its drivers. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import type { SkillCommand } from '../../../commands/skills/decider.js';
import { LANGUAGES } from '../../../events/core/languages.js';
import { driverSkillSchema, driverStream } from '../../../events/drivers/events.js';
import { SKILLS, type Skill } from '../../../events/skills/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { SkillQueries } from '../../../projections/skills/queries.js';
import { deletedSchema } from '../../core/deleted.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { createListWrite } from '../../core/write.js';
import { hasDriver } from '../drivers/workers.js';
import { DRIVER_VERSION } from '../drivers/versions.js';

const STAFF_CALLERS = ['client_admin', 'employee'] as const;
const WRITE = {
  area: 'Skills',
  callers: STAFF_CALLERS,
  scopes: ['drivers:write'],
  writes: true,
  risk: 'medium',
} as const;

export const skillCode = z
  .string()
  .regex(/^[a-z0-9_]{1,40}$/)
  .describe('Code that orders, vehicles and drivers refer to, for example `adr` or `tail_lift`.');
const names = z
  .partialRecord(z.enum(LANGUAGES), z.string().trim().min(1).max(100))
  .describe('Display names by language.');
const skillSchema = z
  .object({
    code: z.string(),
    names: z.record(z.string(), z.string()),
    needs_document: z
      .string()
      .nullable()
      .describe('Kind of document that a driver needs in addition to the skill. Null: no document is needed.'),
  })
  .meta({ id: 'Skill' });
export const driverSkillOutput = z.object(driverSkillSchema.shape).meta({ id: 'DriverSkill' });

export interface SkillsOptions {
  readonly handle: Handle<SkillCommand, Skill | undefined>;
  readonly drivers: Handle<DriverCommand, undefined>;
  readonly queries: SkillQueries;
  readonly accounts: Pick<AccountQueries, 'holder'>;
}

export function skillOperations({ handle, drivers, queries, accounts }: SkillsOptions): Operation[] {
  const write = createListWrite(handle, SKILLS);
  return [
    operation({
      name: 'skills',
      area: 'Skills',
      summary: 'List the skills of the business',
      description:
        'Drivers and vehicles can have skills, and orders can require them. Route planning assigns orders only to drivers and vehicles with the required skills.',
      rest: { method: 'get', path: '/v1/skills' },
      callers: STAFF_CALLERS,
      scopes: ['drivers:read'],
      reads: ['skills'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), skills: z.array(skillSchema) }),
      async run(_input, { caller }) {
        const found = await queries.of(businessOf(caller));
        return {
          result: true,
          skills: found.map(({ code, names, needs_document = null }) => ({ code, names, needs_document })),
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'skillSet',
      returns: { read: 'skills' },
      summary: 'Create or replace a skill',
      description:
        'If a skill with this code exists, it is replaced. To assign the skill to drivers, use `driverSkillsSet`.',
      rest: { method: 'put', path: '/v1/skills/:code' },
      awaits: ['skills'],
      answers: { 422: '`TOO_MANY_SKILLS`: the business has reached the maximum number of skills.' },
      input: z.object({
        code: skillCode,
        names: names.default({}),
        needs_document: z
          .string()
          .regex(/^[a-z0-9_]{1,40}$/)
          .optional()
          .describe('Kind of document that a driver needs in addition to the skill, for example `adr_card`.'),
      }),
      output: z.object({ result: z.boolean(), code: z.string() }),
      async run({ names, ...skill }, context) {
        const item = { ...skill, names: names as Record<string, string> };
        await write(context, { do: 'put', item });
        return { result: true, code: skill.code };
      },
    }),
    operation({
      ...WRITE,
      name: 'skillDelete',
      summary: 'Delete a skill',
      description: 'The skill is no longer valid for any driver.',
      rest: { method: 'delete', path: '/v1/skills/:code' },
      awaits: ['skills'],
      answers: { 404: 'The business has no such skill.' },
      input: z.object({ code: skillCode }),
      output: deletedSchema,
      async run({ code }, context) {
        await write(context, { do: 'remove', key: code });
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'driverSkillsSet',
      versioned: DRIVER_VERSION,
      returns: { read: 'driver' },
      summary: 'Replace the skills of a driver',
      description: 'Sets all skills of the driver. Skills that are omitted are removed.',
      rest: { method: 'put', path: '/v1/drivers/:driver_id/skills' },
      reads: ['skills'],
      awaits: ['workers'],
      answers: { 404: 'There is no such driver.', 422: '`UNKNOWN_SKILL`: the business has no such skill.' },
      input: z.object({
        driver_id: idSchema,
        skills: z
          .array(
            z
              .strictObject({
                code: skillCode,
                valid_until: z.iso
                  .date()
                  .optional()
                  .describe('Last date on which the skill is valid. Default: no end.'),
              })
              .meta({ id: 'DriverSkillInput' }),
          )
          .max(100),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ driver_id, skills }, { caller, commandId, cause, wrote }) {
        const business = businessOf(caller);
        if (!(await hasDriver(accounts, business, driver_id))) throw new ApiError('DRIVER_NOT_FOUND');
        const known = new Set((await queries.of(business)).map(({ code }) => code));
        const wrong = skills.map(({ code }) => code).filter((code) => !known.has(code));
        if (wrong.length > 0) throw fieldError('UNKNOWN_SKILL', 'skills', { codes: wrong.slice(0, 20).join(', ') });
        const uniqueSkills = [...new Map(skills.map((skill) => [skill.code, skill])).values()];
        const command = {
          do: 'setSkills' as const,
          commandId,
          userId: driver_id,
          business,
          by: userOf(caller).userId,
          skills: uniqueSkills,
        };
        wrote((await drivers(driverStream(driver_id), command, cause)).position);
        return { result: true };
      },
    }),
  ];
}
