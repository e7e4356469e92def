/** Calls to carriers: the adapter of an account, its opened credentials, and its circuit breaker. */
import { undefinedIfTampered, type Credentials } from '../../engines/postgres/credentials.js';
import type { CarrierAdapter, CarrierCall } from '../../engines/outside/carriers/port.js';
import type { Account, Circuits } from '../../engines/outside/circuits.js';
import type { Outcome } from '../../engines/outside/adapter.js';
import type { CarrierAccount } from '../../projections/carrier-accounts/queries.js';

/** What a call needs to know of an account. */
export type CalledAccount = Pick<CarrierAccount, 'id' | 'business' | 'adapter' | 'settings' | 'credential_id'>;

export interface CarrierCallsOptions {
  readonly carriers: ReadonlyMap<string, CarrierAdapter>;
  readonly credentials: Pick<Credentials, 'secretOf'>;
  readonly circuits: Pick<Circuits, 'waitOf' | 'note'>;
}

/** The circuit of the account is open: nothing is sent. */
export const CARRIER_UNAVAILABLE = { is: 'unknown', cause: 'circuit_open' } as const;

export interface CarrierCalls {
  /** Undefined: this version of the service does not have the adapter. */
  adapterOf(id: string): CarrierAdapter | undefined;
  /** Opens the credentials. Undefined: they were destroyed, or the stored text was tampered with. */
  callFor(account: CalledAccount, signal: AbortSignal): Promise<CarrierCall | undefined>;
  /** The name of the account for effects and circuits. */
  circuitOf(account: Pick<CarrierAccount, 'id' | 'adapter'>): Account;
  /** Milliseconds until the next call is allowed; 0: now. */
  waitOf(account: Pick<CarrierAccount, 'id' | 'adapter'>): number;
  /**
   * Makes a call that changes nothing at the carrier, through the circuit breaker. An exception counts as an unknown
   * result.
   */
  ask<Result>(
    account: Pick<CarrierAccount, 'id' | 'adapter'>,
    work: () => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>>;
}

export function createCarrierCalls({ carriers, credentials, circuits }: CarrierCallsOptions): CarrierCalls {
  const circuitOf = ({ id, adapter }: Pick<CarrierAccount, 'id' | 'adapter'>): Account => ({
    adapter,
    account: String(id),
  });

  return {
    adapterOf: (id) => carriers.get(id),
    circuitOf,
    waitOf: (account) => circuits.waitOf(circuitOf(account)),

    async callFor({ id, business, settings, credential_id }, signal) {
      const secret =
        credential_id === undefined
          ? '{}'
          : await credentials.secretOf(credential_id, business).catch(undefinedIfTampered);
      if (secret === undefined) return undefined;
      return { business, accountId: id, settings, credentials: JSON.parse(secret) as unknown, signal };
    },

    async ask(account, work) {
      if (circuits.waitOf(circuitOf(account)) > 0) return CARRIER_UNAVAILABLE;
      const outcome = await work().catch((): Outcome<never> => ({ is: 'unknown', cause: 'exception' }));
      circuits.note(circuitOf(account), outcome.is !== 'unknown');
      return outcome;
    },
  };
}
