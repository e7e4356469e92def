/** The log of webhook deliveries and their attempts; replays and tests of webhooks. */
import { z } from 'zod';
import { DELIVERY_STATES, type Attempt, type DeliveryRow } from '../../../engines/postgres/webhook-delivery.js';
import type { WebhookHistory } from '../../../engines/postgres/webhook-history.js';
import type { WebhookQueue } from '../../../engines/postgres/webhook-queue.js';
import type { WebhookSecrets } from '../../../engines/postgres/webhook-secrets.js';
import { derivedId } from '../../../events/otep/identity.js';
import { kindOf, typeOf, WEBHOOK_TYPES } from '../../../events/webhooks/events.js';
import type { WebhookQueries } from '../../../projections/webhooks/queries.js';
import { RETRIES, type Attempts } from '../../../webhooks/attempts.js';
import { businessOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { WebhookSettingsOptions } from './settings.js';

export interface WebhookServices extends Omit<WebhookSettingsOptions, 'handle' | 'secrets' | 'queue'> {
  readonly queue: WebhookQueue;
  readonly history: WebhookHistory;
  readonly queries: WebhookQueries;
  readonly secrets: WebhookSecrets;
  readonly attempts: Attempts;
  /** Milliseconds. Must be longer than an attempt takes. */
  readonly leaseMs: number;
}

const attemptSchema = z
  .object({
    attempt: z.int().describe('Number of the attempt, from 1.'),
    attempted_at: z.string(),
    target_url: z.string(),
    http_status: z.int().nullable().describe('HTTP status of the response. Null if there was no response.'),
    duration_ms: z.int(),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason of a failed attempt: `status`, `redirect_not_followed`, `timeout`, `host_not_found`, `address_not_allowed`, `connection_refused`, `connection_failed`, `tls_failed` or `not_http`. Null if it was delivered.',
      ),
    response_text: z
      .string()
      .nullable()
      .describe(
        'First kilobyte of the response. The service does not store it if the payload contained personal data.',
      ),
  })
  .meta({ id: 'WebhookAttempt' });

const deliverySchema = z
  .object({
    id: z.uuid().describe('Id of the delivery; also the `webhook-id` header of each attempt.'),
    event_type: z.enum(WEBHOOK_TYPES),
    test: z.boolean(),
    status: z.enum(DELIVERY_STATES),
    recorded_at: z.string().describe('Time when the event was recorded.'),
    created_at: z.string(),
    next_attempt_at: z.string().nullable(),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason why the last attempt failed, or why there was no attempt: `paused`, `switched_off`, `no_secret`.',
      ),
    attempts_made: z.int(),
    attempts: z
      .array(attemptSchema)
      .describe(
        'Attempts, oldest first. The list does not contain an attempt during which the process of the service ended.',
      ),
  })
  .meta({ id: 'WebhookDelivery' });

const toAttemptResponse = ({ at, url, status, ms, error, answer }: Attempt) => ({
  attempted_at: at.toISOString(),
  target_url: url,
  http_status: status ?? null,
  duration_ms: ms,
  error: error ?? null,
  response_text: answer ?? null,
});

const toDeliveryResponse = (row: DeliveryRow): z.infer<typeof deliverySchema> => ({
  id: row.id,
  event_type: typeOf(row.kind),
  test: row.test,
  status: row.state,
  recorded_at: row.recordedAt.toISOString(),
  created_at: row.createdAt.toISOString(),
  next_attempt_at: row.dueAt?.toISOString() ?? null,
  error: row.error ?? null,
  attempts_made: row.attemptsMade,
  attempts: row.attempts.map((one) => ({ attempt: one.attempt, ...toAttemptResponse(one) })),
});

export function webhookDeliveries({
  queue,
  history,
  queries,
  secrets,
  attempts,
  mayUse,
  leaseMs,
}: WebhookServices): Operation[] {
  const deliveryOf = async (business: number, id: string): Promise<DeliveryRow | undefined> =>
    (await history.list(business, { id, offset: 0, limit: 1 })).deliveries[0];

  return [
    operation({
      name: 'webhookDeliveries',
      area: 'Webhooks',
      summary: 'List webhook deliveries with their attempts',
      description: 'Lists deliveries, newest first. The service stores deliveries for 30 days.',
      rest: { method: 'get', path: '/v1/webhook-deliveries' },
      callers: ['client_admin', 'employee'],
      scopes: ['webhooks:read'],
      input: z.object({
        event_type: z.enum(WEBHOOK_TYPES).optional(),
        status: z.enum(DELIVERY_STATES).optional(),
        delivery_id: z.uuid().optional(),
        created_from: z.iso.datetime({ offset: true }).optional().describe('Start of the period, inclusive.'),
        created_to: z.iso.datetime({ offset: true }).optional().describe('End of the period, exclusive.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, webhook_deliveries: z.array(deliverySchema) }),
      async run({ event_type, status, delivery_id, created_from, created_to, ...page }, { caller }) {
        const { deliveries: found, ...listed } = await history.list(businessOf(caller), {
          kind: event_type && kindOf(event_type),
          state: status,
          id: delivery_id,
          from: dateOf(created_from),
          to: dateOf(created_to),
          ...rangeOf(page),
        });
        return { ...pageOf(page, listed), webhook_deliveries: found.map(toDeliveryResponse) };
      },
    }),
    operation({
      name: 'webhookDelivery',
      area: 'Webhooks',
      summary: 'Get a webhook delivery with its attempts',
      description: 'Deliveries are stored for 30 days.',
      rest: { method: 'get', path: '/v1/webhook-deliveries/:delivery_id' },
      callers: ['client_admin', 'employee'],
      scopes: ['webhooks:read'],
      answers: { 404: 'There is no such delivery.' },
      input: z.object({ delivery_id: z.uuid() }),
      output: z.object({ result: z.boolean(), webhook_delivery: deliverySchema }),
      async run({ delivery_id }, { caller }) {
        const found = await deliveryOf(businessOf(caller), delivery_id);
        if (!found) throw fieldError('NOT_FOUND', 'delivery_id');
        return { result: true, webhook_delivery: toDeliveryResponse(found) };
      },
    }),
    operation({
      name: 'webhookReplay',
      area: 'Webhooks',
      summary: 'Replay a webhook delivery',
      description:
        'Sends the webhook again with the same id and all retries. The webhook goes to the current address, even if the endpoint is paused. A test webhook goes to its original address. The payload does not contain data that was erased in the meantime. A pending delivery cannot be replayed (`WEBHOOK_PENDING`).',
      rest: { method: 'post', path: '/v1/webhook-deliveries/:delivery_id/replay', status: 202 },
      callers: ['client_admin'],
      scopes: ['webhooks:write'],
      risk: 'medium',
      writes: true,
      input: z.object({ delivery_id: z.uuid() }),
      output: z.object({ result: z.boolean(), webhook_delivery: deliverySchema }),
      async run({ delivery_id }, { caller, cause }) {
        const business = businessOf(caller);
        const found = await deliveryOf(business, delivery_id);
        if (!found) throw fieldError('NOT_FOUND', 'delivery_id');
        if (found.state === 'pending') throw fieldError('WEBHOOK_PENDING', 'delivery_id');
        const { destinations: endpoints, flags } = await queries.settings(business);
        const endpoint = found.test ? undefined : endpoints.get(found.kind)?.endpoint;
        if (!found.test && (endpoint === undefined || !flags.webhooks_enabled))
          throw fieldError('WEBHOOK_NOT_SET', 'delivery_id');
        if (!cause.dryRun && !(await queue.replay(business, delivery_id, RETRIES + 1, endpoint)))
          throw fieldError('WEBHOOK_PENDING', 'delivery_id');
        return { result: true, webhook_delivery: toDeliveryResponse((await deliveryOf(business, delivery_id))!) };
      },
    }),
    operation({
      name: 'webhookTest',
      returns: { read: 'webhookDelivery' },
      area: 'Webhooks',
      summary: 'Send a signed test webhook',
      description:
        'Sends an example of the event type with `"test": true`, to `url` or to the configured address. The service makes one attempt, and logs it like all other attempts.',
      rest: { method: 'post', path: '/v1/webhook-deliveries/test' },
      callers: ['client_admin'],
      scopes: ['webhooks:write'],
      risk: 'high',
      writes: true,
      input: z.object({
        event_type: z.enum(WEBHOOK_TYPES).default('tracking.event'),
        url: z
          .string()
          .trim()
          .min(1)
          .max(2_048)
          .optional()
          .describe('Target address. Omitted: the configured address of the event type.'),
      }),
      output: z.object({ result: z.boolean(), delivered: z.boolean() }),
      async run({ event_type, url }, { caller, cause, commandId, time }) {
        const business = businessOf(caller);
        const kind = kindOf(event_type);
        if (url !== undefined && !(await mayUse(url))) throw fieldError('WEBHOOK_URL_REFUSED', 'url');
        const [{ destinations: endpoints }, liveSecrets] = await Promise.all([
          queries.settings(business),
          secrets.live(business),
        ]);
        const target = url ?? endpoints.get(kind)?.url;
        if (target === undefined) throw fieldError('WEBHOOK_NOT_SET', 'url');
        if (liveSecrets.length === 0)
          throw new ApiError('WEBHOOK_NOT_SET', {
            errors: [{ field: 'webhook_secret', path: '', code: 'WEBHOOK_NOT_SET' }],
          });
        const id = derivedId('webhook test', commandId);
        if (cause.dryRun) return { result: true, delivered: false };
        const at = new Date(time);
        await queue.addTest({ id, business, kind, url: target, at, leaseMs });
        const { outcome } = await attempts.make({
          id,
          business,
          kind,
          endpoint: kind,
          event: undefined,
          target,
          recordedAt: at,
          attempts: 1,
          most: 1,
        });
        return { result: true, delivery_id: id, delivered: outcome === 'delivered' };
      },
    }),
  ];
}

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
