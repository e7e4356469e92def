/**
 * Errors in the GraphQL format: `extensions` contains the problem of REST in the caller's language. Internal details
 * are not included.
 */
import type { GraphQLError, GraphQLFormattedError, SourceLocation } from 'graphql';
import { ApiError } from '../core/errors.js';
import type { Language } from '../core/messages/index.js';
import { problemOf, toApiError } from '../core/problem.js';

export interface ErrorContext {
  readonly language: Language;
  readonly requestId: string;
}

/** The error's `message` and `extensions {code, status, errors, request_id, retryAfter}`. */
export function formatError(
  error: ApiError,
  { language, requestId }: ErrorContext,
  {
    path,
    locations,
  }: { path?: readonly (string | number)[] | undefined; locations?: readonly SourceLocation[] | undefined } = {},
): GraphQLFormattedError {
  const {
    message,
    type: _type,
    title: _title,
    detail: _detail,
    result: _result,
    ...extensions
  } = problemOf(error, { language, requestId, baseUrl: '' });
  const retryAfter = error.headers['Retry-After'];
  return {
    message: message as string,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { ...extensions, ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }) },
  };
}

/** The error that a field threw. A violation of the schema by the service itself becomes INTERNAL. */
export const causeOf = (error: GraphQLError): ApiError =>
  error.originalError ? toApiError(error.originalError) : new ApiError('INTERNAL', { cause: error });
