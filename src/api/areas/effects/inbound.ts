/** Receives signed messages from external systems. */
import { z } from 'zod';
import type { Inbox } from '../../../engines/postgres/inbox.js';
import type { InboundAdapter } from '../../../effects/inbound.js';
import { EVERYBODY } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';

const MAX_BYTES = 262_144;

export interface InboundOptions {
  readonly inbox: Pick<Inbox, 'add'>;
  /** By name. */
  readonly adapters: () => ReadonlyMap<string, InboundAdapter>;
  /** Called when a new message is stored. */
  readonly messageAdded: () => void;
}

export function inboundOperations({ inbox, adapters, messageAdded }: InboundOptions): Operation[] {
  return [
    operation({
      name: 'inboundMessage',
      area: 'Effects',
      summary: 'Receive a message from an external system',
      description:
        'External systems call this address. The settings of an account show it as `webhook_url`. The body is at most 256 kB, and the external system signs it. A repeated message changes nothing. The service processes the message after it has sent the response.',
      rest: { method: 'post', path: '/v1/inbound/:adapter/:account_token', bytes: MAX_BYTES, raw: true },
      callers: EVERYBODY,
      limitedAs: 'write',
      streams: true,
      answers: {
        401: 'The signature is not valid (`BAD_SIGNATURE`).',
        404: 'There is no such adapter or account.',
        413: 'The body is too large (`BODY_TOO_LARGE`).',
      },
      input: z.object({
        adapter: z.string().max(100).describe('Name of the external system.'),
        account_token: z.string().max(200).describe('Secret token of the account.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ adapter: name, account_token }, { bytes = Buffer.alloc(0), header }) {
        const adapter = adapters().get(name);
        const account = await adapter?.accountOf(account_token);
        if (!adapter || !account) throw new ApiError('NOT_FOUND');
        const messageId = await adapter.verify({ ...account, bytes, header });
        if (messageId === undefined) throw new ApiError('BAD_SIGNATURE');
        if (await inbox.add({ ...account, adapter: name, messageId, bytes })) messageAdded();
        return { result: true };
      },
    }),
  ];
}
