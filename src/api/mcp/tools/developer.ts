/** What developers and coding agents need to integrate. */
import { z } from 'zod';
import type { ToolDefinition } from '../definition.js';
import { CREATE_ORDER, OPERATION_EVENTS } from './orders.js';
import { OTEP_TRACKING, TRACK_PACKAGE } from './tracking.js';

const discovery = { category: 'discovery' } as const;
const webhooks = { category: 'webhooks' } as const;

const guide = (name: string, title: string, which: string, description: string): ToolDefinition => ({
  ...discovery,
  name,
  title,
  operation: 'integrationGuide',
  fixed: { guide: which },
  description,
});

export const DEVELOPER_TOOLS: readonly ToolDefinition[] = [
  TRACK_PACKAGE,
  {
    ...discovery,
    name: 'get_api_endpoints',
    title: 'Search the REST API',
    operation: 'apiEndpoints',
    description: 'Search the REST API: methods, paths, what they take and who may call them.',
  },
  {
    ...discovery,
    name: 'get_graphql_operations',
    title: 'Search the GraphQL API',
    operation: 'graphqlOperations',
    description: 'Search GraphQL queries and mutations by text or category.',
  },
  { ...OTEP_TRACKING, name: 'get_otep_tracking' },
  {
    name: 'validate_otep_payload',
    title: 'Validate an OTEP payload',
    category: 'tracking',
    operation: 'otepValidate',
    shape: { document: z.looseObject({}).describe('An OTEP timeline, or one event.') },
    description:
      'Run an OTEP document or a single event through the conformance validator: findings with the place of each.',
  },
  {
    ...discovery,
    name: 'check_skill_update',
    title: 'Check for a newer guide',
    operation: 'aiSkillVersion',
    description:
      'Whether the integration guidance file has changed since the local copy was downloaded; current_hash is the MD5 of the local file.',
  },
  guide(
    'get_integration_guide',
    'Integration guide',
    'integration',
    'How to integrate: signing in, orders, tracking, errors, limits. The same text as the guidance file.',
  ),
  guide(
    'get_otep_guide',
    'OTEP guide',
    'otep',
    'How to develop against the open tracking timeline: documents, events, statuses, pushing and reading.',
  ),
  guide('get_webhook_guide', 'Webhook guide', 'webhooks', 'How to receive webhooks: signatures, retries, replays.'),
  {
    ...webhooks,
    name: 'verify_webhook_signature',
    title: 'Verify a webhook signature',
    operation: 'webhookSignatureVerify',
    description:
      'Whether the signature of a webhook that came in is valid, from the raw payload, its headers and the secret. For trying an integration out, not for production traffic.',
  },
  OPERATION_EVENTS,
  CREATE_ORDER,
  {
    ...webhooks,
    name: 'test_webhook_delivery',
    title: 'Send a test webhook',
    operation: 'webhookTest',
    openWorld: true,
    description: 'Send a real, signed test webhook to a URL.',
  },
  {
    ...webhooks,
    name: 'get_webhook_settings',
    title: 'Webhook settings',
    operation: 'webhookSettings',
    description: 'The webhook configuration of the business: a URL per event type, one for all others, and flags.',
  },
  {
    ...webhooks,
    name: 'update_webhook_settings',
    title: 'Change webhook settings',
    operation: 'webhookSettingsUpdate',
    description: 'Change parts of the webhook configuration; what is not named stays as it is.',
  },
  {
    category: 'orders',
    name: 'get_order_audit_timeline',
    title: 'Audit timeline of an order',
    operation: 'trackingOperationevents',
    description:
      "Everything that happened to one order in the order it happened: people, agents, drivers' scans, other systems.",
  },
  {
    ...webhooks,
    name: 'get_webhook_delivery_logs',
    title: 'Webhook deliveries',
    operation: 'webhookDeliveries',
    description: 'Attempts to deliver webhooks: event, URL, HTTP status, attempts.',
  },
  {
    ...webhooks,
    name: 'replay_webhook_delivery',
    title: 'Send a webhook again',
    operation: 'webhookReplay',
    openWorld: true,
    description: 'Send a logged webhook again, by the id of its delivery.',
  },
];
