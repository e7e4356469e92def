/** Registration of apps for push messages, and the developer outbox. */
import { z } from 'zod';
import { USER_ROLES } from '../../../events/accounts/events.js';
import type { Outbox } from '../../../engines/messages/outbox.js';
import { PLATFORMS, type PushTokens } from '../../../engines/postgres/push-tokens.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { pageOfRows } from '../../../projections/core/page-of-rows.js';

export interface MessageOperationsOptions {
  readonly tokens: Pick<PushTokens, 'set'>;
  readonly outbox: Pick<Outbox, 'list'> | undefined;
}

export const messageOperations = ({ tokens, outbox }: MessageOperationsOptions): Operation[] => [
  operation({
    name: 'pushTokenSet',
    area: 'User',
    summary: 'Register a device for push messages',
    description:
      'Stores the push token of an app of the caller. Call it again with the same `device_id` when the platform issues a new token.',
    rest: { method: 'put', path: '/v1/me/push-tokens/:device_id' },
    callers: USER_ROLES,
    // Messages to the account would go to the device, so this is an action of the user, not of a program.
    scopes: ['sessions:write'],
    writes: true,
    input: z.object({
      device_id: z
        .string()
        .min(1)
        .max(191)
        .describe('Id of the app installation on this device. It stays the same until the app is removed.'),
      token: z.string().min(1).max(4_096).describe('Push token that the platform issued to the app.'),
      platform: z.enum(PLATFORMS),
    }),
    output: z.object({
      result: z.boolean(),
      push_token: z
        .object({ device_id: z.string(), platform: z.enum(PLATFORMS) })
        .meta({ id: 'PushToken' })
        .describe('The token itself is never returned.'),
    }),
    async run({ device_id, token, platform }, { caller, cause }) {
      if (!cause.dryRun) await tokens.set(userOf(caller).userId, device_id, platform, token);
      return { result: true, push_token: { device_id, platform } };
    },
  }),

  operation({
    name: 'developerOutbox',
    area: 'User',
    summary: 'List messages in the developer outbox',
    description:
      'Use it to try out the service. Lists the messages for which no channel is configured, newest first. These messages were not delivered. A production system has no outbox.',
    rest: { method: 'get', path: '/v1/developer/outbox' },
    callers: ['client_admin'],
    scopes: ['webhooks:read'],
    answers: { 404: 'A production system has no outbox.' },
    input: z.object(pageInput),
    output: z.object({
      ...pageOutput,
      messages: z.array(
        z
          .object({
            id: z.string(),
            channel: z.enum(['push']),
            to: z.int().describe('Id of the recipient user.'),
            type: z.string(),
            data: z.record(z.string(), z.string()),
            at: z.string(),
            delivered: z.literal(false),
            outbox: z.literal(true),
          })
          .meta({ id: 'OutboxMessage' }),
      ),
    }),
    async run(page, { caller }) {
      if (!outbox) throw new ApiError('NOT_FOUND');
      const all = await outbox.list(businessOf(caller));
      const { rows, ...found } = pageOfRows(all, rangeOf(page), ({ id }) => id);
      const messages = rows.map(
        ({ business: _business, ...message }) => ({ ...message, delivered: false, outbox: true }) as const,
      );
      return { ...pageOf(page, found), messages };
    },
  }),
];
