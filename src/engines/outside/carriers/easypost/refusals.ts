/**
 * Errors of EasyPost after which it certainly did not act. Every other error leaves the result unknown: among them
 * `SHIPMENT.POSTAGE.EXISTS`, `SHIPMENT.PURCHASE.IN_PROGRESS`, `...NO_RESPONSE`, `...TIMED_OUT`, 404, 429 and every 5xx.
 */
import { errorSchema } from './objects.js';

const MAX_TEXT = 500;
const MAX_PARTS = 10;

/** Statuses that say the same whatever their code is. */
const CODE_OF: Readonly<Record<number, string>> = { 401: 'UNAUTHORIZED', 402: 'PAYMENT_REQUIRED', 403: 'FORBIDDEN' };

const final = (...codes: readonly string[]) => Object.fromEntries(codes.map((code) => [code, { final: true }]));
const retryable = (...codes: readonly string[]) => Object.fromEntries(codes.map((code) => [code, { final: false }]));

/** The key of the account is not valid, or may not make this call. */
export const ACCESS_REFUSALS = {
  ...final('UNAUTHORIZED', 'FORBIDDEN', 'MODE.UNAUTHORIZED', 'USER.UNAUTHORIZED'),
  ...retryable('PAYMENT_REQUIRED'),
};

/** A shipment that EasyPost does not create. */
export const CREATE_REFUSALS = {
  ...ACCESS_REFUSALS,
  ...final(
    'ADDRESS.COUNTRY.INVALID',
    'ADDRESS.PARAMETERS.INVALID',
    'ADDRESS.PARAMETERS.INVALID_CHARACTER',
    'ADDRESS.VERIFICATION.FAILURE',
    'ADDRESS.VERIFICATION.INVALID',
    'ADDRESS.VERIFICATION.NOT_FOUND',
    'ADDRESS.VERIFY.FAILURE',
    'ADDRESS.VERIFY.MISSING_CITY_STATE_ZIP',
    'ADDRESS.VERIFY.MISSING_STREET',
    'BAD_REQUEST',
    'CARRIER_ACCOUNT.INVALID',
    'CUSTOMS_INFO.PARAMETERS.INVALID',
    'CUSTOMS_ITEM.CURRENCY.ONE_CURRENCY_SUPPORTED',
    'CUSTOMS_ITEM.ORIGIN_COUNTRY.REQUIRED',
    'CUSTOMS_ITEM.PARAMETERS.INVALID',
    'PARAMETER.FORBIDDEN',
    'PARAMETER.INVALID',
    'PARAMETER.REQUIRED',
    'PARCEL.PARAMETERS.INVALID',
    'SHIPMENT.CARRIER_ACCOUNTS.CONFLICT',
    'SHIPMENT.CUSTOMS_INFO.DESCRIPTION_REQUIRED',
    'SHIPMENT.CUSTOMS_INFO.REQUIRED',
    'SHIPMENT.INVALID',
    'SHIPMENT.INVALID_PARAMS',
    'SHIPMENT.MISSING_INFORMATION',
    'SHIPMENT.OPTIONS.INVALID',
    'UNPROCESSABLE_ENTITY',
  ),
};

/** A purchase that EasyPost or the carrier declines. The adapter confirms it by reading the shipment. */
export const BUY_REFUSALS = {
  ...CREATE_REFUSALS,
  ...final(
    'INSURANCE.AMOUNT.ABOVE_MAXIMUM',
    'INSURANCE.AMOUNT.BELOW_MINIMUM',
    'INSURANCE.PURCHASE.NOT_ALLOWED',
    'SHIPMENT.MISSING_RATE',
    'SHIPMENT.POSTAGE.ASCII',
    'SHIPMENT.POSTAGE.FORMAT_UNAVAILABLE',
    'SHIPMENT.POSTAGE.INVALID_FORMAT',
    'SHIPMENT.RATE.BARCODE_UNAVAILABLE',
    'SHIPMENT.RATE.CARRIER_ACCOUNT_INVALID',
    'SHIPMENT.RATE.STAMP_UNAVAILABLE',
  ),
  ...retryable('SHIPMENT.POSTAGE.FAILURE', 'SHIPMENT.PURCHASE.FAILURE', 'SHIPMENT.RATES.UNAVAILABLE'),
};

/** A refund that the carrier does not give. */
export const REFUND_REFUSALS = {
  ...ACCESS_REFUSALS,
  ...final('SHIPMENT.REFUND.UNAVAILABLE'),
  ...retryable('SHIPMENT.REFUND.FAILURE', 'REFUND.FAILURE'),
};

/** A scan form that is not created. */
export const SCAN_FORM_REFUSALS = {
  ...ACCESS_REFUSALS,
  ...final(
    'BATCH.PARAMS.INVALID',
    'PARAMETER.REQUIRED',
    'SCAN_FORM.BATCH.MULTIPLE_CARRIERS',
    'SCAN_FORM.BATCH.NOT_PURCHASED',
    'SCAN_FORM.CREATE.CARRIER_NOT_SUPPORTED',
    'SCAN_FORM.SHIPMENTS.INVALID',
    'SCAN_FORM.SHIPMENTS.REQUIRED',
  ),
  ...retryable('SCAN_FORM.CREATE.FAILURE', 'SCAN_FORM.FAILURE'),
};

/** A label that cannot be converted to the format. */
export const LABEL_REFUSALS = {
  ...ACCESS_REFUSALS,
  ...final(
    'DOCUMENT.CONVERSION.FAILURE',
    'IMAGE.CONVERSION.FAILURE',
    'SHIPMENT.POSTAGE.FORMAT_UNAVAILABLE',
    'SHIPMENT.POSTAGE.INVALID_FORMAT',
    'SHIPMENT.POSTAGE.REQUIRED',
  ),
};

/** The code and the text of an error response. */
export function refusalOf(json: unknown, status: number): { readonly code: string; readonly text?: string } {
  const { code = `status_${status}`, message, errors } = errorSchema.safeParse(json).data?.error ?? {};
  const parts = [message, ...(errors ?? [])].slice(0, MAX_PARTS).map(textOf).filter(Boolean);
  const text = [...new Set(parts)].join(' ').slice(0, MAX_TEXT);
  return { code: CODE_OF[status] ?? code, ...(text !== '' && { text }) };
}

/** `errors` has texts, or objects with the field that is wrong. */
function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  const { field, message } = (part ?? {}) as { readonly field?: unknown; readonly message?: unknown };
  return [field, message].filter((one) => typeof one === 'string').join(': ');
}
