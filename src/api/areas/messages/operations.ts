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
    summary: 'Say where an app of the caller is told something',
    rest: { method: 'put', path: '/v1/me/push-tokens/:device_id' },
    callers: USER_ROLES,
    writes: true,
    input: z.object({
      device_id: z.string().min(1).max(191).describe('Of the app on this device, for as long as it is installed.'),
      token: z.string().min(1).max(4_096).describe('As the platform gave it to the app.'),
      platform: z.enum(PLATFORMS),
    }),
    output: z.object({
      result: z.boolean(),
      push_token: z
        .object({ device_id: z.string(), platform: z.enum(PLATFORMS) })
        .meta({ id: 'PushToken' })
        .describe('Never the token itself.'),
    }),
    async run({ device_id, token, platform }, { caller, cause }) {
      if (!cause.rehearsal) await tokens.set(userOf(caller).userId, device_id, platform, token);
      return { result: true, push_token: { device_id, platform } };
    },
  }),

  operation({
    name: 'developerOutbox',
    area: 'User',
    summary: 'Messages that no channel is configured for, newest first',
    description: 'For those who try the service out: in production there is no outbox.',
    rest: { method: 'get', path: '/v1/developer/outbox' },
    callers: ['client_admin'],
    scopes: ['webhooks:read'],
    answers: { 404: 'In production there is no outbox.' },
    input: z.object(pageInput),
    output: z.object({
      ...pageOutput,
      messages: z.array(
        z
          .object({
            id: z.string(),
            channel: z.enum(['push']),
            to: z.int().describe('Id of the user.'),
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
