/** Error names of the EPCIS REST bindings: `type` of problem documents. Source: EPCIS 2.0, section 12 (OpenAPI). */
import type { ProblemType } from '../../core/operation.js';

const exception = (name: string): string => `epcisException:${name}Exception`;

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Security',
  403: 'Security',
  404: 'NoSuchResource',
  406: 'NotAcceptable',
  413: 'CaptureLimitExceeded',
  414: 'URITooLong',
  415: 'UnsupportedMediaType',
};

/** `badRequestName`: name for invalid requests, `Validation` for captures and `QueryParameter` for queries. */
const exceptionType =
  (badRequestName: string): ProblemType =>
  (_code, status) =>
    exception(BY_STATUS[status] ?? (status >= 500 ? 'Implementation' : badRequestName));

export const captureProblemType = exceptionType('Validation');
export const queryProblemType = exceptionType('QueryParameter');

const SECURITY_CODES: ReadonlySet<string> = new Set([
  'UNKNOWN_SHIPMENT',
  'NUMBER_RESERVED',
  'NOT_YOUR_SHIPMENT',
  'NOT_YOUR_EVENT',
]);

/** Whether an event was rejected because the caller may not report it. */
export const isSecurity = (code: string): boolean => SECURITY_CODES.has(code);
export const eventExceptionOf = (code: string): string => exception(isSecurity(code) ? 'Security' : 'Validation');
