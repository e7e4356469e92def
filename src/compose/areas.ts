/**
 * Creates the dependencies that all areas share, and the services of each area. Services are created on first use.
 */
import { createMetrics } from '../api/core/metrics.js';
import { createIdempotency } from '../api/core/idempotency.js';
import { createInvoke } from '../api/core/invoke.js';
import { createAllowances } from '../api/core/rate-limit.js';
import { withExamples } from '../api/core/example.js';
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import { withFixedNames } from '../api/core/fixed-names.js';
import { withRelations } from '../api/core/relations.js';
import { withReturned } from '../api/core/returned.js';
import type { Parts } from '../api/core/parts.js';
import type { Tool } from '../api/mcp/tool.js';
import { checkFeeds, checkOperations } from '../areas/check.js';
import type { AreaContext, ServingArea } from '../areas/area-context.js';
import { customerTerms } from '../areas/customer-terms.js';
import type { Area } from '../areas/area.js';
import { readModelsOf, type Registry } from '../areas/registry.js';
import { createCommands } from '../commands/commands.js';
import { createHandler } from '../commands/core/handler.js';
import { createIds, type Ids } from '../engines/postgres/ids.js';
import { createDatabase } from '../projections/core/database.js';
import { lagOf } from '../projections/core/lag.js';
import { Progress } from '../projections/core/progress.js';
import { createDirectory } from '../projections/trackings/directory.js';
import { createTrackingQueries } from '../projections/trackings/queries.js';
import { timeline } from '../projections/trackings/read-model.js';
import type { Tracing } from '../tracing/tracing.js';

/** API version, as shown in the API documents. */
export const VERSION = '1.0';

const READ_MODEL_WAIT_MS = 10_000;

export interface AreaContextOptions
  extends
    Pick<AreaContext, 'config' | 'engines' | 'logger' | 'now' | 'baseUrl' | 'formats' | 'counts'>,
    Parts<'limit'> {
  readonly tracing: Tracing;
  /** The areas of this process, with their streams, read models and followers. */
  readonly registry: Registry;
  /** Tools of the MCP servers; undefined until they have been created. */
  readonly tool: (name: string) => Tool | undefined;
  readonly proposableTools: AreaContext['proposableTools'];
}

export interface ProcessContext extends AreaContext {
  readonly registry: Registry;
  readonly ids: Ids;
  readonly idempotency: ReturnType<typeof createIdempotency>;
}

export function createAreaContext({ tracing, limit, ...options }: AreaContextOptions): ProcessContext {
  const { engines, now, registry } = options;
  const { areas, types, projections, followers } = registry;
  const { log, pool, projectionPool, aheadPool, keyRing, vault, limits } = engines;
  const progress = new Progress(projectionPool, log);
  const ids = createIds(aheadPool);
  const idempotency = createIdempotency(pool, vault, limits);
  const directory = createDirectory({ queries: createTrackingQueries(pool), log, progress });
  const handlerOptions = { log, types, keyRing, now, traceparent: tracing.traceparent };
  const readerByName = new Map([...projections, ...followers].map((reader) => [reader.name, reader]));
  const serviceCache = new Map<unknown, unknown>();
  let operations: readonly Operation[] | undefined;

  const context: ProcessContext = {
    ...options,
    version: VERSION,
    ids,
    idempotency,
    progress,
    directory,
    allowance: createAllowances(options.counts),
    database: createDatabase(pool),
    commands: createCommands({
      ...handlerOptions,
      directory,
      appendedToTracking: (position) => progress.noteWritten(timeline.name, position),
    }),
    reserveIds: ({ name }, count, commandId) => ids.reserve(name, count, commandId, true),
    async awaitReadModels(...readModels) {
      const head = await log.head();
      await Promise.all(readModels.map((name) => progress.waitFor(name, head, READ_MODEL_WAIT_MS)));
    },
    handle: (decider, overrides) => createHandler({ decider, ...handlerOptions, ...overrides }),
    metrics: createMetrics({
      progress,
      projections: projections.map(({ name }) => name),
      followers: followers.map(({ name }) => name),
      lag: (name) => lagOf(readerByName.get(name)!, { log, pool: projectionPool, now }),
    }),
    invoke: createInvoke({
      limit,
      idempotency,
      hiddenFamilies: (customerId) => context.of(customerTerms).queries.hiddenFamilies(customerId),
      progress,
      log,
      now,
      timeoutMs: limits.responseMs,
      reserveIds: ids.reserve,
    }),
    types,
    streams: registry.streams,
    readModels: projections,
    of<Services>(area: ServingArea<Services>): Services {
      if (!serviceCache.has(area)) serviceCache.set(area, area.services?.(context));
      return serviceCache.get(area) as Services;
    },
    forgetters: () => areas.flatMap((area) => (area.forget ? [area.forget(context.of(area))] : [])),
    fileReaders: () => areas.flatMap((area) => (area.fileReader ? [area.fileReader(context.of(area), context)] : [])),
    jobKinds: () => areas.flatMap((area) => area.jobs?.(context.of(area), context) ?? []),
    effectKinds: () => areas.flatMap((area) => area.effects?.(context.of(area), context) ?? []),
    inboundAdapters: () => areas.flatMap((area) => area.inbound?.(context.of(area), context) ?? []),
    operations: () => (operations ??= operationsOf(context, registry)),
  };
  return context;
}

/** Returns the operations of all areas, in order. Throws an error with an explanation if they conflict. */
export function operationsOf(context: AreaContext, registry: Registry): readonly Operation[] {
  const operations = registry.areas.flatMap((area) =>
    withFixedNames(withExamples(area.operations?.(context.of(area), context) ?? [], area.examples)),
  );
  checkOperations(operations, readModelsOf(registry));
  return withRelations(withReturned(operations));
}

/** Returns the feeds of all areas. Throws an error with an explanation if a feed has the name of an operation. */
export function feedsOf(context: AreaContext, areas: readonly Area<never>[]): readonly Feed[] {
  const feeds = areas.flatMap((area) => area.feeds?.(context.of(area), context) ?? []);
  checkFeeds(feeds, context.operations());
  return feeds;
}
