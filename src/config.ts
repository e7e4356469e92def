/**
 * Reads the environment into one validated object. No other module reads the environment. Names and defaults are fixed
 * (docs/architecture.md).
 */
import { resolve } from 'node:path';
import type { ReaderLimits, TableLimits } from './engines/file-reader/limits.js';
import type { UploadQuota } from './engines/files/files.js';
import type { PaymentProvider } from './events/wallet/card-payments.js';
import type { CloudEventMode } from './relay/cloud-event.js';
import { variables, type Role, type SASL_MECHANISMS, type Variables } from './variables.js';

const MEGABYTE = 1_000_000;

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Public address without a trailing slash; undefined: derived from the host and the bound port. */
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
  /** Only for `admin keys rotate`. */
  readonly newKeys: { readonly MASTER_KEY: Buffer | undefined; readonly SIGNING_KEY: Buffer | undefined };
  readonly rateLimit: { readonly read: number; readonly write: number };
  /** Origins that may call the MCP servers, in addition to the service's own origin and those of this machine. */
  readonly mcpOrigins: readonly string[];
  /** Value of the Express setting `trust proxy`; false: no proxy in front. */
  readonly trustProxy: boolean | number | string;
  readonly roles: readonly Role[];
  /** Base of leases, claims and time limits: events/core/time-limits.ts. */
  readonly leaseSeconds: number;
  readonly kafka: KafkaConfig;
  readonly files: FileConfig;
  readonly worker: WorkerConfig;
  /** Retention of the positions of drivers on duty, in days. */
  readonly positionDays: number;
  /** Number of days in which a transfer between warehouses can be rolled back. */
  readonly transferRollbackDays: number;
  /** Retention of the invoices of erased customers, in years after the year of the issue. */
  readonly invoiceRetentionYears: number;
  readonly routing: RoutingConfig;
  readonly geocoding: GeocodingConfig;
  /** OTLP endpoint for traces (over HTTP), without `/v1/traces`; undefined: no traces. */
  readonly otlpEndpoint: string | undefined;
  /** Whether pages for developers are disabled. */
  readonly production: boolean;
  readonly logLevel: string;
  /** Whether each request is logged with one line. */
  readonly accessLog: boolean;
  readonly carriers: CarriersConfig;
  readonly webhooks: WebhookConfig;
  /** Storage of the encrypted bytes of files; undefined: the database. */
  readonly bucket: BucketConfig | undefined;
  /** Push notification gateway; undefined: an outbox, or no notifications in production. */
  readonly pushGateway: { readonly url: string; readonly token: string } | undefined;
  readonly payments: PaymentsConfig;
}

export interface PaymentsConfig {
  /** Address of the payment provider, without a trailing slash; undefined: the one of Stripe. */
  readonly baseUrl: string | undefined;
  /** The account of the operator, for businesses without one; undefined: there is none. */
  readonly operator:
    | {
        readonly provider: PaymentProvider;
        /** Undefined for the provider `test`: the service starts it with keys of its choice. */
        readonly keys: { readonly secretKey: string; readonly webhookSecret: string } | undefined;
        readonly publishableKey: string | undefined;
      }
    | undefined;
}

export interface BucketConfig {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly secret: string;
}

export interface FileConfig {
  /** Processes that read uploaded files: for requests, and as many for jobs. */
  readonly readers: ReaderLimits;
  readonly tables: TableLimits;
  /** After this number of rejected rows, an import ends. */
  readonly maxRejected: number;
  readonly quota: UploadQuota;
  /** Maximum total size of the files of a driver's documents. */
  readonly maxDocumentBytes: number;
}

export interface WorkerConfig {
  /** Number of jobs that this process runs concurrently. */
  readonly slots: number;
  /** Maximum number of threads of one search; undefined: one less than the number of cores, but at least one. */
  readonly solverThreads: number | undefined;
}

export interface RoutingConfig {
  /** Road distance as a percentage of the straight-line distance, unless a business sets its own factor. */
  readonly roadFactorPercent: number;
  /** Without a trailing slash; undefined: only distances without a map. */
  readonly osrmUrl: string | undefined;
  /** Maximum number of sources, and of destinations, in one request. */
  readonly osrmTableSize: number;
  /** Without a trailing slash; undefined: only the built-in solver. */
  readonly vroomUrl: string | undefined;
  /** Maximum size of a request body, in bytes. */
  readonly vroomMaxBody: number;
}

export interface GeocodingConfig {
  /** Without a trailing slash; undefined: only the datasets of businesses. */
  readonly nominatimUrl: string | undefined;
  /** Maximum number of requests per second, across all processes. */
  readonly nominatimRps: number;
}

export interface CarriersConfig {
  /** Address of EasyPost, without a trailing slash. */
  readonly easypostUrl: string;
  /** Timeout of a call to a carrier that buys nothing. */
  readonly timeoutMs: number;
}

export interface WebhookConfig {
  /** Whether webhooks may use private addresses and plain http: for tests and for an operator's private network. */
  readonly allowPrivate: boolean;
  /** Delay before the first retry; each additional delay is eight times as long. */
  readonly retryMs: number;
  /** Timeout of a whole attempt. */
  readonly timeoutMs: number;
}

export interface KafkaConfig {
  /** `host:port`; empty: no Kafka. */
  readonly brokers: readonly string[];
  /** Prefix of all topics, followed by a dot. */
  readonly topicPrefix: string;
  readonly mode: CloudEventMode;
  /** Providers whose ingest topics are read; `*`: each provider that has a topic. */
  readonly ingest: '*' | 'none' | readonly string[];
  readonly ssl: boolean;
  readonly sasl?: {
    readonly mechanism: (typeof SASL_MECHANISMS)[number];
    readonly username: string;
    readonly password: string;
  };
}

/** Throws one error that names every invalid variable. It does not contain values, because they may be secret. */
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
    invoiceRetentionYears: config.INVOICE_RETENTION_YEARS,
    files: readFiles(config),
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
    payments: readPayments(config),
    carriers: { easypostUrl: config.EASYPOST_BASE_URL.replace(/\/+$/, ''), timeoutMs: config.CARRIER_TIMEOUT_MS },
    webhooks: {
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      retryMs: config.WEBHOOK_RETRY_MS,
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    },
  };
}

function readFiles(config: Variables): FileConfig {
  return {
    readers: {
      processes: config.FILE_READERS,
      memoryMb: config.FILE_READER_MEMORY_MB,
      seconds: config.FILE_READER_SECONDS,
    },
    tables: {
      columns: config.TABLE_MAX_COLUMNS,
      cells: config.TABLE_MAX_CELLS,
      blankRows: config.TABLE_MAX_BLANK_ROWS,
    },
    maxRejected: config.IMPORT_MAX_REJECTED,
    quota: {
      user: { files: config.UPLOAD_USER_FILES, bytes: config.UPLOAD_USER_MB * MEGABYTE },
      business: { files: config.UPLOAD_BUSINESS_FILES, bytes: config.UPLOAD_BUSINESS_MB * MEGABYTE },
    },
    maxDocumentBytes: config.DRIVER_DOCUMENTS_MB * MEGABYTE,
  };
}

function readPushGateway({ PUSH_GATEWAY_URL: url, PUSH_GATEWAY_TOKEN: token }: Variables): Config['pushGateway'] {
  if (url !== undefined && token !== undefined) return { url, token };
  if (url !== undefined || token !== undefined)
    throw new Error('PUSH_GATEWAY_URL and PUSH_GATEWAY_TOKEN: set both or neither.');
  return undefined;
}

function readPayments(config: Variables): PaymentsConfig {
  const { PAYMENTS_PROVIDER: provider, PAYMENTS_KEY: secretKey, PAYMENTS_WEBHOOK_SECRET: webhookSecret } = config;
  const baseUrl = config.PAYMENTS_BASE_URL?.replace(/\/+$/, '');
  if (provider === 'test' && config.NODE_ENV === 'production')
    throw new Error('PAYMENTS_PROVIDER: test moves no money and is not allowed with NODE_ENV=production.');
  const keys = secretKey !== undefined && webhookSecret !== undefined ? { secretKey, webhookSecret } : undefined;
  const isPartly = (secretKey ?? webhookSecret) !== undefined && !keys;
  // The test provider that the service starts has its own keys.
  const mayHaveNone = provider === undefined || (provider === 'test' && baseUrl === undefined);
  if (isPartly || (!keys && !mayHaveNone) || (provider === undefined && keys))
    throw new Error(
      'PAYMENTS_PROVIDER, PAYMENTS_KEY, PAYMENTS_WEBHOOK_SECRET: set all or none. Only PAYMENTS_PROVIDER=test without PAYMENTS_BASE_URL needs no keys.',
    );
  const publishableKey = config.PAYMENTS_PUBLISHABLE_KEY;
  return { baseUrl, operator: provider && { provider, keys, publishableKey } };
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
