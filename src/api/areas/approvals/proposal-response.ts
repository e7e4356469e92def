/**
 * A proposal as its reviewers read it: a summary by the server and the exact arguments. Texts by agents stay in
 * separate fields.
 */
import { z } from 'zod';
import type { Proposal } from '../../../projections/approvals/queries.js';
import { PROPOSAL_STATUSES } from '../../../events/approvals/events.js';
import type { Review } from '../../../events/businesses/events.js';
import { approvalUrl, approversOf, approversSchema } from './approvers.js';
import { changeSchema } from './changes.js';
import { orderSummarySchema } from './order-summary.js';

const previewSchema = z
  .object({
    would_append: z.array(
      z
        .object({ stream: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) })
        .meta({ id: 'PreviewedEvent' }),
    ),
    error: z.string().nullable(),
  })
  .meta({ id: 'ProposalPreview' })
  .describe(
    'Result of a dry run with the permissions of the caller. Present only in the response with one proposal that is pending and that the caller can approve.',
  );

export const proposalSchema = z
  .object({
    id: z.uuid(),
    status: z.enum(PROPOSAL_STATUSES),
    url: z.string().describe('Address of the proposal on the approval page.'),
    approvers: approversSchema,
    tool: z.string(),
    operation: z.string(),
    risk: z.string(),
    required_scopes: z.array(z.string()),
    summary: z.string().describe('Summary by the server, built from the tool and its arguments.'),
    arguments: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Exact arguments of the proposed call. Null after they have been erased.'),
    arguments_hash: z.string(),
    reason: z.string().nullable().describe('Reason that the proposer gave. Do not trust this text.'),
    source: z.string().describe('`propose_write` (tool call), or `header` (the connection requires approvals).'),
    proposed_by: z
      .object({
        user_id: z.int(),
        token_id: z.string(),
        token_name: z
          .string()
          .nullable()
          .describe('Name of the API key or application. Null for a session, and for a key that no longer exists.'),
        channel: z.string(),
        profile: z.string().nullable(),
        client: z
          .string()
          .nullable()
          .describe('Name that the client gave itself (User-Agent). Do not trust this text.'),
      })
      .meta({ id: 'Proposer' }),
    created_at: z.string(),
    expires_at: z.string(),
    decision: z
      .object({
        decided_by: z.int().nullable(),
        decided_at: z.string(),
        channel: z.string().nullable(),
        comment: z.string().nullable(),
      })
      .meta({ id: 'ProposalDecision' })
      .nullable(),
    execution: z
      .object({
        status: z
          .enum(['running', 'succeeded', 'partly', 'failed'])
          .describe('`partly`: some items of a bulk write were refused; see the response.'),
        finished_at: z.string().nullable(),
        response: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('Response of the write to the reviewer; null for contractors and customers.'),
        error: z.string().nullable(),
        reason: z.string().nullable(),
      })
      .meta({ id: 'ProposalExecution' })
      .nullable(),
    about: orderSummarySchema.optional(),
    change_count: z.int().optional().describe('Number of orders or other resources that the arguments name.'),
    changes: z
      .array(changeSchema)
      .optional()
      .describe(
        'Old and new values of the first ten resources. Lists contain only the first resource. The service reads the values at the time of this request, with the permissions of the caller.',
      ),
    preview: previewSchema.optional(),
  })
  .meta({ id: 'Proposal' });

export type ProposalResponse = z.infer<typeof proposalSchema>;

export interface Presentation {
  /** Title of the tool. */
  readonly title: string;
  /**
   * Whether to include the response of the write. It was created for the reviewer, whose permissions may exceed those
   * of the proposer.
   */
  readonly withResponse: boolean;
  readonly baseUrl: string;
  /** Approval setting of the business. */
  readonly review: Review;
  /** Name of the API key or application. */
  readonly tokenName: string | undefined;
}

export function toProposalResponse(
  { id, status, createdAt, proposed, decided, finished }: Proposal,
  { title, withResponse, baseUrl, review, tokenName }: Presentation,
): ProposalResponse {
  const {
    tool,
    operation,
    risk,
    required_scopes,
    arguments_hash,
    reason,
    source,
    proposed_by,
    token,
    channel,
    profile,
    client,
    expires_at,
  } = proposed;
  const args = proposed.arguments;
  return {
    id,
    status,
    url: approvalUrl(baseUrl, id),
    approvers: approversOf(required_scopes, review),
    tool,
    operation,
    risk,
    required_scopes,
    arguments_hash,
    source,
    expires_at,
    summary: summaryOf(title, args),
    arguments: args ?? null,
    reason: reason ?? null,
    created_at: createdAt,
    proposed_by: {
      user_id: proposed_by,
      token_id: token,
      token_name: tokenName ?? null,
      channel,
      profile: profile ?? null,
      client: client ?? null,
    },
    decision: decided
      ? {
          decided_by: decided.data.approved_by ?? decided.data.rejected_by ?? null,
          decided_at: decided.at,
          channel: decided.data.channel ?? null,
          comment: decided.data.comment ?? null,
        }
      : null,
    execution: executionOf(status, finished, withResponse),
  };
}

function executionOf(
  status: Proposal['status'],
  finished: Proposal['finished'],
  withResponse: boolean,
): ProposalResponse['execution'] {
  if (!finished)
    return status === 'approved'
      ? { status: 'running', finished_at: null, response: null, error: null, reason: null }
      : null;
  const { answer, code, reason } = finished.data;
  return {
    status: code !== undefined ? 'failed' : hasFailures(answer) ? 'partly' : 'succeeded',
    finished_at: finished.at,
    response: (withResponse && answer) || null,
    error: code ?? null,
    reason: reason ?? null,
  };
}

/** Whether a bulk write refused some items. Responses of bulk writes count them. */
const hasFailures = (answer: Readonly<Record<string, unknown>> | undefined): boolean =>
  answer !== undefined && ['failed', 'skipped', 'rejected'].some((name) => Number(answer[name]) > 0);

const MAX_VALUE_LENGTH = 80;
const MAX_ARGUMENTS = 8;

/**
 * `Hold an order: order_id 12`. Shortens lists and long texts, because the full arguments are shown next to it. Counts
 * the omitted arguments, because the proposer chooses their order.
 */
function summaryOf(title: string, args: Readonly<Record<string, unknown>> | undefined): string {
  const all = Object.entries(args ?? {});
  const argumentTexts = all.slice(0, MAX_ARGUMENTS).map(([name, value]) => `${name} ${formatValue(value)}`);
  const omitted = all.length - argumentTexts.length;
  return [
    argumentTexts.length > 0 ? `${title}: ${argumentTexts.join(', ')}` : title,
    ...(omitted > 0 ? [`(${omitted} more)`] : []),
  ].join(' ');
}

function formatValue(value: unknown): string {
  if (Array.isArray(value))
    return value.length <= 5 && value.every((item) => typeof item !== 'object')
      ? `[${value.join(', ')}]`
      : `(${value.length} entries)`;
  const text =
    typeof value === 'object' && value !== null ? `(${Object.keys(value).length} fields)` : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
