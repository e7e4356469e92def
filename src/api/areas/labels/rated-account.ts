/** Accounts of a business at carriers, as far as rates use them. */
import type { Outcome } from '../../../engines/outside/adapter.js';
import type { CarrierAdapter, CarrierCall, CarrierStop } from '../../../engines/outside/carriers/port.js';

export interface RatedMethod {
  readonly method_id: number;
  readonly code: string;
  readonly name: string;
  /** Name of the carrier that transports the parcels. */
  readonly carrier: string;
  readonly formats: readonly string[];
  readonly enabled: boolean;
  /** The carrier does not offer the method any more. */
  readonly withdrawn?: boolean | undefined;
  /** Rate card that turns the cost into the price of a customer without an own card. */
  readonly markup_card?: number | undefined;
}

export interface RatedAccount {
  readonly id: number;
  readonly business: number;
  readonly adapter: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly credential_id: string | undefined;
  readonly return_address?: Partial<CarrierStop> | undefined;
  readonly methods: readonly RatedMethod[];
}

/** Calls to carriers: adapters, credentials and circuit breakers. */
export interface CarrierAccess {
  /** Undefined: this version of the service does not have the adapter. */
  adapterOf(id: string): CarrierAdapter | undefined;
  /** Undefined: the account has no readable credentials. */
  callFor(account: RatedAccount, signal: AbortSignal): Promise<CarrierCall | undefined>;
  /** Makes a call through the circuit breaker of the account. */
  ask<Result>(account: RatedAccount, work: () => Promise<Outcome<Result>>): Promise<Outcome<Result>>;
}

/** Whether a label can be bought with the method now. */
export const isOffered = ({ enabled, withdrawn = false }: RatedMethod): boolean => enabled && !withdrawn;
