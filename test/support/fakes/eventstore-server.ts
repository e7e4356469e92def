/**
 * An EventStoreDB in this process. It speaks the gRPC protocol of the real server to the real client, stores its events
 * in memory, and fails on demand. Supported: single and batched appends with exact expected revisions, reads,
 * subscriptions to `$all`, supported methods, gossip.
 */
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { answerAppend, answerBatchAppend, NOT_READY, type AppendFaults, type Refusal } from './eventstore/appends.js';
import { clusterInfo, supportedMethods } from './eventstore/discovery.js';
import { MemoryLog } from './eventstore/memory-log.js';
import { answerRead, type ReadCounts, type ReadFaults } from './eventstore/reads.js';
import { recordEngine } from '../run-summary.js';

const HOST = '127.0.0.1';
/** The response of the real server to an account that lacks a right. */
const DENIED = { code: status.PERMISSION_DENIED, details: 'Access Denied' };

export class EventStoreServer {
  readonly log = new MemoryLog();
  readonly faults: AppendFaults & ReadFaults = {
    unanswered: 0,
    delay: 0,
    forgetPositions: false,
    denied: false,
    cutAtEachEvent: false,
  };
  /** The leader that this node reports to clients, and its reaction to calls. */
  cluster: {
    gossip: 'leader' | 'none' | 'refused';
    calls: 'taken' | 'unavailable' | 'not leader' | 'not ready' | 'denied';
  } = { gossip: 'leader', calls: 'taken' };
  readonly counts: ReadCounts = { sent: 0, subscriptions: 0, endReads: 0 };
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `esdb://${HOST}:${this.#port}?tls=false`;
  }

  /** Address for clients that ask the cluster for its leader. */
  get discoverUrl(): string {
    return `esdb+discover://${HOST}:${this.#port}?tls=false`;
  }

  /** Starts listening; after `stop` on the same port and with the same events. */
  async start(): Promise<void> {
    const server = new Server();
    server.addService(streamsGrpc.StreamsService, this.#streams());
    server.addService(featuresGrpc.ServerFeaturesService, features);
    server.addService(gossipGrpc.GossipService, this.#gossip());
    this.#port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${HOST}:${this.#port}`, ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
    this.#server = server;
  }

  /** Closes every connection and rejects new connections. */
  stop(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
  }

  /** Closes every connection, but accepts new connections immediately. */
  resetConnections(): void {
    this.#server?.drain(`${HOST}:${this.#port}`, 0);
  }

  #streams(): IStreamsServer {
    return {
      append: (call, answer) => {
        const refusal = this.#refusal();
        if (refusal) answer(refusal);
        else void answerAppend(this.log, this.faults, call, answer);
      },
      batchAppend: (call) => answerBatchAppend(this.log, this.faults, call, () => this.#refusal()),
      read: (call) => {
        const refusal = this.#refusal();
        if (refusal) call.emit('error', Object.assign(new Error(refusal.details), refusal));
        else void answerRead(this.log, call, this.counts, this.faults);
      },
      delete: (_, answer) => answer({ code: status.UNIMPLEMENTED }),
      tombstone: (_, answer) => answer({ code: status.UNIMPLEMENTED }),
    };
  }

  #gossip(): IGossipServer {
    return {
      read: (_, answer) =>
        this.cluster.gossip === 'refused'
          ? answer({ code: status.UNAVAILABLE, details: 'no gossip' })
          : answer(null, clusterInfo(this.#port, this.cluster.gossip === 'leader')),
    };
  }

  /** The error with which the real server rejects a call while there is no leader. */
  #refusal(): Refusal | undefined {
    if (this.cluster.calls === 'taken') return undefined;
    if (this.cluster.calls === 'not leader') {
      const metadata = new Metadata();
      metadata.set('exception', 'not-leader');
      metadata.set('leader-endpoint-host', HOST);
      metadata.set('leader-endpoint-port', String(this.#port));
      return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
    }
    if (this.cluster.calls === 'denied') return DENIED;
    return { code: status.UNAVAILABLE, details: this.cluster.calls === 'not ready' ? NOT_READY : 'Connection refused' };
  }
}

const features: IServerFeaturesServer = { getSupportedMethods: (_, answer) => answer(null, supportedMethods()) };

export async function startEventStoreServer(): Promise<EventStoreServer> {
  recordEngine('EventStoreDB', 'the protocol server of the tests, through the real client');
  const server = new EventStoreServer();
  await server.start();
  return server;
}
