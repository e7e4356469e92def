/** Runs GraphQL documents for other interfaces than HTTP, with the same limits, rules and responses. */
import { execute, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { ApiError } from '../core/errors.js';
import { chooseLanguage } from '../core/messages/index.js';
import type { Call } from '../core/call.js';
import type { Invoke } from '../core/invoke.js';
import { once } from '../core/once.js';
import { formatResult } from './response.js';
import { createCalls } from './calls.js';
import { checkTransport, createDocuments, Refused } from './documents.js';
import { formatError } from './errors.js';
import { tooComplex } from './limits.js';

export type RunGraphQL = (
  request: {
    readonly query: string;
    readonly variables?: Readonly<Record<string, unknown>> | undefined;
    readonly operationName?: string | undefined;
  },
  call: Call,
  invoke: Invoke,
) => Promise<Readonly<Record<string, unknown>>>;

/** Errors in the document are in `errors`, like errors of a field; other errors are thrown. */
export function createRunGraphQL(schema: () => GraphQLSchema, logger: Logger): RunGraphQL {
  const prepare = once(() => createDocuments(schema()));
  return async (request, { caller, address, requestId, header }, invoke) => {
    const errorContext = { language: chooseLanguage(header('accept-language')), requestId };
    try {
      const { document, operation, variables, operationName, isLargeIntrospection } = prepare()(
        Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)),
      );
      checkTransport(operation, false);
      if (isLargeIntrospection) throw tooComplex('introspection_inline');
      const calls = createCalls(invoke, { caller, address, requestId, header }, operation);
      const result = await execute({
        schema: schema(),
        document,
        variableValues: variables,
        operationName: operationName ?? null,
        contextValue: { ...calls, subscribe: () => Promise.reject(new ApiError('INTERNAL')) },
      });
      return { ...formatResult(result, errorContext, logger) };
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      return {
        errors: thrown.refusals.map(({ error, source }) =>
          formatError(error, errorContext, source instanceof GraphQLError ? { locations: source.locations } : {}),
        ),
      };
    }
  };
}
