/** The error of a payment that a wallet refused. */
import type { Settled } from '../../../commands/bill/settling.js';
import { DomainError } from '../../../commands/core/domain-error.js';

/** Contains the amounts of the refusal, for clients. */
export const refusedPayment = ({ code, ...amounts }: Settled['refusal'] & object, currency: string): DomainError =>
  new DomainError(code, { ...(amounts as Record<string, string>), currency });
