/**
 * Starts the Kafka clients for the roles of this process: the relay publishes all events, the ingest reads pushes of
 * providers.
 */
import { createIngestMetrics, createRelayMetrics } from '../api/kafka/metrics.js';
import { startIngest } from '../api/kafka/start-ingest.js';
import type { Operation } from '../api/core/operation.js';
import type { Parts } from '../api/core/parts.js';
import type { Registry } from '../areas/registry.js';
import type { KafkaConfig } from '../config.js';
import type { Role } from '../variables.js';
import type { WrapBatch } from '../events/core/wrap-batch.js';
import { createKafkaBroker } from '../engines/kafka/broker.js';
import type { Engines } from '../engines/open.js';
import type { ProviderQueries } from '../projections/providers/queries.js';
import { sourceOf, toCloudEvent } from '../relay/cloud-event.js';
import { relayLag } from '../relay/lag.js';
import { startRelay } from '../relay/relay.js';
import { createRouter, relayTopics } from '../relay/topics.js';

export interface KafkaServiceOptions extends Parts<'invoke' | 'baseUrl' | 'registry' | 'logger' | 'now'> {
  readonly config: KafkaConfig;
  readonly roles: readonly Role[];
  readonly streams: Registry['streams'];
  readonly engines: Engines;
  readonly wrap: WrapBatch;
  readonly operations: readonly Operation[];
  readonly providers: ProviderQueries;
}

/**
 * Returns a function that stops the clients. If Kafka is unavailable, only the relay and the ingest wait for it; the
 * rest of the service continues.
 */
export function startKafka(options: KafkaServiceOptions): () => Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  if (options.roles.includes('relay')) stops.push(startRelaying(options));
  // Ingest is an input like HTTP, so it runs in processes with the `api` role. These processes share the partitions.
  if (options.roles.includes('api') && options.config.ingest !== 'none')
    stops.push(startIngesting(options, options.config.ingest));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function brokerOf({ config, engines, logger }: KafkaServiceOptions, use: string) {
  return createKafkaBroker(
    {
      ...config,
      clientId: `${config.topicPrefix}-${use}`,
      onLog: (level, message, details) => logger[level === 'error' ? 'warn' : 'debug']({ kafka: details }, message),
    },
    engines.limits,
  );
}

function startRelaying(options: KafkaServiceOptions): () => Promise<void> {
  const {
    config: { topicPrefix, mode },
    streams,
    engines,
    wrap,
    registry,
    logger,
    now,
  } = options;
  const broker = brokerOf(options, 'relay');
  const route = createRouter(topicPrefix, streams);
  const source = sourceOf(topicPrefix);
  const relay = startRelay({
    log: engines.log,
    pool: engines.projectionPool,
    owner: engines.holder,
    wrap,
    prepare: () => broker.ensureTopics(relayTopics(topicPrefix, streams)),
    toMessage: (event) => toCloudEvent(event, { mode, source, topic: route(event.stream) }),
    send: (messages) => broker.send(messages),
    onRelayed: ({ events }) => metrics.relayed(events.length),
    onError: (error) => {
      metrics.failed();
      logger.error({ err: error }, 'relay failed, retrying');
    },
  });
  const metrics = createRelayMetrics({
    registry,
    lag: () => relayLag({ log: engines.log, pool: engines.projectionPool, now }),
  });
  return async () => {
    await relay.stop();
    await broker.close();
  };
}

function startIngesting(options: KafkaServiceOptions, ingest: '*' | readonly string[]): () => Promise<void> {
  const {
    engines,
    config: { topicPrefix },
    operations,
    invoke,
    providers,
    baseUrl,
    registry,
    logger,
    now,
  } = options;
  const broker = brokerOf(options, 'ingest');
  const metrics = createIngestMetrics(registry);
  const stop = startIngest({
    broker,
    prefix: topicPrefix,
    checkIntervalMs: engines.limits.brokerLookMs,
    ingest,
    providers,
    operation: operations.find(({ name }) => name === 'otepIngest')!,
    invoke,
    now,
    baseUrl,
    onDelivered: metrics.delivered,
    onFailure: (error, { topic, partition, offset }) => {
      metrics.failed();
      logger.error({ err: error, topic, partition, offset }, 'push failed');
    },
    onError: (error) => {
      metrics.failed();
      logger.error({ err: error }, 'Kafka ingest failed, retrying');
    },
  });
  return async () => {
    await stop();
    await broker.close();
  };
}
