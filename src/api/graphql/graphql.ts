/** The GraphQL interface, made of the operations and the feeds. */
import type { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Feed } from '../core/feed.js';
import type { Following } from '../core/following.js';
import type { Operation } from '../core/operation.js';
import { createGraphQLRouter, type GraphQLOptions } from './router.js';
import { createSchema } from './schema.js';
import { createStreams } from './streams.js';

export interface GraphQL {
  readonly router: Router;
  readonly schema: GraphQLSchema;
}

export function createGraphQL({
  operations,
  feeds,
  following,
  ...options
}: Omit<GraphQLOptions, 'schema' | 'streams'> & {
  readonly operations: readonly Operation[];
  readonly feeds: readonly Feed[];
  readonly following: Following;
}): GraphQL {
  const streams = createStreams({ following, logger: options.logger });
  const schema = createSchema(operations, feeds);
  return { schema, router: createGraphQLRouter({ ...options, schema, streams }) };
}
