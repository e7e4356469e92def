/**
 * The client library's connection, made sound, and its channel for calls of our own. No file but this, `client.ts` and
 * `messages.ts` imports the library, so that its successor (`@kurrent/kurrentdb-client`, same names) can take its
 * place.
 */
import { EventStoreDBClient } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Readable } from 'node:stream';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { inTime } from '../in-time.js';

/** Milliseconds; whatever is open. */
const CLOSE_MS = 900;

type Stream = Readable & { readonly cancel: () => void };

/** What the library (6.2.1, no other) keeps to itself. */
interface Inner {
  handleError(stubs: unknown, error: Error): Promise<void>;
  GRPCStreamCreator<T>(stubs: unknown, name: string, make: (stubs: StreamsClient) => T): () => Promise<T>;
  callArguments(options: { readonly requiresLeader?: boolean }, call: CallOptions): [Metadata, CallOptions];
}

export class Connection {
  readonly client: EventStoreDBClient;
  readonly #inner: Inner;
  readonly #open = new Set<Stream>();
  #closed = false;

  constructor(url: string) {
    this.client = EventStoreDBClient.connectionString(url);
    this.#inner = this.client as unknown as Inner;
    // The library looks for another node after an error, and nobody hears where that fails: while a cluster has no
    // leader for some minutes, the rejection would end the process. The call that met the error fails with it all the
    // same, and the next one looks again.
    const { handleError } = this.#inner;
    this.#inner.handleError = (stubs, error) => handleError(stubs, error).catch(() => undefined);
  }

  /**
   * Opens a gRPC stream of our own, without a deadline. With an error of it the library looks for the node anew, and
   * it ends with the connection.
   */
  async open<T extends Stream>(
    name: string,
    make: (stubs: StreamsClient, metadata: Metadata, options: CallOptions) => T,
    options: { readonly requiresLeader?: boolean } = {},
  ): Promise<T> {
    const create = this.#inner.GRPCStreamCreator(streamsGrpc.StreamsClient, name, (stubs) =>
      make(stubs, ...this.#inner.callArguments(options, { deadline: Infinity })),
    );
    const stream = await create();
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
    if (this.#closed) leave(stream, new Error('The connection is closed.'));
    return stream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#open) leave(stream, new Error('The connection is closed.'));
    await inTime(this.client.dispose(), CLOSE_MS);
  }
}

/**
 * Ends a stream that nobody reads any more: the call, and the stream itself, which would otherwise stay, with all who
 * wait for its end, where the server has sent all of it and some is not read.
 */
export function leave(stream: Stream, reason?: Error): void {
  stream.on('error', () => undefined);
  stream.cancel();
  stream.destroy(reason);
}
