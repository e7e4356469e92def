/** The port of a message broker, for the relay and the ingest. The only adapter is in engines/kafka. */

export type HeaderValue = string | Buffer;
export type Headers = Readonly<Record<string, HeaderValue | readonly HeaderValue[]>>;

export interface Message {
  readonly topic: string;
  /** Messages with the same key keep their order; null: no order. */
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: Headers;
}

export interface Received extends Message {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly partition: number;
  /** Decimal digits. */
  readonly offset: string;
}

/** Messages of one partition, oldest first. */
export interface Delivery {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly Received[];
  /** Number of later messages in the partition when these were fetched. */
  readonly behind: number;
}

export interface ReceiveOptions {
  /** Receivers of one group share the partitions. */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * Handles a delivery. When it returns, the messages are not delivered again. After an error the partition pauses,
   * then the same messages are delivered again, as after a crash. `signal` aborts when the partition is reassigned or
   * the receiver stops; long work should then throw.
   */
  readonly handle: (delivery: Delivery, signal: AbortSignal) => Promise<void>;
  /** Receives the errors of `handle`. */
  readonly onError: (error: unknown, delivery: Delivery) => void;
  /** Number of partitions that are handled concurrently. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export interface Topic {
  readonly name: string;
  readonly maxMessageBytes: number;
}

export interface Broker {
  /**
   * Sends messages in order per key; resolves when every in-sync replica has all of them. Throws `BrokerUnavailable`:
   * some may have arrived. Sending all of them again is safe for receivers that ignore duplicate ids. Concurrent calls
   * have no order.
   */
  send(messages: readonly Message[]): Promise<void>;
  /** Delivers until the signal aborts; throws `BrokerUnavailable`. */
  receive(options: ReceiveOptions): Promise<void>;
  /** Names of all topics that are visible to this service. */
  topics(): Promise<readonly string[]>;
  /** Creates missing topics, with the broker's default number of partitions and replicas. */
  ensureTopics(topics: readonly Topic[]): Promise<void>;
  close(): Promise<void>;
}

/** The broker did not respond in time, or rejected the request. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable';
}

/** The first value of a header as text. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  const first: HeaderValue | undefined = Array.isArray(value)
    ? (value as readonly HeaderValue[])[0]
    : (value as HeaderValue | undefined);
  return first?.toString();
}
