/** The area `double`, which exists only in tests: purchases at the double, and messages from it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { area } from '../../../src/areas/area.js';
import { effects } from '../../../src/areas/effects.js';
import type { AreaContext } from '../../../src/areas/area-context.js';
import { businessOf, userOf } from '../../../src/api/core/callers.js';
import { operation } from '../../../src/api/core/operation.js';
import { unseal } from '../../../src/events/core/codec.js';
import type { JsonObject } from '../../../src/events/core/log.js';
import type { InboundMessage } from '../../../src/effects/inbound.js';
import { createDoubleAdapters, type DoubleOptions } from './adapters.js';
import { double } from './decider.js';
import { DOUBLE_EVENTS, DOUBLE_PREFIX, DoubleOrdered, doubleStream, PURCHASE, purchaseSchema } from './events.js';

export interface DoubleAreaOptions extends DoubleOptions {
  /** Called with each message of the inbox. */
  readonly process?: (message: InboundMessage) => Promise<void>;
}

export const SIGNING_SECRET = 'signing secret of the double';
export const ACCOUNT = 'account-1';
/** The token in the address for messages to a business. */
export const tokenOf = (business: number): string => `token-of-business-${business}`;
export const signatureOf = (bytes: Buffer | string): string =>
  createHmac('sha256', SIGNING_SECRET).update(bytes).digest('hex');

export function createDoubleArea({ process = () => Promise.resolve(), ...options }: DoubleAreaOptions) {
  const adapters = createDoubleAdapters(options);
  return area({
    name: 'double',
    streams: [
      { prefix: DOUBLE_PREFIX, events: DOUBLE_EVENTS, tenant: 'business', erasure: 'own', effects: [PURCHASE] },
    ],
    effects: (_services, { handle, engines: { log, keyRing } }) => [
      {
        steps: PURCHASE,
        adapter: (name) => adapters.get(name),
        request: (stream) => purchaseOf(stream, { log, keyRing }),
        handle: handle(double),
      },
    ],
    inbound: () => [
      {
        adapter: 'double',
        accountOf: async (token) => {
          const business = Number(/^token-of-business-(\d+)$/.exec(token)?.[1]);
          return business > 0 ? { account: ACCOUNT, business } : undefined;
        },
        async verify({ bytes, header }) {
          const given = Buffer.from(header('x-signature') ?? '');
          const expected = Buffer.from(signatureOf(bytes));
          if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
          return header('x-message-id');
        },
        process,
      },
    ],
    operations: (_services, context) => doubleOperations(context),
  });
}

/** Orders a purchase, and shows its progress. */
function doubleOperations(context: AreaContext) {
  const { handle, of } = context;
  const send = handle(double);
  const { digestOf, expectAvailable, perform, credentials } = of(effects);
  return [
    operation({
      name: 'doubleOrder',
      area: 'Effects',
      summary: 'Order a purchase',
      rest: { method: 'post', path: '/v1/doubles/:double_id' },
      callers: ['client_admin'],
      writes: true,
      input: z.object({ double_id: z.string(), adapter: z.string(), ...purchaseSchema.shape }),
      output: z.object({ result: z.boolean(), effect_id: z.string(), step: z.string() }),
      async run({ double_id, adapter, ...purchase }, { caller, cause, wrote }) {
        const stream = doubleStream(double_id);
        expectAvailable({ adapter, account: ACCOUNT });
        const command = {
          do: 'order' as const,
          stream,
          business: businessOf(caller),
          adapter,
          account: ACCOUNT,
          digest: digestOf(purchase),
          ...purchase,
        };
        const { reply, changed, position } = await send(stream, command, cause);
        wrote(position);
        const effect = await perform({ stream, effect: reply.effect!, changed, cause });
        return { result: true, effect_id: effect.effectId, step: effect.step };
      },
    }),
    operation({
      name: 'doubleCredential',
      area: 'Effects',
      summary: 'Store a credential',
      rest: { method: 'put', path: '/v1/doubles/credentials/:credential_id' },
      callers: ['client_admin'],
      writes: true,
      input: z.object({ credential_id: z.uuid(), secret: z.string(), replaces: z.uuid().optional() }),
      output: z.object({
        result: z.boolean(),
        credential: z.object({ set: z.boolean(), last4: z.string().nullable() }),
      }),
      async run({ credential_id, secret, replaces }, { caller }) {
        const business = businessOf(userOf(caller));
        await credentials.add({ id: credential_id, business, kind: 'double_key', secret, replaces });
        return { result: true, credential: await credentials.shown(credential_id, business) };
      },
    }),
  ];
}

/** Decrypts the purchase of a stream; undefined: it was erased. */
async function purchaseOf(stream: string, { log, keyRing }: Pick<AreaContext['engines'], 'log' | 'keyRing'>) {
  for await (const { type, id, data } of log.read(stream, 0)) {
    if (type !== DoubleOrdered.type) continue;
    const opened: JsonObject = unseal(data, id, await keyRing.existing([stream]));
    return opened['note'] === undefined ? undefined : purchaseSchema.parse(opened);
  }
  return undefined;
}
