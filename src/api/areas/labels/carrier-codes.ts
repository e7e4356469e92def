/**
 * Codes of carriers in responses. Staff get the code of the carrier. Customers get only the codes of this closed list,
 * because the code or the text of a carrier may concern the account of the business.
 */
import type { translate } from '../../core/messages/index.js';

type MessageCode = Parameters<typeof translate>[0];

/** The codes of the service, each with the message that explains it. */
export const EXPLAINED_CODES: Readonly<Record<string, MessageCode>> = {
  NOT_SERVED: 'CARRIER_NOT_SERVED',
  CARRIER_UNAVAILABLE: 'CARRIER_UNAVAILABLE',
  CREDENTIALS_MISSING: 'CREDENTIALS_MISSING',
  NO_CARRIER_ACCOUNT: 'NO_CARRIER_ACCOUNT',
  CURRENCY_MISMATCH: 'CURRENCY_MISMATCH',
  DIMENSIONS_NEEDED: 'SIDES_NEEDED',
  NO_CARD: 'NO_CARD',
  ADDRESS_INCOMPLETE: 'ADDRESS_INCOMPLETE',
  SERVICE_RESTRICTED: 'SERVICE_RESTRICTED',
  TOO_HEAVY: 'TOO_HEAVY',
  TOO_LARGE: 'TOO_LARGE',
  TOO_MANY_PACKAGES: 'TOO_MANY_PACKAGES',
  AFTER_CUTOFF: 'AFTER_CUTOFF',
};

/** Every other refusal of a carrier. */
export const REFUSED = 'SHIPMENT_REFUSED';

/** Whether the carrier account of the business works is not the concern of its customers. */
const OF_THE_BUSINESS: Readonly<Record<string, string>> = { CREDENTIALS_MISSING: 'CARRIER_UNAVAILABLE' };

export const CUSTOMER_CODES: readonly string[] = [
  ...Object.keys(EXPLAINED_CODES).filter((code) => !Object.hasOwn(OF_THE_BUSINESS, code)),
  REFUSED,
];
const KNOWN: ReadonlySet<string> = new Set(CUSTOMER_CODES);

/** The code as the caller sees it. */
export function shownCode(code: string, { isCustomer }: { readonly isCustomer: boolean }): string {
  if (!isCustomer) return code;
  const shown = OF_THE_BUSINESS[code] ?? code;
  return KNOWN.has(shown) ? shown : REFUSED;
}

/** For the descriptions of members. */
export const CUSTOMERS_GET = `Customers get only \`CARRIER_UNAVAILABLE\`, \`NOT_SERVED\`, and for every other reason \`${REFUSED}\`.`;

/** The reason of an attempt at a carrier, which may be about its account. Customers get three codes. */
export const shownFailure = (code: string, to: { readonly isCustomer: boolean }): string =>
  to.isCustomer && !['CARRIER_UNAVAILABLE', 'NOT_SERVED'].includes(shownCode(code, to)) ? REFUSED : shownCode(code, to);
