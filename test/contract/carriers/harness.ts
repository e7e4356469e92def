/**
 * How an adapter of a carrier takes part in the contract suite (contract.ts). Each adapter in
 * `src/engines/outside/carriers/index.ts` has a test file next to this one that calls `carrierContract(...)` with its
 * harness; adapters.test.ts checks that none is missing.
 */
import type { CarrierAdapter, CarrierShipment } from '../../../src/engines/outside/carriers/port.js';

/**
 * What goes wrong with the next call that would buy or void something:
 *
 * - `error_before`: an error of the carrier, which did not act.
 * - `error_after`: an error of the carrier, although it acted.
 * - `reset_after`: the connection is reset after the carrier acted.
 * - `broken_after`: the carrier acted, and its response does not parse.
 * - `slow_after`: the carrier acted, and its response is slower than the call may take.
 */
export type CarrierFault = 'error_before' | 'error_after' | 'reset_after' | 'broken_after' | 'slow_after';

export interface RunningCarrier {
  readonly adapter: CarrierAdapter;
  /** An account that the carrier accepts. */
  readonly account: {
    readonly business: number;
    readonly accountId: number;
    readonly settings: unknown;
    readonly credentials: unknown;
  };
  /** A shipment of one package that the carrier serves with this method. */
  readonly shipment: CarrierShipment;
  readonly method_code: string;
  /** A destination that the carrier does not serve. */
  readonly unserved: CarrierShipment;
  /** Number of labels that the carrier has sold to the account. */
  labelCount(): Promise<number>;
  /** The next purchase or void meets this fault. */
  failNext(fault: CarrierFault): Promise<void>;
  /** Timeout of one call in milliseconds. */
  readonly timeoutMs: number;
  stop(): Promise<void>;
}

export interface CarrierHarness {
  /** Id of the adapter. */
  readonly id: string;
  /** Why the suite cannot run here, such as a missing key. Absent: it runs. */
  readonly skipped?: string;
  /** The faults that `failNext` supports. */
  readonly faults: readonly CarrierFault[];
  start(): Promise<RunningCarrier>;
}
