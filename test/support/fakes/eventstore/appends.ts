/** `Streams/Append` and `Streams/BatchAppend`, with responses that can be delayed or lost. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import {
  Metadata,
  status,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { MemoryLog, Proposed } from './memory-log.js';
import { appendResponse, batchAppendResponse, batchRefused, proposedOf, streamNameOf } from './protocol.js';

/** Faults of the next appends; tests change them while the server runs. */
export interface AppendFaults {
  /** Number of appends that are stored without a response. */
  unanswered: number;
  /** Milliseconds between storing and responding. */
  delay: number;
  /** Responses to retries have no position, as from the real server when it no longer knows it; `Append` returns -1. */
  forgetPositions: boolean;
  /** The user has no permission to append. */
  denied: boolean;
}

/** The error with which a node rejects a call. */
export interface Refusal {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

export const NOT_READY = 'Server Is Not Ready';

/** The real server's default for the total size of the events of an append. */
const MAX_APPEND_BYTES = 1024 * 1024;

/** -1 as the client receives it. */
const UNKNOWN = 2n ** 64n - 1n;

const ONLY_EXACT = Object.assign(new Error('Only exact expected revisions are served.'), {
  code: status.UNIMPLEMENTED,
});

export function answerAppend(
  log: MemoryLog,
  faults: AppendFaults,
  call: ServerReadableStream<AppendReq, AppendResp>,
  answer: sendUnaryData<AppendResp>,
): void {
  let options: AppendReq.Options | undefined;
  const events: Proposed[] = [];
  call.on('data', (request: AppendReq) => {
    options ??= request.getOptions();
    const message = request.getProposedMessage();
    if (message) events.push(proposedOf(message));
  });
  call.on('end', async () => {
    // A cancelled call first emits `end` and is marked as cancelled only afterwards. The real server stores nothing of
    // it.
    await turn();
    if (call.cancelled) return;
    if (!options?.hasNoStream() && !options?.hasRevision()) return answer(ONLY_EXACT);
    if (sizeOf(events) > MAX_APPEND_BYTES) return answer(tooLarge());
    const expected = options.hasNoStream() ? -1 : Number(options.getRevision());
    const end = log.end;
    const written = log.append(streamNameOf(options.getStreamIdentifier()), expected, events);
    const position = 'last' in written && faults.forgetPositions && log.end === end ? UNKNOWN : undefined;
    void isAnswered(faults).then((answered) => answered && answer(null, appendResponse(written, position)));
  });
  call.on('error', () => undefined);
}

/** A batch in transmission: the first message contains its options, the last message is marked as final. */
interface Pending {
  readonly id: UUID;
  readonly stream: string;
  readonly expected: number;
  readonly events: Proposed[];
}

/**
 * Behaves like the real server. An error in a batch is the response to that batch and does not end the stream;
 * responses have any order. Only a node that knows another leader ends the stream. `refusal`: the error while this node
 * accepts no calls.
 */
export function answerBatchAppend(
  log: MemoryLog,
  faults: AppendFaults,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
  refusal: () => Refusal | undefined,
): void {
  const batches = new Map<string, Pending>();
  const send = (response: BatchAppendResp): unknown => !call.cancelled && !call.destroyed && call.write(response);
  call.on('data', (request: BatchAppendReq) => {
    const id = request.getCorrelationId()!;
    const options = request.getOptions();
    if (options && !options.hasNoStream() && !options.hasStreamPosition()) return call.destroy(ONLY_EXACT);
    const stream = streamNameOf(options?.getStreamIdentifier());
    if (options && faults.denied) return send(batchRefused(id, stream, 'AccessDenied', new shared.AccessDenied()));
    if (options && !batches.has(id.getString()))
      batches.set(id.getString(), {
        id,
        stream,
        expected: options.hasNoStream() ? -1 : Number(options.getStreamPosition()),
        events: [],
      });
    const batch = batches.get(id.getString());
    if (!batch) return;
    batch.events.push(...request.getProposedMessagesList().map(proposedOf));
    if (sizeOf(batch.events) > MAX_APPEND_BYTES) {
      batches.delete(id.getString());
      const exceeded = new shared.MaximumAppendSizeExceeded();
      exceeded.setMaxappendsize(MAX_APPEND_BYTES);
      return send(batchRefused(id, batch.stream, 'MaximumAppendSizeExceeded', exceeded));
    }
    if (!request.getIsFinal()) return;
    batches.delete(id.getString());
    const refused = refusal();
    if (refused?.details === NOT_READY) return send(batchRefused(id, batch.stream, NOT_READY));
    if (refused) return void call.emit('error', Object.assign(new Error(refused.details), refused));
    const end = log.end;
    const written = log.append(batch.stream, batch.expected, batch.events);
    const isKnown = !(faults.forgetPositions && log.end === end);
    void isAnswered(faults).then(
      (answered) => answered && send(batchAppendResponse(id, batch.stream, written, isKnown)),
    );
  });
  call.on('end', () => call.end());
  call.on('error', () => undefined);
}

/** Returns whether the response reaches the client; resolves after the delay. */
async function isAnswered(faults: AppendFaults): Promise<boolean> {
  if (faults.unanswered > 0) {
    faults.unanswered -= 1;
    return false;
  }
  if (faults.delay > 0) await sleep(faults.delay, undefined, { ref: false });
  return true;
}

const sizeOf = (events: readonly Proposed[]): number =>
  events.reduce((sum, event) => sum + event.data.length + event.metadata.length + event.type.length * 2, 0);

function tooLarge(): Error & { readonly code: status; readonly metadata: Metadata } {
  const metadata = new Metadata();
  metadata.set('exception', 'maximum-append-size-exceeded');
  metadata.set('maximum-append-size', String(MAX_APPEND_BYTES));
  return Object.assign(new Error(`Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`), {
    code: status.INVALID_ARGUMENT,
    metadata,
  });
}
