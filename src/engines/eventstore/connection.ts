/**
 * Wraps the connection of the client library: works around its defects, and opens custom calls on its channel. Only
 * this file, `client.ts` and `messages.ts` import the library, so that its successor (`@kurrent/kurrentdb-client`, same
 * names) can replace it.
 */
import { EventStoreDBClient } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Readable } from 'node:stream';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { waitAtMost } from '../timeouts.js';

/** Maximum milliseconds to close the connection, even if calls are open. */
const CLOSE_MS = 900;

type Stream = Readable & { readonly cancel: () => void };

/** Private members of the library that are used here (of version 6.2.1 only). */
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
    // After an error the library looks for another node, but does not handle the failure of that search. If a cluster
    // has no leader for some minutes, the unhandled rejection would end the process. The call that met the error still
    // fails with it, and the next call looks again.
    const { handleError } = this.#inner;
    this.#inner.handleError = (stubs, error) => handleError(stubs, error).catch(() => undefined);
  }

  /**
   * Opens a custom gRPC stream without a deadline. After an error of the stream, the library looks for the node again.
   * The stream ends when the connection is closed.
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
    await waitAtMost(this.client.dispose(), CLOSE_MS);
  }
}

/**
 * Ends a stream that is no longer read: the call and the stream object. If the server has sent all messages and some
 * are unread, the stream object would otherwise stay open. Code that awaits its end would then wait forever.
 */
export function leave(stream: Stream, reason?: Error): void {
  stream.on('error', () => undefined);
  stream.cancel();
  stream.destroy(reason);
}
