/** The port of a message broker: what the relay and ingest need of Kafka. One adapter, in engines/kafka. */

export type HeaderValue = string | Buffer;
export type Headers = Readonly<Record<string, HeaderValue | readonly HeaderValue[]>>;

export interface Message {
  readonly topic: string;
  /** Messages with the same key keep their order; null: any order. */
  readonly key: string | Buffer | null;
  readonly value: string | Buffer | null;
  readonly headers: Headers;
}

export interface Received extends Message {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly partition: number;
  /** Decimal. */
  readonly offset: string;
}

/** Messages of one partition, oldest first. */
export interface Delivery {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly Received[];
  /** How many messages of the partition came after these when they were fetched. */
  readonly behind: number;
}

export interface ReceiveOptions {
  /** Receivers of one group share the partitions. */
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * What it returned from is not delivered again. After a throw the partition rests for a while, then the same messages
   * come again, as they do after a crash. `signal` aborts when the partition is taken away or the receiver stops: long
   * work then ends with a throw.
   */
  readonly handle: (delivery: Delivery, signal: AbortSignal) => Promise<void>;
  /** What `handle` threw. */
  readonly onError: (error: unknown, delivery: Delivery) => void;
  /** Partitions handled at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

export interface Topic {
  readonly name: string;
  readonly maxMessageBytes: number;
}

export interface Broker {
  /**
   * In order per key; resolves once every in-sync replica has all of them. Throws `BrokerUnavailable`: some may have
   * arrived, and sending all of them again is safe for receivers that know an id twice. Calls at the same time have no
   * order between them.
   */
  send(messages: readonly Message[]): Promise<void>;
  /** Delivers until the signal aborts; throws `BrokerUnavailable`. */
  receive(options: ReceiveOptions): Promise<void>;
  /** Names of all topics that this service may see. */
  topics(): Promise<readonly string[]>;
  /** Creates those that are missing, with the broker's own number of partitions and replicas. */
  ensureTopics(topics: readonly Topic[]): Promise<void>;
  close(): Promise<void>;
}

/** The broker did not answer, not in time, or refused. */
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
