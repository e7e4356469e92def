/** Example requests for webhooks. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

export const WEBHOOK_EXAMPLES: Examples = {
  webhookSettingsUpdate: {
    body: {
      order_created_webhook_url: 'https://hooks.shop.example/orders',
      webhooks_enabled: true,
      webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      webhook_secret_overlap_hours: 24,
    },
  },
  webhookTest: { body: { event_type: 'order.created' } },
};
