/** The connection to Kafka: brokers, encryption, authentication, timeouts. Only this folder uses the client library. */
import { Kafka, logLevel, type SASLOptions } from 'kafkajs';

export interface KafkaOptions {
  /** `host:port` of some brokers; the client gets the others from them. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** TLS with the system's trust store. */
  readonly ssl: boolean;
  readonly sasl?: SaslOptions;
  /** Receives the log lines of the client library; they never contain message content. */
  readonly onLog: (
    level: 'error' | 'warn' | 'info' | 'debug',
    message: string,
    details: Readonly<Record<string, unknown>>,
  ) => void;
}

export interface SaslOptions {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

const LEVELS = {
  [logLevel.ERROR]: 'error',
  [logLevel.WARN]: 'warn',
  [logLevel.INFO]: 'info',
  [logLevel.DEBUG]: 'debug',
} as const;

export function createClient({ brokers, clientId, ssl, sasl, onLog }: KafkaOptions): Kafka {
  return new Kafka({
    brokers: [...brokers],
    clientId,
    ssl,
    ...(sasl && { sasl: { ...sasl } as SASLOptions }),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    // Few retries: callers get an error within seconds if a broker is unavailable, and decide themselves how long to
    // retry.
    retry: { retries: 2, initialRetryTime: 200, maxRetryTime: 1_000 },
    logLevel: logLevel.INFO,
    logCreator:
      () =>
      ({ level, log }) => {
        const { message, timestamp: _time, logger: _name, ...details } = log;
        if (level !== logLevel.NOTHING) onLog(LEVELS[level], message, details);
      },
  });
}
