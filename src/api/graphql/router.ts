/** Handles `/api/graphql`: one request, from authentication to the response. */
import express, { type Request, type Response, type Router } from 'express';
import { execute, type ExecutionArgs, type GraphQLSchema } from 'graphql';
import { networkOf } from '../../engines/network-of.js';
import { pathOf } from '../core/authenticate.js';
import { principalOf, type Caller } from '../core/callers.js';
import { ApiError } from '../core/errors.js';
import { bodyOf, parseBody } from '../core/body.js';
import { bodyClientOf } from '../core/body-shares.js';
import { addressOf } from '../core/client-address.js';
import { endUnlessBodyArrives } from '../core/collect-body.js';
import { neverCompress } from '../core/compression.js';
import { createRefusalLimit } from '../core/uncounted-requests.js';
import { once } from '../core/once.js';
import type { Parts } from '../core/parts.js';
import type { Limit } from '../core/rate-limit.js';
import {
  EVENT_STREAM,
  formatResult,
  negotiate,
  sendConstantJson,
  sendJson,
  sendRefusal,
  errorContextOf,
} from './response.js';
import { createCalls } from './calls.js';
import { checkTransport, createDocuments } from './documents.js';
import { graphiql } from './graphiql.js';
import { createIntrospection } from './introspection.js';
import type { GraphQLContext } from './schema.js';
import type { Streams } from './streams.js';

export interface GraphQLOptions extends Parts<'authenticate' | 'invoke' | 'logger'> {
  readonly schema: () => GraphQLSchema;
  /** Throws RATE_LIMITED. */
  readonly limit: Limit;
  readonly streams: Streams;
  /** Whether browsers get a page for trying queries. */
  readonly explorer: boolean;
}

const ROUTE = '/api/graphql';

export function createGraphQLRouter({
  schema,
  authenticate,
  limit,
  invoke,
  streams,
  explorer,
  logger,
}: GraphQLOptions): Router {
  const prepare = once(() => createDocuments(schema()));
  const introspection = createIntrospection(schema);
  const router = express.Router();
  if (explorer) router.use(graphiql(createRefusalLimit(limit)));

  async function serve(request: Request, response: Response): Promise<void> {
    response.locals['route'] = ROUTE;
    const address = addressOf(request, response);
    const client: { caller?: Caller } = {};
    let counted = false;
    const answer = async (): Promise<void> => {
      if (request.method !== 'POST')
        throw new ApiError('METHOD_NOT_ALLOWED', {
          params: { method: request.method, allowed: 'POST' },
          headers: { Allow: 'POST' },
        });
      const mediaType = negotiate(request);
      const caller = (client.caller = await authenticate(request.headers.authorization, pathOf(request)));
      await bodyOf(request, response, bodyClientOf(caller, address));
      // The parsed body replaces its bytes: streams read it there.
      request.body = parseBody(request.body, request.get('content-type'), ['application/json']);
      const prepared = prepare()(request.body);
      checkTransport(prepared.operation, mediaType === EVENT_STREAM);
      if (prepared.isLargeIntrospection) {
        const client = principalOf(caller) ?? networkOf(address);
        await limit('read', client);
        counted = true;
        return sendConstantJson(request, response, mediaType, await introspection.answer(prepared, client));
      }
      const calls = createCalls(
        invoke,
        { caller, address, requestId: response.locals['requestId'] as string, header: (name) => request.get(name) },
        prepared.operation,
      );
      const args = (context: GraphQLContext): ExecutionArgs => ({
        schema: schema(),
        document: prepared.document,
        variableValues: prepared.variables,
        operationName: prepared.operationName ?? null,
        contextValue: context,
      });
      if (mediaType === EVENT_STREAM)
        return streams.serve(request, response, { caller, args: (subscribe) => args({ ...calls, subscribe }) });
      const result = await execute(args({ ...calls, subscribe: () => Promise.reject(new ApiError('INTERNAL')) }));
      const position = calls.position();
      if (calls.returnedCredential()) neverCompress(response);
      // A request that contains only introspection counts against the limit, too.
      if (calls.count() === 0) await limit('read', principalOf(caller) ?? address);
      sendJson(
        response,
        mediaType,
        formatResult(
          { ...result, ...(position !== undefined && { extensions: { position } }) },
          errorContextOf(request, response),
          logger,
        ),
      );
    };
    try {
      await answer();
    } catch (refusal) {
      // Does not wait for a body that is not read.
      endUnlessBodyArrives(request, response);
      // Requests that cannot be executed count against the limit. Operations count themselves.
      if (!counted) await limit('read', (client.caller && principalOf(client.caller)) ?? address);
      throw refusal;
    }
  }

  router.all(
    '/',
    (request, response) =>
      void serve(request, response).catch((error: unknown) => sendRefusal(error, request, response, logger)),
  );
  return express.Router().use(ROUTE, router);
}
