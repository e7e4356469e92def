/** The amounts of a wallet at a moment. Holds expire by the clock alone, even before their release is recorded. */
import { plus, type OpenHold, type WalletState } from './state.js';

export interface Funds {
  /** Balance plus credit limit minus held amounts: the amount that can be spent. */
  readonly available: string;
  /** Holds that have expired but are not released yet, oldest first. */
  readonly expired: readonly OpenHold[];
}

/** `at`: milliseconds since 1970. */
export const isExpired = ({ expiresAt }: Pick<OpenHold, 'expiresAt'>, at: number): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= at;

export function fundsAt(state: WalletState, at: number): Funds {
  const expired = [...state.holds.values()].filter((hold) => isExpired(hold, at));
  return { available: plus(state, state.customer, state.creditLimit, ...expired.map(({ left }) => left)), expired };
}
