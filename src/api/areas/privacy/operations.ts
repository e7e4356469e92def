/**
 * Erases persons (GDPR, article 17). The service destroys their keys, so all stored personal data becomes unreadable
 * everywhere.
 */
import { z } from 'zod';
import type { Erasing } from '../../../commands/privacy/erasing.js';
import type { ErasureSubjects } from '../../../commands/privacy/subjects.js';
import { accountSubject } from '../../../events/accounts/events.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';

/** Data that an erasure keeps, and the rule for it (erasure R3). None of it identifies a person. */
const KEPT = {
  facts:
    'What happened and when: numbers, statuses, times, amounts and areas of what was sent, without names and doors.',
  proofs: 'Hashes of the events, by which the log is proved whole.',
  erasure: 'That it was erased, when, and who asked for it.',
  account: 'Id, role and business of the account, which is shut.',
} as const;
type Kept = keyof typeof KEPT;
const RULES: Readonly<Record<Kept, string>> = {
  facts: 'erasure R3',
  proofs: 'integrity of the audit',
  erasure: 'accountability',
  account: 'erasure R3',
};
const keptOf = (kind: string): Kept[] => [
  'facts',
  'proofs',
  'erasure',
  ...(kind === 'account' ? (['account'] as const) : []),
];

export function privacy({ erasing, subjects }: { erasing: Erasing; subjects: ErasureSubjects }): Operation[] {
  return [
    operation({
      name: 'privacySubjectErase',
      area: 'Privacy',
      summary: 'Forget a person, for good',
      description:
        'Names, addresses, phone numbers, notes, photos and everything else that is personal in an order and its parcels, a parcel, or an account can be read by nobody any more, in no format, backup or audit. ' +
        'What happened stays: statuses, times, places, and the proof that the log is whole. An account is shut as well. What comes later about the same parcel is recorded without personal data. It cannot be undone.',
      rest: { method: 'post', path: '/v1/privacy/subjects/:subject_id/erase' },
      callers: ['client_admin'],
      scopes: ['privacy:write'],
      risk: 'high',
      confirm: true,
      writes: true,
      awaits: ['erasures'],
      answers: { 404: 'The business has no such order, account or parcel.', 409: "One's own account." },
      input: z.object({
        subject_id: z
          .string()
          .min(1)
          .max(256)
          .describe(
            '`order-<id>`, `account-<id>`, or the id or number of a parcel of the business. A parcel of an order means the order.',
          ),
      }),
      output: z.object({
        result: z.boolean(),
        subject: z.string(),
        finished: z
          .boolean()
          .describe(
            "False: a capture that holds the person's events is still under way; its keys follow within seconds.",
          ),
        kept: z
          .array(
            z
              .object({
                what: z.enum(Object.keys(KEPT) as [Kept, ...Kept[]]),
                rule: z.string(),
                description: z.string().describe('In English.'),
              })
              .meta({ id: 'KeptRecord' }),
          )
          .describe('What stays, and by which rule.'),
      }),
      async run({ subject_id }, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const found = (await subjects.find(subject_id)).find((one) => one.business === business);
        if (!found) throw new ApiError('NOT_FOUND');
        if (found.subject === accountSubject(userOf(caller).userId)) throw fieldError('CONFLICT', 'subject_id');
        const { position, finished } = await erasing.erase(found, commandId, cause);
        wrote(position);
        const kept = keptOf(found.kind).map((what) => ({ what, rule: RULES[what], description: KEPT[what] }));
        return { result: true, subject: found.subject, finished, kept };
      },
    }),
  ];
}
