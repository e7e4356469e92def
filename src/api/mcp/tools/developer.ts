/** Tools for developers and coding agents that build an integration. */
import { z } from 'zod';
import { WEBHOOK_ENDPOINTS } from '../../../events/webhooks/events.js';
import type { ToolDefinition } from '../definition.js';
import { CREATE_ORDER, OPERATION_EVENTS } from './orders.js';
import { OTEP_TRACKING, TRACK_PACKAGE } from './tracking.js';

/** Event types of later versions. Agents send them to the default URL: each argument takes tokens of every connection. */
const WITHOUT_URL = { bill_changed_webhook_url: undefined, invoice_issued_webhook_url: undefined };

/** One URL per event type. */
const EVENT_URLS = Object.fromEntries(
  WEBHOOK_ENDPOINTS.map((endpoint) => `${endpoint}_webhook_url`)
    .filter((name) => !(name in WITHOUT_URL))
    .map((name) => [name, { description: 'URL.' }]),
);

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
    arguments: { query: { description: 'Words in path, summary or operation id.', example: 'create order' } },
    description: 'Search the REST API: methods, paths, parameters and permitted callers.',
  },
  {
    ...discovery,
    name: 'get_graphql_operations',
    title: 'Search the GraphQL API',
    operation: 'graphqlOperations',
    arguments: { query: { description: 'Words in name or summary.', example: 'order' } },
    description: 'Search GraphQL queries and mutations by text or category.',
  },
  { ...OTEP_TRACKING, name: 'get_otep_tracking' },
  {
    name: 'validate_otep_payload',
    title: 'Validate an OTEP payload',
    category: 'tracking',
    operation: 'otepValidate',
    shape: { document: z.looseObject({}).describe('An OTEP timeline, or one event.') },
    description: 'Validate an OTEP document or a single event. Returns the findings, each with its position.',
  },
  {
    ...discovery,
    name: 'check_skill_update',
    title: 'Check for a newer guide',
    operation: 'aiSkillVersion',
    description: 'Check whether the integration guidance file has changed since its download.',
  },
  guide(
    'get_integration_guide',
    'Integration guide',
    'integration',
    'Get the integration guide: sign-in, orders, tracking, errors, limits.',
  ),
  guide(
    'get_otep_guide',
    'OTEP guide',
    'otep',
    'Get the guide to Open Tracking Event Protocol timelines: documents, events, statuses, push, read.',
  ),
  guide('get_webhook_guide', 'Webhook guide', 'webhooks', 'Get the guide to webhooks: signatures, retries, replays.'),
  {
    ...webhooks,
    name: 'verify_webhook_signature',
    title: 'Verify a webhook signature',
    operation: 'webhookSignatureVerify',
    arguments: {
      payload: { description: 'Exact body.' },
      webhook_id: { description: 'Header webhook-id.', example: 'msg_2KWPBgLl' },
      webhook_timestamp: { description: 'Header webhook-timestamp, Unix seconds.' },
      signature: { description: 'Header webhook-signature.' },
      secret: { description: 'Secret of the endpoint.' },
    },
    description:
      'Check the signature of a received webhook against payload, headers and secret. For testing, not for production.',
  },
  OPERATION_EVENTS,
  CREATE_ORDER,
  {
    ...webhooks,
    name: 'test_webhook_delivery',
    title: 'Send a test webhook',
    operation: 'webhookTest',
    arguments: {
      event_type: { description: 'Event type. Default: `tracking.event`.', opaque: true },
      url: { description: 'Receiver. Default: the configured URL.' },
    },
    openWorld: true,
    description: 'Send a signed test webhook to a URL.',
  },
  {
    ...webhooks,
    name: 'get_webhook_settings',
    title: 'Webhook settings',
    operation: 'webhookSettings',
    description: 'Get the webhook settings: a URL per event type, a default URL, flags.',
  },
  {
    ...webhooks,
    name: 'update_webhook_settings',
    title: 'Change webhook settings',
    operation: 'webhookSettingsUpdate',
    arguments: {
      ...EVENT_URLS,
      webhook_event_types: { description: 'Event types for `default_webhook_url`; `*`: all.', opaque: true },
      webhooks_enabled: { description: 'Enable all endpoints.' },
      include_personal_data: { description: 'Send names, addresses and free text.' },
      only_terminal_tracking_events: { description: 'Send only scans that end a journey.' },
      webhook_secret: { description: 'Signing key: ASCII text, or `whsec_` and base64.' },
      webhook_secret_overlap_hours: { description: 'Hours in which the old secret is valid. Default: 24.' },
    },
    fixed: WITHOUT_URL,
    description: 'Update some webhook settings. An empty URL disables the event type.',
  },
  {
    category: 'orders',
    name: 'get_order_audit_timeline',
    title: 'Audit timeline of an order',
    operation: 'trackingOperationevents',
    fields: { 'events[]': 'timestamp,type,status,tracking_number,status_code,actor' },
    description:
      'Short timeline of one order: actor, action and time of each event. For positions, photos and details: get_operation_events.',
  },
  {
    ...webhooks,
    name: 'get_webhook_delivery_logs',
    title: 'Webhook deliveries',
    operation: 'webhookDeliveries',
    fields: { 'webhook_deliveries[]': 'id,event_type,status,test,created_at,next_attempt_at,error,attempts_made' },
    arguments: {
      event_type: { description: 'Event type, such as `order.created`.', opaque: true },
      status: { description: 'Only deliveries with this status.' },
      delivery_id: { description: 'Only this delivery.' },
      created_from: { description: 'Created at this instant or later.' },
      created_to: { description: 'Created before this instant.' },
    },
    description: 'List webhook deliveries: event type, status, error, number of attempts.',
  },
  {
    ...webhooks,
    name: 'replay_webhook_delivery',
    title: 'Replay a webhook',
    operation: 'webhookReplay',
    openWorld: true,
    description: 'Send a logged webhook again, selected by the id of its delivery.',
  },
];
