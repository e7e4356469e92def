/** The only reader of the environment: one validated object. Names and defaults are fixed (docs/architecture.md). */
import { resolve } from 'node:path';
import type { CloudEventMode } from './relay/cloud-event.js';
import { variables, type Role, type SASL_MECHANISMS, type Variables } from './variables.js';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Public address without a trailing slash; undefined: follows from host and the port that was bound. */
  readonly baseUrl: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Maximum number of connections of this process to PostgreSQL. */
  readonly databaseConnections: number;
  readonly eventStoreUrl: string | undefined;
  /** 32 bytes; undefined: generated into DATA_DIR, in the embedded default only. */
  readonly masterKey: Buffer | undefined;
  /**
   * Ed25519 private key, 32 bytes; undefined: generated into DATA_DIR in the embedded default, else nothing is signed.
   */
  readonly signingKey: Buffer | undefined;
  /** For `admin keys rotate` alone. */
  readonly newKeys: { readonly MASTER_KEY: Buffer | undefined; readonly SIGNING_KEY: Buffer | undefined };
  readonly rateLimit: { readonly read: number; readonly write: number };
  /** The pages that may call the MCP servers, in addition to our own and those of this machine. */
  readonly mcpOrigins: readonly string[];
  /** What Express calls `trust proxy`; false: no proxy in front. */
  readonly trustProxy: boolean | number | string;
  readonly roles: readonly Role[];
  /** What leases, claims and time limits follow from: events/core/time-limits.ts. */
  readonly leaseSeconds: number;
  readonly kafka: KafkaConfig;
  readonly worker: WorkerConfig;
  /** How long places of drivers on duty are kept. */
  readonly positionDays: number;
  /** How long transfers between warehouses can be taken back. */
  readonly transferRollbackDays: number;
  readonly routing: RoutingConfig;
  readonly geocoding: GeocodingConfig;
  /** Where traces go (OTLP over HTTP), without `/v1/traces`; undefined: no traces. */
  readonly otlpEndpoint: string | undefined;
  /** Whether pages that are for developers only are left out. */
  readonly production: boolean;
  readonly logLevel: string;
  /** One line in the log for each request. */
  readonly accessLog: boolean;
  readonly webhooks: WebhookConfig;
  /** Where sealed bytes of files lie; undefined: in the database. */
  readonly bucket: BucketConfig | undefined;
  /** The service that notifies phones; undefined: an outbox, in production nothing. */
  readonly pushGateway: { readonly url: string; readonly token: string } | undefined;
}

export interface BucketConfig {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly secret: string;
}

export interface WorkerConfig {
  /** Jobs that this process works on at once. */
  readonly slots: number;
  /** Most threads of one search; undefined: one less than there are cores, and at least one. */
  readonly solverThreads: number | undefined;
}

export interface RoutingConfig {
  /** How much longer roads are than the straight line, where a business says nothing else. */
  readonly roadFactorPercent: number;
  /** Without a trailing slash; undefined: distances without a map alone. */
  readonly osrmUrl: string | undefined;
  /** Sources, and destinations, that it takes at once. */
  readonly osrmTableSize: number;
  /** Without a trailing slash; undefined: the own solver alone. */
  readonly vroomUrl: string | undefined;
  /** Bytes. */
  readonly vroomMaxBody: number;
}

export interface GeocodingConfig {
  /** Without a trailing slash; undefined: own datasets alone. */
  readonly nominatimUrl: string | undefined;
  /** Requests a second, of all processes together. */
  readonly nominatimRps: number;
}

export interface WebhookConfig {
  /** Webhooks may go to private addresses, and over plain http: for tests, and for an operator's own network. */
  readonly allowPrivate: boolean;
  /** Before the first retry; each further one waits eight times as long. */
  readonly retryMs: number;
  /** For the whole of an attempt. */
  readonly timeoutMs: number;
}

export interface KafkaConfig {
  /** `host:port`; empty: no Kafka. */
  readonly brokers: readonly string[];
  /** All topics begin with it and a dot. */
  readonly topicPrefix: string;
  readonly mode: CloudEventMode;
  /** Providers whose ingest topics are read: `*` for all that there are a topic and a provider for. */
  readonly ingest: '*' | 'none' | readonly string[];
  readonly ssl: boolean;
  readonly sasl?: {
    readonly mechanism: (typeof SASL_MECHANISMS)[number];
    readonly username: string;
    readonly password: string;
  };
}

/** Throws one error that names every variable at fault; values are not repeated, they may be secret. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(set);
  if (!parsed.success)
    throw new Error(
      [...new Set(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}.`))].join('\n'),
    );
  const config = parsed.data;
  return {
    port: config.PORT,
    host: config.HOST,
    baseUrl: config.BASE_URL?.replace(/\/+$/, ''),
    dataDir: resolve(config.DATA_DIR),
    databaseUrl: config.DATABASE_URL,
    databaseConnections: config.DATABASE_CONNECTIONS,
    eventStoreUrl: config.EVENTSTORE_URL,
    masterKey: readKey('MASTER_KEY', config.MASTER_KEY),
    signingKey: readKey('SIGNING_KEY', config.SIGNING_KEY),
    newKeys: {
      MASTER_KEY: readKey('NEW_MASTER_KEY', config.NEW_MASTER_KEY),
      SIGNING_KEY: readKey('NEW_SIGNING_KEY', config.NEW_SIGNING_KEY),
    },
    rateLimit: { read: config.RATE_LIMIT_READ, write: config.RATE_LIMIT_WRITE },
    mcpOrigins: config.MCP_ORIGINS,
    trustProxy: readTrustProxy(config.TRUST_PROXY),
    roles: config.ROLES,
    leaseSeconds: config.LEASE_SECONDS,
    kafka: readKafka(config),
    positionDays: config.POSITION_DAYS,
    transferRollbackDays: config.TRANSFER_ROLLBACK_DAYS,
    worker: { slots: config.WORKER_SLOTS, solverThreads: config.SOLVER_THREADS },
    routing: {
      roadFactorPercent: Math.round(config.ROAD_FACTOR * 100),
      osrmUrl: config.OSRM_URL?.replace(/\/+$/, ''),
      osrmTableSize: config.OSRM_TABLE_SIZE,
      vroomUrl: config.VROOM_URL?.replace(/\/+$/, ''),
      vroomMaxBody: config.VROOM_MAX_BODY,
    },
    geocoding: { nominatimUrl: config.NOMINATIM_URL?.replace(/\/+$/, ''), nominatimRps: config.NOMINATIM_RPS },
    otlpEndpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ''),
    production: config.NODE_ENV === 'production',
    logLevel: config.LOG_LEVEL,
    accessLog: config.ACCESS_LOG,
    bucket: readBucket(config),
    pushGateway: readPushGateway(config),
    webhooks: {
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      retryMs: config.WEBHOOK_RETRY_MS,
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    },
  };
}

function readPushGateway({ PUSH_GATEWAY_URL: url, PUSH_GATEWAY_TOKEN: token }: Variables): Config['pushGateway'] {
  if (url !== undefined && token !== undefined) return { url, token };
  if (url !== undefined || token !== undefined)
    throw new Error('PUSH_GATEWAY_URL and PUSH_GATEWAY_TOKEN: set both or none.');
  return undefined;
}

function readBucket(config: Variables): BucketConfig | undefined {
  const {
    DOCUMENTS_S3_ENDPOINT: endpoint,
    DOCUMENTS_S3_BUCKET: bucket,
    DOCUMENTS_S3_KEY: key,
    DOCUMENTS_S3_SECRET: secret,
  } = config;
  if (endpoint !== undefined && bucket !== undefined && key !== undefined && secret !== undefined)
    return { endpoint, bucket, key, secret };
  if ([endpoint, bucket, key, secret].some((part) => part !== undefined))
    throw new Error(
      'DOCUMENTS_S3_ENDPOINT, DOCUMENTS_S3_BUCKET, DOCUMENTS_S3_KEY, DOCUMENTS_S3_SECRET: set all or none.',
    );
  return undefined;
}

function readKafka(config: Variables): KafkaConfig {
  const {
    KAFKA_BROKERS: brokers,
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  } = config;
  const given = [mechanism, username, password].filter((part) => part !== undefined).length;
  if (given % 3 !== 0)
    throw new Error('KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD: set all three or none.');
  return {
    brokers,
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    mode: config.KAFKA_MODE,
    ingest: config.KAFKA_INGEST,
    ssl: config.KAFKA_SSL,
    ...(mechanism && { sasl: { mechanism, username: username!, password: password! } }),
  };
}

/** 32 bytes as 64 hexadecimal digits or base64. */
function readKey(name: string, text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32)
    throw new Error(`${name}: must be 32 bytes, as 64 hexadecimal digits or base64 (openssl rand -hex 32).`);
  return key;
}

function readTrustProxy(text: string): boolean | number | string {
  if (text === '' || text === 'off' || text === 'false') return false;
  return /^\d+$/.test(text) ? Number(text) : text;
}
