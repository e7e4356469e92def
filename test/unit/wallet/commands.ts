/** Short forms of commands to one wallet in EUR. A number selects the id. */
import type { WalletChange, WalletCommand } from '../../../src/commands/wallet/command.js';
import { derivedId } from '../../../src/events/otep/identity.js';

export const NOW = Date.parse('2026-03-01T10:00:00Z');
export const HOUR = 3_600_000;
export const WALLET = { business: 1, accountId: 7, currency: 'EUR' } as const;
export const idOf = (n: number): string => derivedId('test', n);

/** A command at NOW, or `later` milliseconds after it. */
export const command = (change: WalletChange, later = 0): WalletCommand => ({ ...WALLET, at: NOW + later, ...change });

const ORDER = { family: 'local_delivery', orderId: 3 } as const;

export const credit = (n: number, amount: string, later = 0): WalletCommand =>
  command({ do: 'credit', entryId: idOf(n), amount, source: 'bank', reference: 'Invoice 4' }, later);
export const adjust = (n: number, amount: string): WalletCommand =>
  command({ do: 'adjust', entryId: idOf(n), amount, reason: 'counted twice', by: 2 });
/** Expires one hour after NOW. */
export const hold = (n: number, amount: string, later = 0): WalletCommand =>
  command({ do: 'hold', holdId: idOf(n), amount, ...ORDER, expiresAt: new Date(NOW + HOUR).toISOString() }, later);
export const release = (n: number, later = 0): WalletCommand =>
  command({ do: 'release', holdId: idOf(n), why: 'released' }, later);
/** `held`: the number of the hold that pays; absent: the available amount. */
export const capture = (n: number, amount: string, held?: number, later = 0): WalletCommand =>
  command({ do: 'capture', entryId: idOf(n), amount, ...ORDER, ...(held && { holdId: idOf(held) }) }, later);
export const giveBack = (n: number, payment: number, amount: string): WalletCommand =>
  command({ do: 'return', entryId: idOf(n), paymentId: idOf(payment), amount, ...ORDER, why: 'cancelled' });
export const withdraw = (n: number, amount: string): WalletCommand =>
  command({ do: 'withdraw', entryId: idOf(n), amount, why: 'refund_to_bank' });
export const dispute = (n: number, amount: string): WalletCommand =>
  command({ do: 'withdraw', entryId: idOf(n), amount, why: 'dispute', provider: 'test' });
export const terms = (n: number, change: { creditLimit?: string; frozen?: boolean }): WalletCommand =>
  command({ do: 'setTerms', entryId: idOf(n), ...change });
