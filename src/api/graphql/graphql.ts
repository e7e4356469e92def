/** The GraphQL interface, derived from the operations and the feeds. */
import type { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Feed } from '../core/feed.js';
import type { Subscriptions } from '../core/subscriptions.js';
import { once } from '../core/once.js';
import type { Operation } from '../core/operation.js';
import { createGraphQLRouter, type GraphQLOptions } from './router.js';
import { createSchema } from './schema.js';
import { createStreams } from './streams.js';

export interface GraphQL {
  readonly router: Router;
  readonly schema: () => GraphQLSchema;
}

export function createGraphQL({
  operations,
  feeds,
  subscriptions,
  ...options
}: Omit<GraphQLOptions, 'schema' | 'streams'> & {
  readonly operations: readonly Operation[];
  readonly feeds: readonly Feed[];
  readonly subscriptions: Subscriptions;
}): GraphQL {
  const streams = createStreams({ subscriptions, logger: options.logger });
  // Created at first use: it takes as long as the rest of the startup, and many processes never receive a query.
  const schema = once(() => createSchema(operations, feeds));
  return { schema, router: createGraphQLRouter({ ...options, schema, streams }) };
}
