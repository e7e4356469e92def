/** Businesses and their modules, managed by platform admins. */
import { BUSINESS_IDS } from '../../../projections/businesses/read-model.js';
import { z } from 'zod';
import type { BusinessCommand } from '../../../commands/businesses/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { businessCodeSchema, businessStream, MODULES, timezoneSchema } from '../../../events/businesses/events.js';
import { explainedError, fieldError } from '../../core/errors.js';
import type { BusinessRow } from '../../../projections/businesses/read-model.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { Parts } from '../../core/parts.js';
import { versionBy, versionSchema } from '../../core/versions.js';

export interface BusinessesOptions extends Parts<'accounts'> {
  readonly handle: Handle<BusinessCommand, undefined>;
}

const businessSchema = z
  .object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    timezone: z.string(),
    modules: z.array(z.string()),
    version: versionSchema,
  })
  .meta({ id: 'Business' });

/** Settings for approvals and orders are in the same stream, and raise the version, too. */
const BUSINESS_VERSION = versionBy('business_id', businessStream);

const toBusiness = ({ id, code, name, timezone, modules, revision }: BusinessRow): z.infer<typeof businessSchema> => ({
  id,
  code,
  name,
  timezone,
  modules: [...modules].sort(),
  version: revision,
});

export function businesses({ handle, accounts }: BusinessesOptions): Operation[] {
  return [
    operation({
      name: 'businessCreate',
      returns: { read: 'business' },
      area: 'Platform',
      summary: 'Register a business',
      description: 'Creates a tenant of the platform. The code must be unique (`CONFLICT`).',
      rest: { method: 'post', path: '/v1/businesses', status: 201 },
      callers: ['platform_admin'],
      scopes: ['platform:write'],
      risk: 'high',
      writes: true,
      awaits: ['businesses'],
      input: z.object({
        code: businessCodeSchema,
        name: z.string().trim().min(1).max(200),
        timezone: timezoneSchema.default('UTC'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ code, name, timezone }, { cause, commandId, reserveIds, wrote }) {
        const [id] = await reserveIds(BUSINESS_IDS, 1);
        const existing = await accounts.businessByCode(code);
        if (existing && existing.id !== id) throw explainedError('CONFLICT', 'BUSINESS_CODE_TAKEN', 'code');
        wrote(
          (await handle(businessStream(id!), { do: 'register', commandId, id: id!, code, name, timezone }, cause))
            .position,
        );
        return { result: true, business_id: id! };
      },
    }),
    operation({
      name: 'businesses',
      area: 'Platform',
      summary: 'List businesses',
      rest: { method: 'get', path: '/v1/businesses' },
      callers: ['platform_admin'],
      scopes: ['platform:write'],
      reads: ['businesses'],
      input: z.object(pageInput),
      output: z.object({ ...pageOutput, businesses: z.array(businessSchema) }),
      async run(page) {
        const { businesses: found, ...listed } = await accounts.businesses(rangeOf(page));
        return { ...pageOf(page, listed), businesses: found.map(toBusiness) };
      },
    }),
    operation({
      name: 'business',
      versioned: BUSINESS_VERSION,
      area: 'Platform',
      summary: 'Get a business',
      rest: { method: 'get', path: '/v1/businesses/:business_id' },
      callers: ['platform_admin'],
      scopes: ['platform:write'],
      reads: ['businesses'],
      answers: { 404: 'There is no such business.' },
      input: z.object({ business_id: idSchema }),
      output: z.object({ result: z.boolean(), business: businessSchema }),
      async run({ business_id }) {
        const found = await accounts.business(business_id);
        if (!found) throw fieldError('NOT_FOUND', 'business_id');
        return { result: true, business: toBusiness(found) };
      },
    }),
    operation({
      name: 'businessModuleSet',
      versioned: BUSINESS_VERSION,
      returns: { read: 'business' },
      area: 'Platform',
      summary: 'Enable or disable a module for a business',
      description: 'Users of a business cannot call operations of a disabled module (403).',
      rest: { method: 'put', path: '/v1/businesses/:business_id/modules/:module' },
      callers: ['platform_admin'],
      scopes: ['platform:write'],
      risk: 'high',
      writes: true,
      awaits: ['businesses'],
      input: z.object({ business_id: idSchema, module: z.enum(MODULES), enabled: z.boolean() }),
      output: z.object({ result: z.boolean() }),
      async run({ business_id, module, enabled }, { cause, commandId, wrote }) {
        const business = await accounts.business(business_id);
        if (!business) throw fieldError('NOT_FOUND', 'business_id');
        wrote(
          (await handle(businessStream(business_id), { do: 'switch', commandId, module, on: enabled }, cause)).position,
        );
        return { result: true };
      },
    }),
  ];
}
