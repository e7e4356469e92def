/**
 * The client library's connection, made sound, and its channel for calls of our own. No file but this, `client.ts` and
 * `messages.ts` imports the library, so that its successor (`@kurrent/kurrentdb-client`, same names) can take its
 * place.
 */
import { EventStoreDBClient } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { inTime } from '../in-time.js';

/** Milliseconds; whatever is open. */
const CLOSE_MS = 900;

/** What the library (6.2.1, no other) keeps to itself. */
interface Inner {
  handleError(stubs: unknown, error: Error): Promise<void>;
  GRPCStreamCreator<T>(stubs: unknown, name: string, make: (stubs: StreamsClient) => T): () => Promise<T>;
  callArguments(options: { readonly requiresLeader?: boolean }, call: CallOptions): [Metadata, CallOptions];
}

export class Connection {
  readonly client: EventStoreDBClient;
  readonly #inner: Inner;

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
  open<T>(
    name: string,
    make: (stubs: StreamsClient, metadata: Metadata, options: CallOptions) => T,
    options: { readonly requiresLeader?: boolean } = {},
  ): Promise<T> {
    return this.#inner.GRPCStreamCreator(streamsGrpc.StreamsClient, name, (stubs) =>
      make(stubs, ...this.#inner.callArguments(options, { deadline: Infinity })),
    )();
  }

  async close(): Promise<void> {
    await inTime(this.client.dispose(), CLOSE_MS);
  }
}
