/** Return reasons of a business: why parcels come back. */
import { z } from 'zod';
import type { ReturnReasonCommand } from '../../../commands/return-reasons/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import { LANGUAGES, type Language } from '../../../events/core/languages.js';
import { INCIDENT_REASONS } from '../../../events/otep/reasons.js';
import { returnReasonsStream, type Labels } from '../../../events/return-reasons/events.js';
import type { KnownReason, ReturnReasonQueries } from '../../../projections/return-reasons/read-model.js';
import { businessOf } from '../../core/callers.js';
import { chooseLanguage } from '../../core/messages/index.js';
import { operation, type Operation } from '../../core/operation.js';
import { createWrite } from '../../core/write.js';
import { returnReasonCode } from './codes.js';

const WRITE = {
  area: 'ReturnReasons',
  callers: ['client_admin'],
  scopes: ['catalogue:write'],
  writes: true,
  risk: 'medium',
  awaits: ['return_reasons'],
  returns: { read: 'returnReasons' },
} as const;

const incidentReason = z.enum(INCIDENT_REASONS.map(({ code }) => code) as [string, ...string[]]);
const labels = z
  .partialRecord(z.enum(LANGUAGES), z.string().trim().min(1).max(100))
  .refine((texts) => Object.keys(texts).length > 0)
  .describe('Texts by language, at least one.');

const returnReasonSchema = z
  .object({
    code: z.string(),
    label: z.string().describe('Text in the language of the request, or else in English, or else in another language.'),
    labels: z.record(z.string(), z.string()).describe('Texts by language.'),
    needs_note: z.boolean().describe('True: a return with this reason needs a note.'),
    needs_photo: z.boolean().describe('True: a return with this reason needs a photo.'),
    enabled: z.boolean().describe('False: returns cannot have this reason at the moment.'),
    sort_order: z.int().describe('Reasons are sorted by this number, then by code.'),
    reason_code: incidentReason
      .nullable()
      .describe('OTEP incident reason on the timeline for scans with this return reason. Null: no incident reason.'),
    status: z.enum(['active', 'retired']).describe('`retired`: the code is never used again.'),
  })
  .meta({ id: 'ReturnReason' });

/** The text in the language, otherwise the English one, otherwise the first one. */
const labelIn = (texts: Labels, language: Language): string =>
  texts[language] ?? texts.en ?? Object.values(texts)[0] ?? '';

const toReason = (reason: KnownReason, language: Language): z.infer<typeof returnReasonSchema> => ({
  code: reason.code,
  label: labelIn(reason.labels, language),
  labels: reason.labels as Record<string, string>,
  needs_note: reason.needs_note,
  needs_photo: reason.needs_photo,
  enabled: reason.active,
  sort_order: reason.sort,
  reason_code: reason.incident_reason ?? null,
  status: reason.isRetired ? 'retired' : 'active',
});

export interface ReturnReasonsOptions {
  readonly handle: Handle<ReturnReasonCommand, undefined>;
  readonly queries: ReturnReasonQueries;
}

export function returnReasonOperations({ handle, queries }: ReturnReasonsOptions): Operation[] {
  const write = createWrite(handle, returnReasonsStream);
  return [
    operation({
      name: 'returnReasons',
      area: 'ReturnReasons',
      summary: 'List return reasons',
      description:
        'Lists the reasons why parcels come back. Orders of type `P`, and the scans `return_to_sender` and `rejected_by_recipient`, can have a return reason. Every business starts with twelve reasons, which it can replace and retire.',
      rest: { method: 'get', path: '/v1/return-reasons' },
      callers: ['client_admin', 'employee', 'auditor', 'driver', 'broker', 'customer'],
      scopes: ['orders:read'],
      reads: ['return_reasons'],
      input: z.object({
        lang: z.enum(LANGUAGES).optional().describe('Language of `label`. Default: the language of `Accept-Language`.'),
        include_retired: z.boolean().default(false),
      }),
      output: z.object({ result: z.boolean(), return_reasons: z.array(returnReasonSchema) }),
      async run({ lang, include_retired }, { caller, header }) {
        const language = lang ?? chooseLanguage(header('accept-language'));
        const found = await queries.of(businessOf(caller));
        return {
          result: true,
          return_reasons: found
            .filter(({ isRetired }) => include_retired || !isRetired)
            .map((reason) => toReason(reason, language)),
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'returnReasonSet',
      summary: 'Create or replace a return reason',
      description:
        'Do not change the meaning of a code, because earlier returns refer to it. To end the use of a code, call `returnReasonRetire`.',
      rest: { method: 'put', path: '/v1/return-reasons/:code' },
      answers: {
        409: '`CONFLICT`: the code is retired.',
        422: '`TOO_MANY_RETURN_REASONS`: the business has the maximum number of codes, including retired codes.',
      },
      input: z.object({
        code: returnReasonCode,
        labels,
        needs_note: z.boolean().default(false),
        needs_photo: z.boolean().default(false),
        enabled: z.boolean().default(true),
        sort_order: z.int().min(0).max(10_000).default(1_000),
        reason_code: incidentReason
          .nullable()
          .default(null)
          .describe(
            'OTEP incident reason on the timeline for scans with this return reason. Null: no incident reason.',
          ),
      }),
      output: z.object({ result: z.boolean(), code: z.string() }),
      async run({ enabled, sort_order, reason_code, ...reason }, context) {
        const set = { ...reason, active: enabled, sort: sort_order, incident_reason: reason_code ?? undefined };
        await write(businessOf(context.caller), context, { do: 'change', change: { set } });
        return { result: true, code: reason.code };
      },
    }),
    operation({
      ...WRITE,
      name: 'returnReasonRetire',
      summary: 'Retire a return reason',
      description: 'New returns cannot have this reason. Earlier returns keep it. The code cannot be set again.',
      rest: { method: 'post', path: '/v1/return-reasons/:code/retire' },
      answers: { 404: 'The business has no such return reason.' },
      input: z.object({ code: returnReasonCode }),
      output: z.object({ result: z.boolean() }),
      async run({ code }, context) {
        await write(businessOf(context.caller), context, { do: 'change', change: { retire: code } });
        return { result: true };
      },
    }),
  ];
}
