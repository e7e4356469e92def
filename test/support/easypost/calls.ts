/** Calls of the adapter of EasyPost in tests. */
import { createEasypost } from '../../../src/engines/outside/carriers/easypost/easypost.js';
import type { CarrierCall, CarrierShipment, PurchaseRequest } from '../../../src/engines/outside/carriers/port.js';
import type { Outcome } from '../../../src/engines/outside/adapter.js';
import { EASYPOST_KEY } from './start-easypost.js';

export const easypostAt = (baseUrl: string) => createEasypost({ baseUrl, timeoutMs: 30_000 });

export interface CallOptions {
  readonly key?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly secret?: string;
}

export const callWith = ({ key = EASYPOST_KEY, settings = {}, signal, secret }: CallOptions = {}): CarrierCall => ({
  business: 6,
  accountId: 1,
  settings,
  credentials: { api_key: key, ...(secret !== undefined && { webhook_secret: secret }) },
  signal: signal ?? new AbortController().signal,
});

/** The shipment of the recordings. */
export const SHIPMENT: CarrierShipment = {
  from: {
    name: 'Jack Sparrow',
    street: '388 Townsend St',
    street_2: 'Apt 20',
    city: 'San Francisco',
    region: 'CA',
    postal_code: '94107',
    country: 'US',
    email: 'test@example.com',
    phone: '5555555555',
  },
  to: {
    name: 'Elizabeth Swan',
    street: '179 N Harbor Dr',
    city: 'Redondo Beach',
    region: 'CA',
    postal_code: '90277',
    country: 'US',
    email: 'test@example.com',
    phone: '5555555555',
  },
  packages: [{ package_id: '1', weight_kg: 0.436582656125, length_cm: 25.4, width_cm: 20.32, height_cm: 10.16 }],
  ship_date: '2024-07-30',
  options: {},
};

export const METHOD = 'usps.groundadvantage';

export const purchaseOf = (more: Partial<PurchaseRequest> = {}): PurchaseRequest => ({
  shipment: SHIPMENT,
  method_code: METHOD,
  label_format: 'png',
  label_size: '4x6',
  ...more,
});

/** The result of an outcome that is done. */
export function doneOf<Result>(outcome: Outcome<Result>): Result {
  if (outcome.is !== 'done') throw new Error(`not done: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** Reserves and buys as a worker does. */
export async function buy(
  adapter: ReturnType<typeof easypostAt>,
  call: CarrierCall,
  key: string,
  request: PurchaseRequest = purchaseOf(),
) {
  const { remoteId } = doneOf(await adapter.purchase.reserve!(call, key, request));
  return { remoteId, outcome: await adapter.purchase.act(call, key, request, remoteId) };
}
