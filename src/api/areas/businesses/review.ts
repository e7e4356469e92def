/** Who may approve proposals in a business: its own setting. */
import { z } from 'zod';
import { businessStream, REVIEWS } from '../../../events/businesses/events.js';
import { businessOf } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import type { BusinessesOptions } from './operations.js';
import { settingsVersionSchema, versionByBusiness } from '../../core/versions.js';

const settings = z.object({ review: z.enum(REVIEWS), version: settingsVersionSchema }).meta({ id: 'ApprovalSettings' });
const answer = z.object({ result: z.boolean(), approval_settings: settings });
const COMMON = { area: 'Approvals', versioned: versionByBusiness(businessStream) } as const;

export function reviewSettings({ handle, accounts }: BusinessesOptions): Operation[] {
  return [
    operation({
      ...COMMON,
      name: 'approvalSettings',
      summary: 'Who may approve a proposal, beside what role and scopes say',
      rest: { method: 'get', path: '/v1/approval-settings' },
      callers: ['client_admin', 'employee', 'auditor'],
      scopes: ['approvals:read'],
      reads: ['businesses'],
      input: z.object({}),
      output: answer,
      async run(_input, { caller }) {
        const { review = 'anybody', revision = -1 } = (await accounts.business(businessOf(caller))) ?? {};
        return { result: true, approval_settings: { review, version: revision } };
      },
    }),
    operation({
      ...COMMON,
      name: 'approvalSettingsUpdate',
      summary: 'Update the approval settings',
      description:
        'An API key or an application never approves what it proposed itself, whatever is set here. Needs a sign-in: no key changes it.',
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
