/** The environment variables, with allowed values and defaults (docs/configuration.md). */
import { isIP } from 'node:net';
import { z } from 'zod';
import { DEFAULT_LEASE_SECONDS, MIN_LEASE_SECONDS, MAX_LEASE_SECONDS } from './events/core/time-limits.js';
import { urlOf } from './events/core/url.js';
import { PROVIDERS } from './events/wallet/card-payments.js';
import { providerIdSchema } from './events/providers/events.js';
import { CLOUD_EVENT_MODES } from './relay/cloud-event.js';

const ROLES = ['api', 'projector', 'relay', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The message describes the whole variable, because zod reports only the last branch of a union that matches the type.
 */
const providerId = z
  .string()
  .refine(
    (id) => providerIdSchema.safeParse(id).success,
    'must be *, none, or provider ids: demo-carrier,demo-courier',
  );
const providerIds = z.string().transform((text) => text.split(',').map((id) => id.trim()));
export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** The address of a cluster has several hosts, so it is not a valid URL. */
const CONNECTION_STRING = /^esdb(\+discover)?:\/\/([^\s@/?#]+@)?[^\s@,/?#]+(,[^\s@,/?#]+)*\/?(\?\S*)?$/;
/** The client library would silently use only the first of several hosts. */
const DISCOVERS_SEVERAL = /^esdb\+discover:\/\/[^?]*,/;

/** The message describes the allowed values, whatever the error is. */
const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
};
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const onOrOff = z.stringbool({ error: 'must be true or false' });
const address = (protocol: RegExp, example: string) => z.url({ protocol, error: `must be an address like ${example}` });
const origin = z.string().refine((text) => urlOf(text)?.origin === text, 'must be origins like https://app.example');
const perSecond = whole(1, 1_000_000_000);
const optionalText = z.string().min(1).optional();
/** Values that Express accepts for `trust proxy`. */
const trusts = (text: string): boolean =>
  /^(off|false|\d{1,3})?$/.test(text) || text.split(',').every((part) => isProxy(part.trim()));
function isProxy(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const kind = isIP(address);
  if (kind === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(text);
  return (
    bits === undefined || (more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128))
  );
}

export const variables = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: address(/^https?$/, 'https://transport.example').optional(),
  DATA_DIR: z.string().min(1).default('./.data'),
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').optional(),
  EVENTSTORE_URL: z
    .string()
    .regex(CONNECTION_STRING, 'must be esdb://host:port,host:port?options or esdb+discover://name:port?options')
    .refine(
      (url) => !DISCOVERS_SEVERAL.test(url),
      'esdb+discover:// accepts one DNS name that represents all nodes; list several nodes as esdb://a:2113,b:2113,c:2113',
    )
    .optional(),
  MASTER_KEY: optionalText,
  SIGNING_KEY: optionalText,
  NEW_MASTER_KEY: optionalText,
  NEW_SIGNING_KEY: optionalText,
  RATE_LIMIT_READ: perSecond.default(5_000),
  RATE_LIMIT_WRITE: perSecond.default(1_000),
  TRUST_PROXY: z
    .string()
    .refine(trusts, 'must be off, the number of proxies, or their addresses: 1, loopback, 10.0.0.0/8')
    .default(''),
  MCP_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(z.array(origin))
    .default([]),
  LEASE_SECONDS: whole(MIN_LEASE_SECONDS, MAX_LEASE_SECONDS).default(DEFAULT_LEASE_SECONDS),
  ROLES: z
    .string()
    .default(ROLES.join())
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(oneOf(ROLES)).min(1)),
  KAFKA_BROKERS: z
    .string()
    .transform((text) => text.split(',').map((broker) => broker.trim()))
    .pipe(
      z
        .array(z.string().regex(/^[^\s:,]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/, 'must be host:port, host:port, ...'))
        .min(1),
    )
    .default([]),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(
      /^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64})*$/,
      'must be words of letters, digits, _ and - with dots between them, like transport or acme.eu',
    )
    .default('transport'),
  KAFKA_MODE: oneOf(CLOUD_EVENT_MODES).default('structured'),
  KAFKA_INGEST: z.union([z.enum(['*', 'none']), providerIds.pipe(z.array(providerId))]).default('*'),
  KAFKA_SSL: onOrOff.default(false),
  KAFKA_SASL_MECHANISM: oneOf(SASL_MECHANISMS).optional(),
  KAFKA_SASL_USERNAME: optionalText,
  KAFKA_SASL_PASSWORD: optionalText,
  OTEL_EXPORTER_OTLP_ENDPOINT: address(/^https?$/, 'http://localhost:4318').optional(),
  NODE_ENV: z.string().default('development'),
  WEBHOOK_ALLOW_PRIVATE: onOrOff.default(false),
  WEBHOOK_RETRY_MS: whole(1, 3_600_000).default(1_000),
  CARRIER_TIMEOUT_MS: whole(100, 60_000).default(8_000),
  WEBHOOK_TIMEOUT_MS: whole(100, 60_000).default(10_000),
  DOCUMENTS_S3_ENDPOINT: address(/^https?$/, 'https://s3.example').optional(),
  DOCUMENTS_S3_BUCKET: optionalText,
  DOCUMENTS_S3_KEY: optionalText,
  DOCUMENTS_S3_SECRET: optionalText,
  PUSH_GATEWAY_URL: address(/^https?$/, 'https://push.example/send').optional(),
  PUSH_GATEWAY_TOKEN: optionalText,
  PAYMENTS_PROVIDER: oneOf(PROVIDERS).optional(),
  PAYMENTS_BASE_URL: address(/^https?$/, 'https://api.stripe.com')
    .refine((url) => new URL(url).pathname === '/', 'must be an address without a path')
    .optional(),
  PAYMENTS_KEY: optionalText,
  PAYMENTS_WEBHOOK_SECRET: optionalText,
  PAYMENTS_PUBLISHABLE_KEY: optionalText,
  EASYPOST_BASE_URL: address(/^https?$/, 'https://api.easypost.com')
    .refine((url) => new URL(url).pathname === '/', 'must be an address without a path')
    .default('https://api.easypost.com'),
  POSITION_DAYS: whole(1, 30).default(7),
  TRANSFER_ROLLBACK_DAYS: whole(1, 365).default(7),
  INVOICE_RETENTION_YEARS: whole(1, 100).default(10),
  DATABASE_CONNECTIONS: whole(14, 1_000).default(28),
  FILE_READERS: whole(1, 64).default(2),
  FILE_READER_MEMORY_MB: whole(64, 16_384).default(1_024),
  FILE_READER_SECONDS: whole(1, 3_600).default(120),
  TABLE_MAX_COLUMNS: whole(1, 16_384).default(16_384),
  TABLE_MAX_CELLS: whole(1, 100_000_000).default(5_000_000),
  TABLE_MAX_BLANK_ROWS: whole(1, 1_048_576).default(1_000),
  IMPORT_MAX_REJECTED: whole(1, 1_000_000).default(10_000),
  UPLOAD_USER_FILES: whole(1, 1_000_000).default(500),
  UPLOAD_USER_MB: whole(1, 1_000_000).default(500),
  UPLOAD_BUSINESS_FILES: whole(1, 10_000_000).default(5_000),
  UPLOAD_BUSINESS_MB: whole(1, 10_000_000).default(5_000),
  DRIVER_DOCUMENTS_MB: whole(1, 1_000_000).default(500),
  WORKER_SLOTS: whole(1, 64).default(3),
  SOLVER_THREADS: whole(1, 64).optional(),
  ROAD_FACTOR: z.coerce.number().min(1).max(3).default(1.3),
  OSRM_URL: address(/^https?$/, 'http://localhost:5000').optional(),
  OSRM_TABLE_SIZE: whole(2, 10_000).default(100),
  VROOM_URL: address(/^https?$/, 'http://localhost:3000').optional(),
  VROOM_MAX_BODY: whole(1_000, 1_000_000_000).default(1_000_000),
  NOMINATIM_URL: address(/^https?$/, 'https://nominatim.example').optional(),
  NOMINATIM_RPS: whole(1, 1_000).default(1),
  ACCESS_LOG: onOrOff.default(true),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** Names of all variables. */
export const VARIABLES = Object.keys(variables.shape);

/** The validated values. */
export type Variables = z.infer<typeof variables>;
