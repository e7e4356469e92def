/** Messages to users: push notifications to phones, or a local outbox outside production. */
import { MESSAGE_EXAMPLES } from '../api/areas/messages/examples.js';
import { messageOperations } from '../api/areas/messages/operations.js';
import { createMessenger } from '../engines/messages/messenger.js';
import { createOutbox } from '../engines/messages/outbox.js';
import { createPushTokens } from '../engines/postgres/push-tokens.js';
import { accountIdsIn } from '../events/accounts/events.js';
import { area } from './area.js';

export const messages = area({
  name: 'messages',
  examples: MESSAGE_EXAMPLES,
  services({ config, engines: { pool, vault }, now, logger }) {
    const tokens = createPushTokens(pool, vault);
    const outbox = config.production ? undefined : createOutbox(config.dataDir);
    const messenger = createMessenger({
      tokens,
      gateway: config.pushGateway,
      outbox,
      now,
      onError: (error, message) => logger.error({ ...message, err: error }, 'a push message was not delivered'),
    });
    return { tokens, outbox, messenger };
  },
  operations: ({ tokens, outbox }) => messageOperations({ tokens, outbox }),
  forget:
    ({ tokens, outbox }) =>
    async (keys) => {
      const users = accountIdsIn(keys);
      if (users.length > 0) await Promise.all([tokens.forget(users), outbox?.forget(users)]);
    },
});
