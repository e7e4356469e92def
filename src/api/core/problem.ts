/** Errors as problem+json (RFC 9457), in the caller's language. */
import type { Request, Response } from 'express';
import { AppendTooLarge, LogUnavailable } from '../../events/core/log.js';
import { PasswordsBusy } from '../../engines/passwords.js';
import { isUnavailable } from '../../engines/postgres/failures.js';
import { DomainError } from '../../commands/core/domain-error.js';
import { ApiError, type FieldError } from './errors.js';
import type { ProblemType } from './operation.js';
import type { MessageCode } from './messages/messages.js';
import { chooseLanguage, isErrorCode, translate, type Language } from './messages/index.js';

const PROBLEM_JSON = 'application/problem+json';

/** Maximum number of faults that the text of INVALID_INPUT explains; `errors` contains all of them. */
const EXPLAINED = 3;

/** The parts of an error that its explanation uses. */
export type Explainable = Pick<ApiError, 'params' | 'errors'> & {
  readonly code: string;
  readonly says?: string | undefined;
};

/** The explanation of an error: the text of the code, or for invalid input the faults and their positions. */
export function explained({ code, says = code, params, errors }: Explainable, language: Language): string {
  if (code !== 'INVALID_INPUT' || errors.length === 0) return translate(says as MessageCode, params, language);
  const shown = errors.slice(0, EXPLAINED).map((one) => `${placeOf(one)}: ${textOf(one, language)}`);
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [translate('MORE_ERRORS', { count: more }, language)] : [])].join(' ');
}

const placeOf = ({ path, field }: FieldError): string => (path === '' ? field : path.slice(1));

/** The problem document of an error. The list of error codes has an anchor for every code. */
export function problemOf(
  error: ApiError,
  {
    language,
    requestId,
    baseUrl,
    typeOf = (code) => `${baseUrl}/api/docs/errors#${code}`,
  }: { language: Language; requestId: string; baseUrl: string; typeOf?: ProblemType | undefined },
): Record<string, unknown> {
  const message = explained(error, language);
  return {
    type: typeOf(error.code, error.status),
    title: translate(error.code, error.params, 'en'),
    status: error.status,
    detail: message,
    result: false,
    code: error.code,
    message,
    doc_url: `${baseUrl}/api/docs/errors#${error.code}`,
    ...(error.errors.length > 0 && { errors: error.errors.map((field) => localizeField(field, language)) }),
    ...error.members,
    request_id: requestId,
  };
}

export const localizeField = (error: FieldError, language: Language): Record<string, unknown> => ({
  field: error.field,
  path: error.path,
  code: error.code,
  message: textOf(error, language),
});

const textOf = ({ code, says = code, params = {}, message }: FieldError, language: Language): string =>
  message ?? translate(says as MessageCode, params, language);

/**
 * Converts any thrown value to an error for the caller. An unknown error becomes INTERNAL and reveals nothing of its
 * text.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof LogUnavailable || isUnavailable(error))
    return new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '1' }, cause: error });
  if (error instanceof PasswordsBusy)
    return new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '1' }, cause: error, isByDesign: true });
  if (error instanceof AppendTooLarge)
    return new ApiError('BODY_TOO_LARGE', {
      params: { max: error.limit },
      errors: [{ field: 'body', path: '', code: 'BODY_TOO_LARGE', params: { max: error.limit } }],
      cause: error,
    });
  if (error instanceof DomainError && isErrorCode(error.code))
    return new ApiError(error.code, {
      params: error.params,
      members: membersIn(error.params),
      headers: RETRIED.has(error.code) ? { 'Retry-After': '1' } : {},
      cause: error,
    });
  const status = (error as { status?: unknown } | null)?.status;
  // Errors that the HTTP layer finds: paths that cannot be decoded, invalid compression.
  if (error instanceof URIError)
    return new ApiError('INVALID_ENCODING', {
      says: 'PATH_ENCODING',
      errors: [{ field: 'path', path: '', code: 'INVALID_ENCODING', says: 'PATH_ENCODING' }],
      cause: error,
    });
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ApiError('INVALID_INPUT', {
      errors: [{ field: 'body', path: '', code: 'INVALID_INPUT', says: 'BODY_UNREADABLE' }],
      cause: error,
    });
  return new ApiError('INTERNAL', { cause: error });
}

/** Rejections by something that lasts less than a second: the client repeats the request. */
const RETRIED: ReadonlySet<string> = new Set(['PAYMENT_IN_PROGRESS']);

/** Amounts that clients show. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'available',
  'required',
  'remaining_amount',
  'shipping_price',
  'currency',
]);

/** Ids and amounts in the parameters of a rejection become members of the problem, because clients continue with them. */
const membersIn = (params: DomainError['params']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => name.endsWith('_id') || AMOUNTS.has(name)));

/**
 * Whether the error is a failure of the service, which is logged. Marks the response of a refusal by design, whose status
 * may be 5xx, too.
 */
export function isFailure({ status, isByDesign }: ApiError, response?: Response): boolean {
  if (isByDesign && response) response.locals['isRefusedByDesign'] = true;
  return status >= 500 && !isByDesign;
}

export function sendProblem(error: ApiError, request: Request, response: Response, baseUrl: string): void {
  const language = chooseLanguage(request.get('accept-language'));
  const requestId = response.locals['requestId'] as string;
  const typeOf = response.locals['problemType'] as ProblemType | undefined;
  const body = JSON.stringify(problemOf(error, { language, requestId, baseUrl, typeOf }));
  response
    .status(error.status)
    .set({ ...error.headers, 'Content-Type': PROBLEM_JSON, 'Content-Language': language, 'Cache-Control': 'no-store' });
  response.vary('Accept-Language');
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The same for several errors, in the language of an `Accept-Language` header. */
export function localizeFields(errors: readonly FieldError[], acceptLanguage: string | undefined) {
  const language = chooseLanguage(acceptLanguage);
  return errors.map((error) => localizeField(error, language));
}
