/**
 * Errors as GraphQL reports them: the problem of REST in `extensions`, in the caller's language, and not a word of what
 * went wrong inside.
 */
import type { GraphQLError, GraphQLFormattedError, SourceLocation } from 'graphql';
import { ApiError } from '../core/errors.js';
import type { Language } from '../core/messages/index.js';
import { problemOf, toApiError } from '../core/problem.js';

export interface Telling {
  readonly language: Language;
  readonly requestId: string;
}

/** The error's `message` and `extensions {code, status, errors, request_id, retryAfter}`. */
export function formatError(
  error: ApiError,
  { language, requestId }: Telling,
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

/** What the execution of a field threw; a broken promise of our own schema is INTERNAL. */
export const causeOf = (error: GraphQLError): ApiError =>
  error.originalError ? toApiError(error.originalError) : new ApiError('INTERNAL', { cause: error });
