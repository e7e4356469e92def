/**
 * Erases persons (GDPR, article 17). The service destroys their keys, so all stored personal data becomes unreadable
 * everywhere.
 */
import { z } from 'zod';
import type { Erasing } from '../../../commands/privacy/erasing.js';
import type { ErasureSubject, ErasureSubjects } from '../../../commands/privacy/subjects.js';
import { accountSubject } from '../../../events/accounts/events.js';
import type { RetainedInvoices, RetentionQueries } from '../../../projections/invoices/retention.js';
import { businessOf, userOf } from '../../core/callers.js';
import { explainedError, fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';

/** Data that an erasure keeps, and the rule for it (erasure R3). Only `plain_name` may identify a person. */
const RETAINED = {
  facts:
    'Events with their times: numbers, statuses, amounts and areas of shipments, without names and exact addresses.',
  proofs: 'Hashes of the events, which prove that the log is complete.',
  erasure: 'The fact that the data was erased, the time, and the user who requested it.',
  account: 'Id, role and business of the account, which is disabled.',
  amounts: 'Amounts, times and kinds of the wallet entries and top-ups of a customer, without personal texts.',
  invoices:
    'Buyer and lines of the invoices and credit notes, until their legal storage period ends (`INVOICE_RETENTION_YEARS`). Then they are erased automatically.',
  plain_name:
    'Name of a route from a time when the names of routes were not encrypted yet. The name stays in the log and in backups. Routes no longer show it.',
} as const;
type RetainedData = keyof typeof RETAINED;
const RULES: Readonly<Record<RetainedData, string>> = {
  facts: 'erasure R3',
  proofs: 'integrity of the audit',
  erasure: 'accountability',
  account: 'erasure R3',
  amounts: 'wallet R14',
  invoices: 'wallet R14',
  plain_name: 'integrity of the audit',
};
const retainedDataOf = (
  { kind, hasPlainName }: ErasureSubject,
  invoices: RetainedInvoices | undefined,
): RetainedData[] => [
  'facts',
  'proofs',
  'erasure',
  ...(kind === 'account' ? (['amounts', 'account'] as const) : []),
  ...(invoices ? (['invoices'] as const) : []),
  ...(hasPlainName ? (['plain_name'] as const) : []),
];

export interface PrivacyOptions {
  readonly erasing: Erasing;
  readonly subjects: ErasureSubjects;
  readonly retention: Pick<RetentionQueries, 'retained'>;
}

export function privacy({ erasing, subjects, retention }: PrivacyOptions): Operation[] {
  return [
    operation({
      name: 'privacySubjectErase',
      area: 'Privacy',
      summary: 'Erase the personal data of a person',
      description:
        'Use it to fulfil an erasure request (GDPR, article 17). The subject is an order with its parcels, a parcel, or an account. Names, addresses, phone numbers, notes, photos and all other personal data of the subject become unreadable in all formats, backups and audits. Statuses, times, places and the proof that the log is complete remain. If the subject is an account, it is also disabled. Later events of the same parcel are recorded without personal data. An erasure cannot be undone.',
      rest: { method: 'post', path: '/v1/privacy/subjects/:subject_id/erase' },
      callers: ['client_admin'],
      scopes: ['privacy:write'],
      risk: 'high',
      confirm: true,
      writes: true,
      reads: ['invoices'],
      awaits: ['erasures', 'addresses'],
      answers: {
        404: 'The business has no such order, account or parcel.',
        409: 'Callers cannot erase their own account.',
      },
      input: z.object({
        subject_id: z
          .string()
          .min(1)
          .max(256)
          .describe(
            '`order-<id>`, `account-<id>`, or the id or tracking number of a parcel of the business. If a parcel belongs to an order, the whole order is erased.',
          ),
      }),
      output: z.object({
        result: z.boolean(),
        subject: z.string(),
        finished: z
          .boolean()
          .describe(
            'False: a running capture still contains events of the person. The keys of the capture are destroyed within seconds.',
          ),
        kept: z
          .array(
            z
              .object({
                what: z.enum(Object.keys(RETAINED) as [RetainedData, ...RetainedData[]]),
                rule: z.string(),
                description: z.string().describe('Description in English.'),
                invoice_count: z.int().optional().describe('Number of these documents. Present only for `invoices`.'),
                kept_until: z
                  .string()
                  .optional()
                  .describe(
                    'Date on which the legal storage period of the last document ends. Present only for `invoices`.',
                  ),
              })
              .meta({ id: 'KeptRecord' }),
          )
          .describe('Data that remains, and the reason why it remains.'),
      }),
      async run({ subject_id }, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const found = (await subjects.find(subject_id)).find((one) => one.business === business);
        if (!found) throw fieldError('NOT_FOUND', 'subject_id');
        if (found.subject === accountSubject(userOf(caller).userId))
          throw explainedError('CONFLICT', 'OWN_ACCOUNT', 'subject_id');
        const invoices = await retention.retained(found.subject, business);
        const { position, finished } = await erasing.erase(found, commandId, cause);
        wrote(position);
        const kept = retainedDataOf(found, invoices).map((what) => ({
          what,
          rule: RULES[what],
          description: RETAINED[what],
          ...(what === 'invoices' && invoices && { invoice_count: invoices.count, kept_until: invoices.until }),
        }));
        return { result: true, subject: found.subject, finished, kept };
      },
    }),
  ];
}
