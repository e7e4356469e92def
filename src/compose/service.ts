/** Starts and stops a process of the service: engines, shared dependencies (`House`) and the configured roles. */
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Operation } from '../api/core/operation.js';
import type { Parts } from '../api/core/parts.js';
import type { Catalogue } from '../api/mcp/catalogue.js';
import { createHttpServer } from '../api/rest/http-server.js';
import { createRateLimit } from '../api/core/rate-limit.js';
import { AREAS, EVENT_TYPES, PROJECTIONS } from '../areas/index.js';
import type { Stop } from '../areas/area.js';
import { privacy } from '../areas/privacy.js';
import { providers } from '../areas/providers.js';
import { eraseAgain } from '../areas/wiring/erasure.js';
import type { Commands } from '../commands/commands.js';
import { keys } from '../commands/keys/decider.js';
import { recordKeys } from '../commands/keys/record-keys.js';
import type { Config } from '../config.js';
import { inTime } from '../engines/in-time.js';
import { openEngines, type Engines } from '../engines/open.js';
import { packageVersion } from '../engines/package-root.js';
import { fingerprintsOf } from '../engines/postgres/known-keys.js';
import { createSharedCounts } from '../engines/postgres/shared-counts.js';
import type { Progress } from '../projections/core/progress.js';
import { prepareProjections } from '../projections/rebuild/rebuild.js';
import type { Format } from '../serializers/format.js';
import { FORMATS } from '../serializers/index.js';
import { startTracing } from '../tracing/tracing.js';
import { createApi, type Api } from './api.js';
import { createHouse, type BuiltHouse } from './house.js';
import { raiseSequences } from './id-sequences.js';
import { startProjector } from './projector.js';

export interface Service {
  readonly baseUrl: string;
  readonly engines: Engines;
  readonly commands: Commands;
  readonly progress: Progress;
  /** Stops accepting requests, finishes open requests, releases the leases and closes the engines. */
  stop(): Promise<void>;
}

/** A service that accepts requests. */
export type Listening = Omit<Service, 'stop'>;

export interface ServiceOptions extends Parts<'logger'> {
  readonly config: Config;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The timeline formats; the first one is the default. */
  readonly formats?: readonly Format[];
  /** Runs after the server has started to listen. Until it resolves, the service reports that it is not ready. */
  readonly prepare?: (service: Listening) => Promise<unknown>;
}

const SWEEP_MS = 3_600_000;
/**
 * Length of the queue of unaccepted connections. If the queue is full, the operating system drops connections and
 * clients retry after one, three and seven seconds. Node's default of 511 is too small: a single client can open more
 * at the same time.
 */
const BACKLOG = 4_096;
/** Timeout of each step of a stop. Leases that are not released then expire on their own. */
const STEP_MS = 6_000;

export async function startService({
  config,
  logger,
  now = Date.now,
  formats = FORMATS,
  prepare,
}: ServiceOptions): Promise<Service> {
  const tracing = await startTracing(config.otlpEndpoint);
  const opened = await openEngines({
    ...config,
    onDatabaseLine: (line) => logger.debug({ database: line }),
    onDatabaseTrouble: (line) => logger.error(line),
    onLogAway: (error) => logger.error({ err: error }, 'EventStoreDB does not respond; the service waits for it'),
  });
  const engines = { ...opened, log: tracing.log(opened.log) };
  // Stopped in reverse order of starting.
  const stops: Stop[] = [() => tracing.stop(), () => engines.close()].reverse();
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).reverse()) await inTime(step(), STEP_MS);
  };
  try {
    await prepareProjections(PROJECTIONS, {
      log: engines.log,
      pool: engines.projectionPool,
      types: EVENT_TYPES,
      onProgress: (events) => logger.info({ events }, 'rebuilding a read model'),
    });
    let baseUrl = config.baseUrl ?? '';
    // Tools are created from operations, but one operation needs the tools; therefore they are set later.
    const later: { catalogue?: Catalogue } = {};
    const counts = createSharedCounts(engines.pool);
    stops.push(() => counts.close());
    const limit = createRateLimit(config.rateLimit, counts);
    const house = createHouse({
      config,
      engines,
      logger,
      now,
      formats,
      tracing,
      limit,
      counts,
      baseUrl: () => baseUrl,
      tool: (name) => later.catalogue?.find('operations', name) ?? later.catalogue?.find('developer', name),
      proposableTools: () => later.catalogue?.proposable ?? [],
    });
    if (engines.logEngine === 'eventstore')
      await recordKeys(house.handle(keys), fingerprintsOf({ master: engines.masterKey, signing: engines.signingKey }));
    stops.push(await raiseOwnSequences(house));
    await eraseAgain(engines, house.of(privacy));
    for (const area of AREAS) if (area.close) stops.push(async () => area.close!(house.of(area)));

    let isPrepared = prepare === undefined;
    const api = createApi(house, limit, () => isPrepared);
    later.catalogue = api.catalogue;
    stops.push(api.close);
    if (config.roles.includes('projector')) stops.push(...[...(await startProjector(house, tracing))].reverse());
    if (config.roles.includes('worker'))
      stops.push(...AREAS.flatMap((area) => area.longWork?.(house.of(area), house) ?? []));
    stops.push(startSweeping(house, api));

    const { server, drain } = createHttpServer();
    server.on('request', tracing.requests(api.listener));
    server.listen({ port: config.port, host: config.host, backlog: BACKLOG });
    await once(server, 'listening');
    const listening = addressOf(config.host, server.address() as AddressInfo);
    baseUrl ||= listening;
    logger.info(
      {
        version: packageVersion,
        node: process.version,
        roles: config.roles,
        database: engines.embedded ? 'embedded PostgreSQL' : 'PostgreSQL',
        log: engines.logEngine,
        kafka: config.kafka.brokers.length > 0,
        listening,
        baseUrl,
      },
      'started',
    );
    stops.push(drain, api.stopStreams);
    if (config.kafka.brokers.length > 0) stops.push(await startKafkaOf(house, tracing, house.operations()));
    const service = { baseUrl, engines, commands: house.commands, progress: house.progress };
    await prepare?.(service);
    isPrepared = true;
    return { ...service, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const raiseOwnSequences = ({ ids, engines: { pool, log }, progress, logger }: BuiltHouse): Promise<Stop> =>
  raiseSequences({
    sequences: AREAS.flatMap(({ sequences }) => sequences),
    ids,
    pool,
    log,
    progress,
    onError: (error) => logger.error({ err: error }, 'sequences of ids may be behind'),
  });

/** Deletes expired data every hour. */
function startSweeping(house: BuiltHouse, api: Api): Stop {
  const sweepAll = () =>
    Promise.all([
      house.idempotency.sweep(),
      house.ids.sweep(),
      api.sweep(),
      ...AREAS.map((area) => area.sweep?.(house.of(area))),
    ]);
  const timer = setInterval(
    () =>
      void sweepAll().catch((error: unknown) =>
        house.logger.warn({ err: error }, 'expired keys and sessions were not deleted'),
      ),
    SWEEP_MS,
  ).unref();
  return async () => clearInterval(timer);
}

/** Loads the Kafka client only in processes that use Kafka. */
const startKafkaOf = async (
  { config, engines, of, invoke, baseUrl, metrics, logger, now }: BuiltHouse,
  { around }: Pick<Awaited<ReturnType<typeof startTracing>>, 'around'>,
  operations: readonly Operation[],
): Promise<Stop> =>
  (await import('./kafka.js')).startKafka({
    config: config.kafka,
    roles: config.roles,
    engines,
    around,
    operations,
    invoke,
    providers: of(providers).queries,
    baseUrl,
    registry: metrics.registry,
    logger,
    now,
  });

const addressOf = (host: string, { port }: AddressInfo): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
