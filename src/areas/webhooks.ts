/** Webhooks: the event types and endpoints of a business, and the result of each delivery. */
import { WEBHOOK_EXAMPLES } from '../api/areas/webhooks/examples.js';
import { webhookDeliveries } from '../api/areas/webhooks/deliveries.js';
import { webhookSettings } from '../api/areas/webhooks/settings.js';
import { WEBHOOK_EVENTS, WEBHOOKS_PREFIX } from '../events/webhooks/events.js';
import { COLLECTOR } from '../webhooks/collector.js';
import { webhookSettings as settingRows } from '../projections/webhooks/read-model.js';
import { area } from './area.js';
import { createWebhooks } from './wiring/webhooks.js';

export const webhooks = area({
  name: 'webhooks',
  examples: WEBHOOK_EXAMPLES,
  streams: [{ prefix: WEBHOOKS_PREFIX, events: WEBHOOK_EVENTS, tenant: 'business', erasure: 'otherwise' }],
  readModels: [settingRows],
  followers: [COLLECTOR],
  errors: { WEBHOOK_URL_REFUSED: 400, WEBHOOK_NOT_SET: 409, WEBHOOK_PENDING: 409 },
  services: ({ config, engines, types, commands, progress, metrics, logger, now }) =>
    createWebhooks({
      config: config.webhooks,
      engines,
      types,
      commands,
      progress,
      registry: metrics.registry,
      logger,
      now,
    }),
  operations: (services, { commands }) => [
    ...webhookSettings({ handle: commands.webhooks, ...services }),
    ...webhookDeliveries(services),
  ],
  work: (services) => [services.start()],
  close: (services) => services.close(),
  sweep: (services) => services.sweep(),
});
