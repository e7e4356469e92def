/** `Streams/Append` and `Streams/BatchAppend`, with answers that can be held back or lost. */
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
import type { MemoryLog, Proposed } from './memory-log.js';
import { appendResponse, batchAppendResponse, proposedOf, streamNameOf } from './protocol.js';

/** What goes wrong with the next appends; changed by tests while the server runs. */
export interface AppendFaults {
  /** So many appends are stored and never answered. */
  unanswered: number;
  /** Milliseconds between storing and answering. */
  delay: number;
  /** Answers to retries say -1 for the position, as the real server does when it no longer knows it. */
  forgetPositions: boolean;
}

/** The real server's default, for the sum of an append's event sizes. */
const MAX_APPEND_BYTES = 1024 * 1024;

/** -1 as the client sees it. */
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
    // A call that is broken off ends as well, and only then says that it was: the real server stores nothing of it.
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

export function answerBatchAppend(
  log: MemoryLog,
  faults: AppendFaults,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
): void {
  const pending = new Map<string, { readonly options: BatchAppendReq.Options; readonly events: Proposed[] }>();
  call.on('data', (request: BatchAppendReq) => {
    const id = request.getCorrelationId()?.getString() ?? '';
    const options = request.getOptions();
    const batch = pending.get(id) ?? (options && { options, events: [] });
    if (!batch?.options.hasNoStream() && !batch?.options.hasStreamPosition()) return call.destroy(ONLY_EXACT);
    pending.set(id, batch);
    batch.events.push(...request.getProposedMessagesList().map(proposedOf));
    if (!request.getIsFinal()) return;
    pending.delete(id);
    const stream = streamNameOf(batch.options.getStreamIdentifier());
    const written = log.append(
      stream,
      batch.options.hasNoStream() ? -1 : Number(batch.options.getStreamPosition()),
      batch.events,
    );
    void isAnswered(faults).then(
      (answered) =>
        answered && !call.cancelled && call.write(batchAppendResponse(request.getCorrelationId(), stream, written)),
    );
  });
  call.on('end', () => call.end());
  call.on('error', () => undefined);
}

/** Whether the answer reaches the client; resolves after the delay. */
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
