/**
 * Webhook settings of the caller's business: addresses, event types, and the secret for signatures (specification 1,
 * "Events" 1).
 */
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { WebhookCommand } from '../../../commands/webhooks/decider.js';
import type { WebhookQueue } from '../../../engines/postgres/webhook-queue.js';
import type { WebhookSecrets } from '../../../engines/postgres/webhook-secrets.js';
import type { Position } from '../../../events/core/log.js';
import { derivedId } from '../../../events/otep/identity.js';
import {
  ALL_KINDS,
  DEFAULT_FLAGS,
  WEBHOOK_ENDPOINTS,
  WEBHOOK_KINDS,
  kindOf,
  typeOf,
  webhookFlagsSchema,
  webhooksStream,
  type WebhookChoice,
  type WebhookEndpoint,
  type WebhookFlags,
} from '../../../events/webhooks/events.js';
import type { WebhookQueries } from '../../../projections/webhooks/queries.js';
import { KINDS } from '../../../webhooks/kinds.js';
import { isDecoded, isSecret } from '../../../webhooks/signature.js';
import { businessOf } from '../../core/callers.js';
import { ApiError, type FieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { choices, fieldOf, settingsSchema, urlFields, type UrlField } from './settings-shape.js';
import { versionByBusiness } from '../../core/versions.js';
import { dryRunOf } from '../../../commands/core/handle.js';

export interface WebhookSettingsOptions {
  readonly handle: Handle<WebhookCommand, undefined>;
  readonly queries: Pick<WebhookQueries, 'settings'>;
  readonly secrets: Pick<WebhookSecrets, 'set' | 'live'>;
  readonly queue: Pick<WebhookQueue, 'reroute'>;
  /** Whether the service may send requests to an address. */
  readonly mayUse: (url: string) => Promise<boolean>;
  /** Resolves when the read model has processed the position, or after a timeout. */
  readonly awaitReadModel: (position: Position) => Promise<unknown>;
}

const MAX_URL = 2_048;
type Urls = Readonly<Partial<Record<WebhookEndpoint, string>>>;
/** The selected event types under their stored keys, without duplicates. */
const selectedChoices = (asked: z.infer<typeof choices> | undefined): WebhookChoice[] | undefined =>
  asked && [...new Set(asked.map((type) => (type === ALL_KINDS ? type : kindOf(type))))];
const choicesOf = (stored: readonly WebhookChoice[]): z.infer<typeof choices> =>
  stored.map((kind) => (kind === ALL_KINDS ? kind : typeOf(kind)));
const flagFields = webhookFlagsSchema.partial().shape;

const settingsOutput = z.object({ result: z.boolean(), webhook_settings: settingsSchema });
/** An endpoint that the service pauses raises it, too. */
const SETTINGS_VERSION = versionByBusiness(webhooksStream);

export function webhookSettings({
  handle,
  queries,
  queue,
  secrets,
  mayUse,
  awaitReadModel,
}: WebhookSettingsOptions): Operation[] {
  async function toResponse(businessId: number): Promise<z.infer<typeof settingsSchema>> {
    const [{ urls, types, destinations: endpointByType, flags, version }, [newest, previous]] = await Promise.all([
      queries.settings(businessId),
      secrets.live(businessId),
    ]);
    return {
      ...(Object.fromEntries(
        WEBHOOK_ENDPOINTS.map((endpoint) => [fieldOf(endpoint), urls.get(endpoint) ?? '']),
      ) as Record<UrlField, string>),
      webhook_event_types: choicesOf(types),
      ...flags,
      webhook_secret_set: newest !== undefined,
      webhook_secret_set_at: newest?.setAt.toISOString() ?? null,
      webhook_secret_key: newest === undefined ? null : isDecoded(newest) ? 'base64' : 'text',
      previous_webhook_secret_until: previous?.until?.toISOString() ?? null,
      endpoints: WEBHOOK_KINDS.map((kind) => {
        const activeEndpoint = endpointByType.get(kind);
        return {
          event_type: typeOf(kind),
          since: KINDS[kind].since,
          status: activeEndpoint === undefined ? 'off' : activeEndpoint.paused ? 'paused' : 'on',
          via: activeEndpoint === undefined ? null : activeEndpoint.endpoint === 'default' ? 'default' : 'own',
          on_since: activeEndpoint?.on_since ?? null,
          paused_at: activeEndpoint?.paused?.at ?? null,
          paused_reason: activeEndpoint?.paused?.reason ?? null,
        };
      }),
      version,
    };
  }

  async function checkUrls(urls: Urls, hasSecret: boolean): Promise<void> {
    const set = Object.entries(urls).filter(([, url]) => url !== '') as [WebhookEndpoint, string][];
    const allowed = await Promise.all(set.map(([, url]) => mayUse(url)));
    const error = (field: string, code: FieldError['code']): FieldError => ({ field, path: `/${field}`, code });
    const errors = set.flatMap(([endpoint], index) =>
      allowed[index] ? [] : [error(fieldOf(endpoint), 'WEBHOOK_URL_REFUSED')],
    );
    // The service never sends unsigned webhooks.
    if (set.length > 0 && !hasSecret) errors.push(error('webhook_secret', 'REQUIRED'));
    if (errors.length > 0)
      throw new ApiError(errors[0]!.code === 'WEBHOOK_URL_REFUSED' ? 'WEBHOOK_URL_REFUSED' : 'INVALID_INPUT', {
        errors,
      });
  }

  return [
    operation({
      name: 'webhookSettings',
      versioned: SETTINGS_VERSION,
      area: 'Webhooks',
      summary: 'Get the webhook settings',
      description:
        'Returns the addresses per event type, and which endpoints are paused. The secret is never returned.',
      rest: { method: 'get', path: '/v1/webhook-settings' },
      callers: ['client_admin', 'employee'],
      scopes: ['webhooks:read'],
      reads: ['webhook_settings'],
      input: z.object({}),
      output: settingsOutput,
      run: async (_input, { caller }) => ({ result: true, webhook_settings: await toResponse(businessOf(caller)) }),
    }),
    operation({
      name: 'webhookSettingsUpdate',
      versioned: SETTINGS_VERSION,
      fixed: { name: 'webhookSettingsPut', method: 'put', path: '/v1/webhook-settings', restOnly: true },
      area: 'Webhooks',
      summary: 'Update the webhook settings',
      description:
        'Fields that are omitted stay unchanged. Addresses must be public `https` URLs without credentials (`WEBHOOK_URL_REFUSED`); an empty address disables the endpoint. An event type without a separate address goes to `default_webhook_url` if `webhook_event_types` contains it. The first address requires a secret. After a change of the secret, deliveries carry signatures of both secrets for `webhook_secret_overlap_hours`.',
      rest: { method: 'patch', path: '/v1/webhook-settings' },
      callers: ['client_admin'],
      scopes: ['webhooks:write'],
      risk: 'high',
      writes: true,
      awaits: ['webhook_settings'],
      input: z.object({
        ...urlFields(
          z.string().trim().max(MAX_URL).optional().describe('Target address. Empty: the event type is disabled.'),
        ),
        webhook_event_types: choices
          .optional()
          .describe(
            'Event types for the default address, unless they have a separate address, such as `order.created`. `*`: all, including event types of later versions.',
          ),
        webhooks_enabled: flagFields.webhooks_enabled.describe(
          `Enables or disables all endpoints. Default: ${DEFAULT_FLAGS.webhooks_enabled}.`,
        ),
        include_personal_data: flagFields.include_personal_data.describe(
          'Include names, addresses, phone numbers and free text in payloads. Default: off.',
        ),
        only_terminal_tracking_events: flagFields.only_terminal_tracking_events.describe(
          'Send only tracking events that end the journey of a parcel. Default: off.',
        ),
        webhook_secret: withFormat(
          z
            .string()
            .min(16)
            .max(256)
            .regex(/^[\x21-\x7e]+$/)
            .refine(isSecret),
          '16 to 256 printable ASCII characters without spaces, or `whsec_` and 16 bytes or more in base64',
        )
          .optional()
          .describe(
            'Secret that signs deliveries, in printable ASCII without spaces. After the prefix `whsec_`, the key is in base64 (at least 16 bytes). Without the prefix, the text is the key.',
          ),
        webhook_secret_overlap_hours: z.number().min(0).max(168).optional().describe('Hours. Default: 24.'),
      }),
      output: settingsOutput,
      async run(body, { caller, cause, commandId, wrote }) {
        const { webhook_secret, webhook_secret_overlap_hours = 24, webhook_event_types, ...input } = body;
        const types = selectedChoices(webhook_event_types);
        const businessId = businessOf(caller);
        const urls: Urls = definedFields(WEBHOOK_ENDPOINTS.map((endpoint) => [endpoint, input[fieldOf(endpoint)]]));
        const flags = definedFields(
          (Object.keys(DEFAULT_FLAGS) as (keyof WebhookFlags)[]).map((name) => [name, input[name]]),
        ) as Partial<WebhookFlags>;
        await checkUrls(urls, webhook_secret !== undefined || (await secrets.live(businessId)).length > 0);
        const secret =
          webhook_secret === undefined
            ? undefined
            : { id: derivedId('webhook secret', commandId), overlapHours: webhook_secret_overlap_hours };
        const stream = webhooksStream(businessId);
        const command = {
          do: 'change',
          commandId,
          businessId,
          urls,
          flags,
          ...(types && { types }),
          ...(secret && { secret }),
        } as const;
        // The secret is stored before the event, so that an enabled endpoint always has a secret. A refused request sets none.
        if (secret && !cause.dryRun) {
          await handle(stream, command, dryRunOf(cause));
          await secrets.set(businessId, secret.id, webhook_secret!, secret.overlapHours);
        }
        const { position } = await handle(stream, command, cause);
        wrote(position);
        if (position !== undefined && !cause.dryRun) {
          await awaitReadModel(position);
          await queue.reroute(businessId, (await queries.settings(businessId)).destinations);
        }
        const settings = {
          ...(await toResponse(businessId)),
          ...(cause.dryRun &&
            definedFields(Object.entries({ ...input, webhook_event_types: types && choicesOf(types) }))),
        };
        return { result: true, webhook_settings: settings };
      },
    }),
  ];
}

const definedFields = (members: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(members.filter(([, value]) => value !== undefined));
