/**
 * Responses of GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/): media type, status, and errors
 * in the caller's language.
 */
import type { Request, Response } from 'express';
import { GraphQLError, type ExecutionResult, type FormattedExecutionResult } from 'graphql';
import Negotiator from 'negotiator';
import type { Logger } from 'pino';
import { acceptedEncoding } from '../core/compression.js';
import type { Constant } from '../core/constant.js';
import { ApiError } from '../core/errors.js';
import { chooseLanguage } from '../core/messages/index.js';
import { isFailure, toApiError } from '../core/problem.js';
import { Refused } from './documents.js';
import { causeOf, formatError, type ErrorContext } from './errors.js';

const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'];
export const EVENT_STREAM = 'text/event-stream';

/** The media type of the response. Throws NOT_ACCEPTABLE. */
export function negotiate(request: Request): string {
  const known = [...MEDIA_TYPES, EVENT_STREAM];
  const chosen = new Negotiator(request).mediaType(known);
  if (chosen !== undefined) return chosen;
  const allowed = known.join(', ');
  throw new ApiError('NOT_ACCEPTABLE', {
    params: { allowed },
    errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed } }],
  });
}

export const errorContextOf = (request: Request, response: Response): ErrorContext => ({
  language: chooseLanguage(request.get('accept-language')),
  requestId: response.locals['requestId'] as string,
});

/** The result with formatted errors; internal errors are logged. */
export function formatResult(
  { data, errors, extensions }: ExecutionResult,
  errorContext: ErrorContext,
  logger: Logger,
): FormattedExecutionResult {
  return {
    ...(data !== undefined && { data }),
    ...(errors && {
      errors: errors.map((error) => formatError(reported(causeOf(error), errorContext, logger), errorContext, error)),
    }),
    ...(extensions && { extensions }),
  };
}

function reported(error: ApiError, { requestId }: ErrorContext, logger: Logger, response?: Response): ApiError {
  if (isFailure(error, response))
    logger.error({ requestId, code: error.code, err: error.cause }, 'graphql field failed');
  return error;
}

/** Responds to a request that was not executed, with its errors and the status of the first one. */
export function sendRefusal(thrown: unknown, request: Request, response: Response, logger: Logger): void {
  // The stream failed: a client that has received events gets no further data.
  if (response.headersSent) return void response.destroy();
  const errorContext = errorContextOf(request, response);
  const refusals =
    thrown instanceof Refused
      ? thrown.refusals
      : [{ error: reported(toApiError(thrown), errorContext, logger, response) }];
  const { status, headers } = refusals[0]!.error;
  const chosen = new Negotiator(request).mediaType(MEDIA_TYPES);
  response.status(status).set({ ...headers, 'Content-Language': errorContext.language });
  sendJson(response, chosen ?? MEDIA_TYPES[0]!, {
    errors: refusals.map(({ error, source }) =>
      formatError(error, errorContext, source instanceof GraphQLError ? { locations: source.locations } : {}),
    ),
  });
}

/** Sends a constant response, compressed if the client accepts it. */
export async function sendConstantJson(
  request: Request,
  response: Response,
  mediaType: string,
  { body, encoded }: Constant,
): Promise<void> {
  const encoding = acceptedEncoding(request);
  const bytes = encoding === undefined ? body : await encoded[encoding]();
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.set({ 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-store' });
  response.vary('Accept, Accept-Language, Authorization, Accept-Encoding');
  response.end(bytes);
}

export function sendJson(response: Response, mediaType: string, body: FormattedExecutionResult): void {
  response.set({ 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-store' });
  response.vary('Accept, Accept-Language, Authorization, Accept-Encoding');
  response.end(JSON.stringify(body));
}
