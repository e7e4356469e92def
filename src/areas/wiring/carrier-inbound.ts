/** Receives the signed messages of carriers. Their events become scans on the timelines of parcels. */
import { createHash } from 'node:crypto';
import type { InboundAdapter } from '../../effects/inbound.js';
import type { CarrierAdapter } from '../../engines/outside/carriers/port.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { CarrierScans } from './carrier-scans.js';

export interface CarrierInboundOptions {
  readonly carriers: ReadonlyMap<string, CarrierAdapter>;
  readonly accounts: Pick<CarrierAccountQueries, 'byId' | 'byToken'>;
  readonly calls: Pick<CarrierCalls, 'callFor'>;
  readonly scans: CarrierScans;
}

/** The inbound adapters of all carriers that send messages. */
export function createCarrierInbound({ carriers, accounts, calls, scans }: CarrierInboundOptions): InboundAdapter[] {
  return [...carriers.values()].flatMap((adapter): InboundAdapter[] => {
    const { inbound } = adapter;
    if (!inbound) return [];
    return [
      {
        adapter: adapter.id,

        async accountOf(token) {
          const found = await accounts.byToken(adapter.id, token);
          return found && { account: String(found.id), business: found.business };
        },

        async verify({ account, business, bytes, header }) {
          const found = await accounts.byId(Number(account), business);
          const call = found && (await calls.callFor(found, new AbortController().signal));
          if (!call || !inbound.verify(header, bytes, call.credentials)) return undefined;
          return messageIdIn(bytes, inbound.messageId);
        },

        async process({ account, business, bytes }) {
          const found = await accounts.byId(Number(account), business);
          const body = jsonIn(bytes);
          if (!found || body === undefined) return;
          const { failed } = await scans.write(found, adapter, inbound.events(body));
          for (const [, error] of failed) throw error;
        },
      },
    ];
  });
}

/** The id that the carrier gave, or one that follows from the bytes. */
function messageIdIn(bytes: Buffer, read: (body: unknown) => string | undefined): string {
  const body = jsonIn(bytes);
  const given = body === undefined ? undefined : read(body);
  return given ?? createHash('sha256').update(bytes).digest('hex');
}

/** Undefined: no JSON. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
