/**
 * `Streams/Read`: reads of one stream and of `$all`, and subscriptions to `$all`. The protocol uses one call for all of
 * them.
 */
import { once } from 'node:events';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { MemoryLog, Recorded } from './memory-log.js';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  notFoundResponse,
  streamNameOf,
} from './protocol.js';

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;
type ReadOptions = ReadReq.Options;

/** The real server's default search window. */
const DEFAULT_WINDOW = 32;
const BACKWARDS = 1;
const CUT = Object.assign(new Error('The subscription is cut.'), { code: status.ABORTED });
const ONLY_ALL = Object.assign(new Error('Subscriptions to one stream are not served.'), {
  code: status.UNIMPLEMENTED,
});

/** Counters of the cost of reads since the start. */
export interface ReadCounts {
  /** Number of messages that reads and subscriptions have sent. */
  sent: number;
  subscriptions: number;
  /** Number of forward reads of `$all`. */
  endReads: number;
}

/** Faults of reads; tests change them while the server runs. */
export interface ReadFaults {
  /** A subscription breaks after each event that it sends. */
  cutAtEachEvent: boolean;
}

/** Responds to one call and ends it. A subscription lasts until the client disconnects. */
export async function answerRead(
  log: MemoryLog,
  call: ReadCall,
  counts: ReadCounts,
  faults: ReadFaults,
): Promise<void> {
  const send = (response: ReadResp): Promise<boolean> => {
    counts.sent += 1;
    return write(call, response);
  };
  const sent = (): void => void (counts.sent += 1);
  const options = call.request.getOptions();
  if (options?.hasSubscription() && options.hasAll()) {
    counts.subscriptions += 1;
    return answerSubscription(log, options, call, async (response) => {
      const open = await send(response);
      if (!faults.cutAtEachEvent || !response.hasEvent()) return open;
      // Data that was already written is sent before the error.
      call.emit('error', CUT);
      return false;
    });
  }
  if (options?.hasSubscription()) return void call.destroy(ONLY_ALL);
  if (options?.hasAll() && (options.getReadDirection() as number) !== BACKWARDS) counts.endReads += 1;
  // Like the real server, sends everything at once without waiting for the reader.
  for (const response of options ? responses(log, options) : []) {
    sent();
    if (!call.cancelled && !call.destroyed) call.write(response);
  }
  call.end();
}

function* responses(log: MemoryLog, options: ReadOptions): Generator<ReadResp> {
  const backwards = (options.getReadDirection() as number) === BACKWARDS;
  const count = Number(options.getCount());
  const selected = options.hasAll() ? selectAll(log, options, backwards) : selectStream(log, options, backwards);
  if (!selected) yield notFoundResponse(streamNameOf(options.getStream()?.getStreamIdentifier()));
  for (const event of selected?.slice(0, count) ?? []) yield eventResponse(event);
}

function selectStream(log: MemoryLog, options: ReadOptions, backwards: boolean): Recorded[] | undefined {
  const from = options.getStream();
  const events = log.stream(streamNameOf(from?.getStreamIdentifier()));
  if (!events) return undefined;
  const revision = from?.hasRevision() ? Number(from.getRevision()) : from?.hasEnd() ? Infinity : 0;
  return backwards
    ? events.filter((event) => event.revision <= revision).reverse()
    : events.filter((event) => event.revision >= revision);
}

function selectAll(log: MemoryLog, options: ReadOptions, backwards: boolean): Recorded[] {
  const from = options.getAll();
  const position = from?.getPosition();
  if (backwards)
    return [
      ...(position ? log.all.filter((event) => event.position < BigInt(position.getCommitPosition())) : log.all),
    ].reverse();
  return position
    ? log.all.slice(firstIndex(log, BigInt(position.getCommitPosition())))
    : from?.hasEnd()
      ? []
      : [...log.all];
}

/** Returns the index of the first event at or after a position. */
function firstIndex(log: MemoryLog, position: bigint): number {
  let [low, high] = [0, log.all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = log.all[middle];
    if (event && event.position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Starts after the given position. A checkpoint follows every `window x multiplier` considered events and never in
 * between. This is the minimum that servers do: since 24.2 they also send one when they go live or fall behind.
 */
async function answerSubscription(
  log: MemoryLog,
  options: ReadOptions,
  call: ReadCall,
  send: (response: ReadResp) => Promise<boolean>,
): Promise<void> {
  const matches = matcherOf(options);
  const interval = intervalOf(options);
  const position = options.getAll()?.getPosition();
  let next = position
    ? firstIndex(log, BigInt(position.getCommitPosition()) + 1n)
    : options.getAll()?.hasEnd()
      ? log.all.length
      : 0;
  let considered = 0;
  let live = false;
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort());
  call.on('close', () => gone.abort());
  let open = await send(confirmationResponse());
  while (open && !gone.signal.aborted) {
    const event = log.all[next];
    if (!event) {
      if (!live) open = await send(caughtUpResponse());
      live = true;
      // An event may have been appended while the message was being sent.
      if (next >= log.all.length) await once(log, 'appended', { signal: gone.signal }).catch(() => undefined);
      continue;
    }
    next += 1;
    considered += 1;
    if (matches(event)) open = await send(eventResponse(event));
    if (open && interval !== undefined && considered % interval === 0)
      open = await send(checkpointResponse(event.position));
  }
}

function intervalOf(options: ReadOptions): number | undefined {
  const filter = options.getFilter();
  return filter && (filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW) * filter.getCheckpointintervalmultiplier();
}

function matcherOf(options: ReadOptions): (event: Recorded) => boolean {
  const filter = options.getFilter();
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
  if (!filter || !expression) return () => true;
  const subject = (event: Recorded): string => (filter.hasStreamIdentifier() ? event.stream : event.type);
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (event) => prefixes.some((prefix) => subject(event).startsWith(prefix));
  const regex = new RegExp(expression.getRegex());
  return (event) => regex.test(subject(event));
}

/** Writes with back-pressure; returns false if the client has disconnected. */
async function write(call: ReadCall, response: ReadResp): Promise<boolean> {
  if (call.cancelled || call.destroyed) return false;
  if (call.write(response)) return true;
  await new Promise<void>((resolve) => {
    const ends = ['drain', 'cancelled', 'close', 'error'];
    const done = (): void => {
      for (const end of ends) call.off(end, done);
      resolve();
    };
    for (const end of ends) call.on(end, done);
  });
  return !call.cancelled && !call.destroyed;
}
