/**
 * Creates the parts of webhooks. Every process has the parts that operations need; collector and sender run only where
 * projections run.
 */
import { createWebhookMetrics } from '../../webhooks/metrics.js';
import type { Commands } from '../../commands/commands.js';
import type { WebhookConfig } from '../../config.js';
import type { Engines } from '../../engines/open.js';
import { WebhookHistory } from '../../engines/postgres/webhook-history.js';
import { WebhookQueue } from '../../engines/postgres/webhook-queue.js';
import { createWebhookSecrets } from '../../engines/postgres/webhook-secrets.js';
import { publicResolver, systemResolver } from '../../engines/webhooks/addresses.js';
import { createWebhookClient } from '../../engines/webhooks/post.js';
import type { Position } from '../../events/core/log.js';
import { derivedId } from '../../events/otep/identity.js';
import { webhooksStream } from '../../events/webhooks/events.js';
import { createWebhookQueries } from '../../projections/webhooks/queries.js';
import { createAttempts, RETRIES } from '../../webhooks/attempts.js';
import { createBodies } from '../../webhooks/bodies.js';
import { RETENTION_DAYS, startCollector } from '../../webhooks/collector.js';
import { startSender } from '../../webhooks/sender.js';
import type { Parts } from '../../api/core/parts.js';

/** Maximum wait until a caller sees its own change (G6), in milliseconds. */
const READ_MODEL_WAIT_MS = 2_000;

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks({
  config: { allowPrivate, retryMs, timeoutMs },
  engines: { pool, projectionPool, log, keyRing, webhookVault, holder, limits },
  types,
  commands,
  progress,
  registry,
  logger,
  now,
}: Parts<'types' | 'progress' | 'registry' | 'logger' | 'now'> & {
  config: WebhookConfig;
  engines: Engines;
  commands: Pick<Commands, 'webhooks'>;
}) {
  const queue = new WebhookQueue({ pool, lazyPool: projectionPool, vault: webhookVault });
  const history = new WebhookHistory({ pool, vault: webhookVault });
  const secrets = createWebhookSecrets(pool, webhookVault);
  const queries = createWebhookQueries({ pool, keyRing });
  const bodies = createBodies({ log, types, keyRing });
  const client = createWebhookClient({
    allowPrivate,
    timeoutMs,
    resolve: allowPrivate ? systemResolver : publicResolver(),
  });
  const attempts = createAttempts({
    queue,
    queries,
    secrets,
    bodies,
    post: client.post,
    retryMs,
    now,
    async pause(businessId, endpoint, endpointId, reason) {
      const commandId = derivedId('pause', endpointId);
      await commands.webhooks(
        webhooksStream(businessId),
        { do: 'pause', commandId, businessId, kind: endpoint, endpointId, reason },
        {
          correlationId: commandId,
          actor: { kind: 'system', id: 'webhooks' },
          channel: 'system',
          business: String(businessId),
        },
      );
      logger.warn({ business: businessId, endpoint, reason }, 'a webhook endpoint is paused');
    },
  });
  const leaseMs = timeoutMs + limits.webhookLeaseMs;

  /** Starts collector and sender. Returns a function that stops them. */
  function start(): () => Promise<void> {
    const metrics = createWebhookMetrics({ registry, backlog: () => history.backlog() });
    const failed = (what: string) => (error: unknown) => {
      metrics.failed();
      logger.error({ err: error }, what);
    };
    const sender = startSender({
      queue,
      attempts,
      leaseMs,
      pauseMs: retryMs,
      now,
      onOutcome: metrics.attempted,
      onError: failed('a webhook could not be sent, trying again'),
    });
    const collector = startCollector({
      log,
      pool: projectionPool,
      owner: holder,
      progress,
      queries,
      bodies,
      add: (db, rows) => queue.add(db, rows),
      most: RETRIES + 1,
      now,
      onCollected: () => sender.wake(),
      onError: failed('webhooks could not be collected, trying again'),
    });
    return async () => {
      await Promise.all([collector.stop(), sender.stop()]);
    };
  }

  return {
    queue,
    history,
    secrets,
    queries,
    attempts,
    mayUse: client.mayUse,
    leaseMs,
    start,
    awaitReadModel: (position: Position) => progress.waitFor('webhook_settings', position, READ_MODEL_WAIT_MS),
    close: client.close,
    sweep: async () => {
      await Promise.all([secrets.sweep(), history.sweep(RETENTION_DAYS)]);
    },
  };
}
