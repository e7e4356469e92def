/** Setting of a business: who may approve proposals. */
import { z } from 'zod';
import { businessStream, REVIEWS } from '../../../events/businesses/events.js';
import { businessOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import type { BusinessesOptions } from './operations.js';
import { settingsVersionSchema, versionByBusiness } from '../../core/versions.js';

const settingsSchema = z
  .object({ review: z.enum(REVIEWS), version: settingsVersionSchema })
  .meta({ id: 'ApprovalSettings' });
const settingsOutput = z.object({ result: z.boolean(), approval_settings: settingsSchema });
const COMMON = { area: 'Approvals', versioned: versionByBusiness(businessStream) } as const;

export function approvalSettings({ handle, accounts }: BusinessesOptions): Operation[] {
  return [
    operation({
      ...COMMON,
      name: 'approvalSettings',
      summary: 'Get approval settings',
      description: '`review` states who may approve proposals, in addition to role and scopes.',
      rest: { method: 'get', path: '/v1/approval-settings' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['approvals:read'],
      reads: ['businesses'],
      input: z.object({}),
      output: settingsOutput,
      async run(_input, { caller }) {
        const { review = 'anybody', revision = -1 } = (await accounts.business(businessOf(caller))) ?? {};
        return { result: true, approval_settings: { review, version: revision } };
      },
    }),
    operation({
      ...COMMON,
      name: 'approvalSettingsUpdate',
      summary: 'Update approval settings',
      description:
        'Sets who may approve proposals, in addition to role and scopes. `anybody`: every reviewer, including the proposer. `another_person`: every reviewer except the proposer. `another_person_signed_in`: additionally, the reviewer must be signed in. API keys and applications never approve their own proposals. Changing this setting requires a signed-in user.',
      rest: { method: 'patch', path: '/v1/approval-settings' },
      callers: ['client_admin'],
      scopes: ['approvals:write'],
      loginOnly: true,
      risk: 'high',
      writes: true,
      awaits: ['businesses'],
      returns: { read: 'approvalSettings' },
      input: z.object({ review: z.enum(REVIEWS) }),
      output: z.object({ result: z.boolean() }),
      async run({ review }, { caller, cause, commandId, wrote }) {
        const stream = businessStream(businessOf(caller));
        wrote((await handle(stream, { do: 'review', commandId, review }, cause)).position);
        return { result: true };
      },
    }),
  ];
}
