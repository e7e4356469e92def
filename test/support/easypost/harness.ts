/** EasyPost, or its double, in the contract suite of all adapters. */
import type { CarrierFault, CarrierHarness } from '../../contract/carriers/harness.js';
import { callWith, easypostAt, METHOD, SHIPMENT } from './calls.js';
import type { EasypostAccount } from './contract.js';

/** A server with the protocol of EasyPost. */
export interface RunningEasypost extends EasypostAccount {
  readonly labelCount: () => Promise<number>;
  readonly failNext: (fault: CarrierFault) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface HarnessOptions {
  readonly faults: readonly CarrierFault[];
  /** Timeout of a call in milliseconds. */
  readonly timeoutMs: number;
  readonly open: () => Promise<RunningEasypost>;
}

const ABROAD = {
  contents: 'gift',
  incoterm: 'DAP',
  items: [{ description: 'Cup', quantity: 1, value: '5.00', currency: 'USD', weight_kg: 0.3, origin: 'US' }],
} as const;

export const easypostHarness = ({ faults, timeoutMs, open }: HarnessOptions): CarrierHarness => ({
  id: 'easypost',
  faults,
  async start() {
    const { url, key, labelCount, failNext, stop } = await open();
    const { signal: _signal, ...account } = callWith({ key });
    return {
      adapter: easypostAt(url),
      account,
      shipment: SHIPMENT,
      method_code: METHOD,
      unserved: { ...SHIPMENT, to: { ...SHIPMENT.to, country: 'AQ' }, customs: ABROAD },
      labelCount,
      failNext,
      timeoutMs,
      stop,
    };
  },
});
