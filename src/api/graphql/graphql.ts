/** The GraphQL interface, made of the operations. */
import type { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { EventLog } from '../../events/core/log.js';
import type { Progress } from '../../projections/core/progress.js';
import type { Operation } from '../core/operation.js';
import type { TimelineReader } from '../areas/trackings/timelines.js';
import { createGraphQLRouter, type GraphQLOptions } from './router.js';
import { createSchema } from './schema.js';
import { createStreams } from './streams.js';
import { createTrackingFeed } from './tracking-feed.js';

export interface GraphQL {
  readonly router: Router;
  readonly schema: GraphQLSchema;
  /** Ends the subscriptions; requests are answered on. */
  stop(): void;
}

export function createGraphQL({
  operations,
  reader,
  log,
  progress,
  ...options
}: Omit<GraphQLOptions, 'schema' | 'streams'> & {
  readonly operations: readonly Operation[];
  readonly reader: TimelineReader;
  readonly log: EventLog;
  readonly progress: Progress;
}): GraphQL {
  const streams = createStreams({ reader, progress, feed: createTrackingFeed(log), logger: options.logger });
  const schema = createSchema(operations);
  return { schema, router: createGraphQLRouter({ ...options, schema, streams }), stop: () => streams.stop() };
}
